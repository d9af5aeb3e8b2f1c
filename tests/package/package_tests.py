"""The packages of a build folder: what is in them, and that it works where it is put."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUDGET_BUILD", ROOT / "build/native")).resolve()
HERE = pathlib.Path(__file__).resolve().parent
TESTS = []
PROGRAMS = ["usr/bin/gpudget", "usr/bin/gpudget-desktop"]
FILES = PROGRAMS + ["usr/share/applications/gpudget.desktop", "usr/share/icons/hicolor/scalable/apps/gpudget.svg", "usr/share/man/man1/gpudget.1.gz",
                    "usr/share/man/man1/gpudget-desktop.1.gz", "usr/share/bash-completion/completions/gpudget", "usr/share/zsh/vendor-completions/_gpudget",
                    "usr/share/fish/vendor_completions.d/gpudget.fish", "usr/share/doc/gpudget/copyright"]


def test(function):
    TESTS.append(function)
    return function


def run(*words, status=0, env=None, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **(env or {})},
                          stdin=None if "input" in more else subprocess.DEVNULL, **more)
    assert status is None or done.returncode == status, f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done


class Packages:
    """Made once, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        done = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder / "made", cwd=BUILD)
        assert "warning" not in (done.stdout + done.stderr).lower(), done.stdout + done.stderr
        one = lambda pattern: next(iter(sorted((folder / "made").glob(pattern))))
        self.deb, self.dev, self.tar = one("gpudget_*.deb"), one("libgpudget-dev_*.deb"), one("gpudget-*.tar.gz")
        self.tree, self.dev_tree = folder / "deb", folder / "dev"
        run("dpkg-deb", "-x", self.deb, self.tree)
        run("dpkg-deb", "-x", self.dev, self.dev_tree)
        with tarfile.open(self.tar) as tar:
            tar.extractall(folder / "tar")
        self.portable = next((folder / "tar").iterdir())

    def field(self, name, package=None):
        return run("dpkg-deb", "-f", package or self.deb, name).stdout.strip()


def listing(deb):
    """Path to mode and owner."""
    rows = [line.split(maxsplit=5) for line in run("dpkg-deb", "-c", deb).stdout.splitlines()]
    return {path.removeprefix("./").split(" -> ")[0]: (mode, owner) for mode, owner, _, _, _, path in rows}


@test
def the_deb_holds_programs_pages_and_completions_with_the_rights_of_a_package(p):
    rows = listing(p.deb)
    for file in FILES:
        assert file in rows, f"{file} is missing of {sorted(rows)}"
        mode, owner = rows[file]
        assert mode == ("-rwxr-xr-x" if file in PROGRAMS else "-rw-r--r--") and owner == "root/root", (file, mode, owner)
    assert not any(path.startswith(("usr/include", "usr/lib")) for path in rows), "the core is the other package's"
    assert all(path in ("", "usr/") or path.startswith("usr/") for path in rows)
    assert all(mode == "drwxr-xr-x" for path, (mode, _) in rows.items() if path.endswith("/"))


@test
def the_deb_says_what_it_is_and_needs(p):
    version = run(p.tree / "usr/bin/gpudget", "--version").stdout.split()[-1]
    assert p.field("Package") == "gpudget" and p.field("Version").startswith(version) and p.field("Section") == "science"
    assert p.field("Architecture") == run("dpkg", "--print-architecture").stdout.strip()
    needs = {entry.split()[0] for entry in p.field("Depends").split(", ")}
    assert {"libc6", "libstdc++6", "libglfw3"} <= needs and needs & {"libgl1", "libopengl0"}, needs
    assert not any(name.startswith(("libcuda", "libnvidia")) for name in needs), "it runs with and without a driver"
    assert "memory" in p.field("Description")
    assert p.field("Package", p.dev) == "libgpudget-dev" and "usr/include/gpudget/core/estimate.h" in listing(p.dev)
    copyright_text = (p.tree / "usr/share/doc/gpudget/copyright").read_text()
    assert "MIT" in (ROOT / "LICENSE").read_text() and "Permission is hereby granted" in copyright_text and "SIL OPEN FONT LICENSE" in copyright_text.upper()


