"""The command line on this computer's GPUs, with fake drivers found as real ones are: by the library search path."""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUDGET_BUILD", ROOT / "build/native")).resolve()
PROGRAM, FAKES = BUILD / "gpudget", BUILD / "fake"
GIB = 1 << 30
SMALL = ("--set", "method=qlora", "--set", "gradient_checkpointing=full")  # some 10 GB
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def environment(scenario=None, **more):
    """With a scenario: a computer whose NVIDIA driver behaves so; without: one that has no driver."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "GPUDGET_", "FAKE_"))} | {"LC_ALL": "C.UTF-8", "TERM": "xterm"}
    if scenario is None:
        env.update(GPUDGET_NVML="none", GPUDGET_CUDA="none", GPUDGET_ROCM="none")
    else:
        env.update(LD_LIBRARY_PATH=str(FAKES), FAKE_GPU=scenario, GPUDGET_ROCM="none")
    return env | more


def run(*words, scenario=None, status=0, before=(), text=None, **more):
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    done = subprocess.run([*before, str(PROGRAM), *words], capture_output=True, text=True, timeout=120, check=False, env=environment(scenario, **more), **given)
    assert done.returncode == status, f"{words}: status {done.returncode}, expected {status}: {done.stdout[-600:]}{done.stderr[-1500:]}"
    return done


def report(scenario, **more):
    return json.loads(run("vram", "--json", scenario=scenario, **more).stdout)


@test
def without_a_gpu_it_says_so_and_that_is_no_failure():
    assert json.loads(run("vram", "--json").stdout) == {"gpus": []}
    for language, word in (("en", "GPU"), ("pt", "GPU"), ("fr", "GPU")):
        said = run("vram", "--lang", language)
        assert word in said.stdout and len(said.stdout.splitlines()) == 1 and said.stderr == "", said
    assert run("vram", "--watch").stdout == run("vram").stdout, "nothing to watch is an answer"
    run("vram", "--check", status=1)
    failed = run("estimate", "--gpu", "local", status=2)
    assert failed.stdout == "" and failed.stderr.startswith("gpudget: error: gpu: "), failed.stderr


@test
def nought_one_and_eight_gpus():
    assert report("zero_devices")["gpus"] == [] and report("zero_devices")["note_id"] == "probe.no_devices"
    one = report("one_24g")
    assert one["source"] == "nvml" and one["driver"] == "550.54.15" and "context_bytes" not in one
    (gpu,) = one["gpus"]
    assert gpu["name"] == "NVIDIA GeForce RTX 4090" and gpu["total"] == 24 * GIB and gpu["used"] + gpu["free"] + gpu["reserved"] == gpu["total"]
    assert gpu["compute_capability"] == "8.9" and gpu["processes"][0]["used"] == GIB
    assert [g["index"] for g in report("eight")["gpus"]] == list(range(8))
    table = run("vram", scenario="eight").stdout
    assert table.count("NVIDIA GeForce RTX 4090") + table.count("NVIDIA H100") == 8 and "driver 550.54.15, CUDA 12.4" in table


@test
def slices_failures_and_old_drivers_are_told_in_words():
    slices = report("mig")["gpus"]
    assert [g["mig"] for g in slices] == [True, True] and [g["total"] // GIB for g in slices] == [40, 10]
    for scenario, words in (("mismatch", "restart"), ("not_loaded", "not running"), ("no_permission", "does not let"), ("memory_fails", "Unknown Error")):
        said = run("vram", scenario=scenario, GPUDGET_CUDA="none").stdout
        assert words in said, (scenario, said)
        assert report(scenario, GPUDGET_CUDA="none")["gpus"] == []
    old = run("vram", scenario="one_24g", GPUDGET_NVML=str(FAKES / "libnvidia-ml-without-init.so.1"), GPUDGET_CUDA="none").stdout
    assert "too old" in old and "nvmlInit_v2" in old, old
    lost = run("vram", scenario="lost").stdout
    assert "NVIDIA GeForce RTX 4090" in lost and "GPU 1 does not answer" in lost, lost
    withheld = report("v2_rejects")["gpus"][0]
    assert withheld["reserved"] is None and "unknown" in run("vram", scenario="v2_rejects").stdout


@test
def memory_that_changes_is_read_again():
    before, after = (report("one_24g", FAKE_GPU_MORE_USED_GIB=more)["gpus"][0] for more in ("0", "5"))
    assert after["used"] - before["used"] == 5 * GIB and before["free"] - after["free"] == 5 * GIB


@test
def the_cuda_driver_stands_in_and_says_what_its_context_cost():
    seen = report("one_24g", GPUDGET_NVML="none")
    assert seen["source"] == "cuda" and seen["context_bytes"] == 400 << 20 and seen["gpus"][0]["total"] == 24 * GIB
    assert "419\u00a0MB" in run("vram", scenario="one_24g", GPUDGET_NVML="none").stdout
    full = run("vram", scenario="full", GPUDGET_NVML="none").stdout
    assert "unknown" in full and "out of memory" in full


@test
def amd_through_its_own_library():
    env = {"GPUDGET_NVML": "none", "GPUDGET_CUDA": "none", "GPUDGET_ROCM": ""}
    seen = report("two_mixed_order", **env)
    assert seen["source"] == "rocm" and [g["name"] for g in seen["gpus"]] == ["AMD Instinct MI300X"] * 2, seen
    assert "unknown" in run("vram", scenario="memory_fails", **env).stdout


@test
def a_scenario_is_measured_against_what_is_free_now():
    (gpu,) = json.loads(run("vram", *SMALL, "--json", scenario="one_24g").stdout)["gpus"]
    local = json.loads(run("estimate", *SMALL, "--gpu", "local", "--json", scenario="one_24g").stdout)["memory"]
    assert gpu["estimate"]["device"] == local["per_gpu"]["device"] and local["capacity"] == 24 * GIB, (gpu, local)
    assert gpu["estimate"]["fits"] is True and gpu["estimate"]["fits_now"] is (gpu["estimate"]["device"] <= gpu["free"])
    text = run("vram", *SMALL, scenario="one_24g").stdout
    assert "Fits in what is free now" in text, text
    crowded = {"FAKE_GPU_MORE_USED_GIB": "20"}
    assert "but not in what is free now" in run("vram", *SMALL, scenario="one_24g", **crowded).stdout
    assert "Does not fit on this GPU" in run("vram", "--set", "method=full", scenario="one_24g").stdout
    run("vram", *SMALL, "--check", scenario="one_24g")
    run("vram", *SMALL, "--check", scenario="one_24g", status=1, **crowded)
    run("vram", "--set", "method=full", "--check", scenario="one_24g", status=1)
    file = '{"method": "qlora", "gradient_checkpointing": "full"}'
    assert json.loads(run("vram", "-", "--json", scenario="one_24g", text=file).stdout)["gpus"][0]["estimate"] == gpu["estimate"]
    wrong = run("vram", "--set", "method=telepathy", scenario="one_24g", status=2)
    assert wrong.stdout == "" and wrong.stderr.startswith("gpudget: error: method: ")


@test
def estimate_on_the_local_gpu_and_its_exit_statuses():
    answer = json.loads(run("estimate", "--gpu", "local", *SMALL, "--json", "--check", scenario="one_24g").stdout)
    assert answer["memory"]["capacity"] == 24 * GIB and answer["compute"]["tokens_per_second"] > 0
    run("estimate", "--gpu", "local", "--check", scenario="one_24g", status=1)
    assert json.loads(run("estimate", "--gpu", "local", "--json", scenario="mig").stdout)["memory"]["capacity"] == 40 * GIB


def watched(*words, frames=2, **more):
    """What a terminal of 80 columns shows until `frames` views came; the program ends by Ctrl+C."""
    pid, master = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job ignores it, and so would its children
        os.execve(PROGRAM, [str(PROGRAM), "vram", *words], environment("one_24g", **more))
    out, end = b"", time.time() + 30
    while out.count(b"\x1b[H") < frames and time.time() < end:
        if select.select([master], [], [], 0.2)[0]:
            out += os.read(master, 65536)
    os.write(master, b"\x03")
    _, status = os.waitpid(pid, 0)
    os.close(master)
    return out.decode(), os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


@test
def watching_draws_again_in_place_with_the_estimate_on_the_bar():
    out, ended = watched("--watch", "0.2", *SMALL)
    assert ended == signal.SIGINT and out.count("\x1b[H") >= 2, (ended, out)
    view = out.split("\x1b[H")[1]
    for part in ("NVIDIA GeForce RTX 4090", "█", "▒", "┃", "Fits in what is free now", "driver 550.54.15"):
        assert part in view, (part, view)
    assert "▶" in watched("--watch", "0.2", frames=1)[0], "more than there is goes over the end"
    with subprocess.Popen([PROGRAM, "vram", "--watch", "0.1", "--json"], stdout=subprocess.PIPE, env=environment("one_24g"), text=True) as process:
        lines = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.kill()
    assert all(line["gpus"][0]["estimate"]["fits"] is False for line in lines)


@test
def the_snippet_is_python_and_asks_for_all_three_figures():
    code = run("vram", "--snippet").stdout
    compile(code, "snippet", "exec")
    assert all(word in code for word in ("max_memory_allocated", "max_memory_reserved", "mem_get_info"))


@test
def valgrind_finds_nothing():
    valgrind = ("valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect")
    for scenario, more in (("eight", {}), ("mig", {}), ("uma", {}), ("one_24g", {"GPUDGET_NVML": "none"}),
                           ("two_mixed_order", {"GPUDGET_NVML": "none", "GPUDGET_CUDA": "none", "GPUDGET_ROCM": ""})):
        assert json.loads(run("vram", "--json", scenario=scenario, before=valgrind, **more).stdout)["gpus"], scenario


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for function in TESTS:
        name = function.__name__.replace("_", " ")
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        started = time.time()
        try:
            function()
            result = "passed"
        except Exception:  # noqa: BLE001 - every failure is a failed test
            traceback.print_exc()
            result = "failed"
        counts[result] += 1
        print(f"{'ok' if result == 'passed' else result.upper()}: {name} ({time.time() - started:.1f} s)", flush=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return counts["failed"] > 0


sys.exit(main())