@test
def the_deb_is_installed_runs_and_is_removed(p):
    """As root with dpkg; as anyone else from the unpacked package."""
    there = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", "gpudget"], capture_output=True, text=True, check=False).stdout
    if os.geteuid() != 0 or there == "installed":  # a computer where people use it keeps theirs
        used(p.tree / "usr/bin/gpudget", p.tree / "usr/bin/gpudget-desktop")
        return
    for attempt in range(30):
        done = run("dpkg", "-i", p.deb, status=None)
        if "lock" not in done.stderr or done.returncode == 0:
            break
        time.sleep(1)
    try:
        assert done.returncode == 0, done.stdout + done.stderr
        used(shutil.which("gpudget", path="/usr/bin"), shutil.which("gpudget-desktop", path="/usr/bin"))
        assert run("dpkg", "-V", "gpudget", status=None).stdout.replace("missing", "").count("/usr/bin") == 0
    finally:
        run("dpkg", "-P", "gpudget")
    assert not pathlib.Path("/usr/bin/gpudget").exists() and not pathlib.Path("/usr/share/applications/gpudget.desktop").exists()


def used(cli, desktop):
    estimate = json.loads(run(cli, "estimate", "--json", "--set", "method=qlora").stdout)
    assert estimate["memory"]["per_gpu"]["device"] > 1e9 and estimate["memory"]["fits"] is True
    assert json.loads(run(cli, "vram", "--json", env={"GPUDGET_NVML": "none", "GPUDGET_CUDA": "none"}).stdout)["gpus"] == []
    assert run(desktop, "--version").stdout.strip() == run(cli, "--version").stdout.split()[-1]
    assert "--screenshot" in run(desktop, "--help").stdout
    done = run(desktop, status=1, env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert "gpudget estimate" in done.stderr, done.stderr


@test
def the_manual_pages_are_sound_and_say_all(p):
    for name in ("gpudget", "gpudget-desktop"):
        page = gzip.open(p.tree / f"usr/share/man/man1/{name}.1.gz").read().decode()
        for lint in (["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-T", "lint", "-W", "warning"]):
            done = run(*lint, input=page, status=None)
            # A page without a date is built the same on every day.
            said = [line for line in (done.stdout + done.stderr).splitlines() if line and "missing date" not in line]
            assert not said and (done.returncode == 0 or lint[0] == "mandoc"), f"{name}: {lint[0]}: {said}"
        text = re.sub(r".\x08", "", run("mandoc", "-T", "utf8", input=page).stdout)
        for word in set(re.findall(r"--[a-z-]+", run(p.tree / "usr/bin" / name, "--help").stdout)) - ({"--help", "--version"} if name == "gpudget" else set()):
            assert word in text, f"{name}: {word} is not in the manual page"
    for call in ("estimate", "plan", "limit", "export", "course", "list", "vram", "validate"):
        page = gzip.open(p.tree / "usr/share/man/man1/gpudget.1.gz").read().decode()
        assert f".SS gpudget {call}" in page


@test
def the_desktop_entry_and_the_icon_are_valid(p):
    entry = p.tree / "usr/share/applications/gpudget.desktop"
    done = run("desktop-file-validate", entry, status=None)
    assert done.returncode == 0 and not done.stdout.strip(), done.stdout + done.stderr
    keys = dict(line.split("=", 1) for line in entry.read_text().splitlines() if "=" in line)
    assert (p.tree / "usr/bin" / keys["Exec"].split()[0]).exists()
    assert (p.tree / f"usr/share/icons/hicolor/scalable/apps/{keys['Icon']}.svg").read_text().startswith("<svg")
    assert {"Comment", "Comment[pt]", "Comment[fr]"} <= keys.keys()


@test
def bash_completes_calls_options_and_values(p):
    script = (f"source {p.tree}/usr/share/bash-completion/completions/gpudget\n"
              "try() { COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)); _gpudget 2>/dev/null; echo \"${COMPREPLY[*]}\"; }\n"
              "complete -p gpudget\ntry gpudget est\ntry gpudget estimate --jso\ntry gpudget export --to deep\ntry gpudget limit --of max\n")
    lines = run("bash", "--norc", "-c", script).stdout.splitlines()
    assert lines[0].endswith("gpudget") and lines[1:] == ["estimate", "--json", "deepspeed", "max_length"], lines


@test
def zsh_and_fish_take_their_completions(p):
    run("zsh", "-f", "-n", p.tree / "usr/share/zsh/vendor-completions/_gpudget")
    functions = p.tree / "usr/share/zsh/vendor-completions"
    loaded = run("zsh", "-f", "-c", f"fpath=({functions} $fpath); autoload -U compinit && compinit -D -u && print ${{_comps[gpudget]}}").stdout.strip()
    assert loaded == "_gpudget", loaded
    file = p.tree / "usr/share/fish/vendor_completions.d/gpudget.fish"
    home = {"HOME": str(p.folder / "home"), "XDG_CONFIG_HOME": str(p.folder / "home/config")}
    run("fish", "--no-config", "-n", file, env=home)
    ask = lambda line: {row.split("\t")[0] for row in run("fish", "--no-config", "-c", f"source {file}; complete -C '{line}'", env=home).stdout.splitlines()}
    assert ask("gpudget est") == {"estimate"}
    assert "deepspeed" in ask("gpudget export --to d")


@test
def the_portable_build_runs_from_its_folder_and_brings_its_window_library(p):
    assert re.fullmatch(r"gpudget-[\d.]+-Linux-\w+", p.portable.name), p.portable.name
    used(p.portable / "bin/gpudget", p.portable / "bin/gpudget-desktop")
    for file in FILES:
        file = file.removeprefix("usr/").replace("vendor-completions", "site-functions")
        assert (p.portable / file).exists(), file
    everywhere = re.compile(r"lib(c|m|dl|pthread|stdc\+\+|gcc_s|GL|GLX|OpenGL)\.so\.|ld-linux")
    for name in ("gpudget", "gpudget-desktop"):
        wanted = re.findall(r"NEEDED.*\[(\S+)\]", run("readelf", "-d", p.portable / "bin" / name).stdout)
        brought = [library for library in wanted if not everywhere.match(library)]
        assert all((p.portable / "lib/gpudget" / library).is_file() for library in brought), (name, wanted)
        for library, path in re.findall(r"(\S+) => (\S+)", run("ldd", p.portable / "bin" / name).stdout):
            assert library not in brought or pathlib.Path(path).resolve().is_relative_to(p.portable.resolve()), (library, path)
        assert "RUNPATH" not in run("readelf", "-d", p.tree / "usr/bin" / name).stdout, "the .deb uses the distribution's"
    assert ".symtab" not in run("readelf", "-S", p.portable / "bin/gpudget").stdout, "not stripped"
    for binary in ("gpudget", "gpudget-desktop"):
        assert str(ROOT).encode() not in (p.portable / "bin" / binary).read_bytes(), f"{binary} names the folder it was built in"


@test
def another_project_finds_the_core_and_estimates_with_it(p):
    for name, prefix in (("package", p.dev_tree / "usr"), ("portable", p.portable)):
        folder = p.folder / f"consumer-{name}"
        run("cmake", "-S", HERE / "consumer", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
        assert str(prefix) in (folder / "CMakeCache.txt").read_text()
        run("cmake", "--build", folder)
        parameters, device, fits = map(int, run(folder / "consumer").stdout.split())
        scenario = {"model": {"params": "8B"}, "gpu": {"name": "any", "memory_gib": 80, "bf16_tflops": 300, "memory_bandwidth_gb_s": 2000}}
        said = json.loads(run(p.tree / "usr/bin/gpudget", "estimate", "-", "--json", input=json.dumps(scenario)).stdout)
        assert (parameters, device, bool(fits)) == (said["model"]["parameters"], said["memory"]["per_gpu"]["device"], said["memory"]["fits"])
    for wanted in ("0.2", "1.0"):
        text = (HERE / "consumer/CMakeLists.txt").read_text().replace("gpudget 0.1 REQUIRED", f"gpudget {wanted} REQUIRED")
        other = p.folder / f"consumer-{wanted}"
        other.mkdir()
        (other / "CMakeLists.txt").write_text(text)
        done = run("cmake", "-S", other, "-B", other / "build", f"-DCMAKE_PREFIX_PATH={p.portable}", status=None)
        assert done.returncode != 0 and "version" in done.stderr, wanted


@test
def cmake_install_goes_where_it_is_told(p):
    target = p.folder / "installed"
    run("cmake", "--install", BUILD, "--prefix", target)
    run(target / "bin/gpudget", "--version")
    run(target / "bin/gpudget-desktop", "--version")
    assert (target / "share/zsh/site-functions/_gpudget").exists() and (target / "include/gpudget/core/units.h").exists()


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gpudget-packages-"))
    try:
        started = time.time()
        packages = Packages(folder)
        print(f"packed: {', '.join(f'{f.name} ({f.stat().st_size / 1e6:.1f} MB)' for f in (packages.deb, packages.dev, packages.tar))} "
              f"({time.time() - started:.1f} s)", flush=True)
        for function in TESTS:
            name = function.__name__.replace("_", " ")
            if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
                continue
            started = time.time()
            try:
                function(packages)
                result = "passed"
            except Exception:  # noqa: BLE001 - every failure is a failed test
                traceback.print_exc()
                result = "failed"
            counts[result] += 1
            print(f"{'ok' if result == 'passed' else result.upper()}: {name} ({time.time() - started:.1f} s)", flush=True)
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        counts["failed"] += 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return counts["failed"] > 0


sys.exit(main())
