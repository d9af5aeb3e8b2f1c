"""The command line against its contract: exit statuses, error forms, each call, hostile input, the outputs read by other programs.

Each function whose name starts with test_ is a test; one that raises fails. PROGRAM: build/native/gpudget."""

import ast
import csv
import io
import json
import os
import pathlib
import pty
import random
import re
import select
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("GPUDGET", ROOT / "build/native/gpudget")).resolve()
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "NO_COLOR"))} | {"LC_ALL": "C.UTF-8", "TERM": "xterm"}
TOOLS = ["trainer", "trl", "deepspeed", "accelerate", "torchtune", "axolotl", "llamafactory"]
CALLS = ["estimate", "plan", "limit", "export", "import", "course", "list", "vram", "validate"]
TABLES = ["full_finetune", "single_gpu", "multi_gpu", "throughput", "time", "prices", "cost", "estimate_memory"]


class Skip(Exception):
    pass


class Answer:
    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout.decode(), process.stderr.decode()

    @property
    def json(self):
        return json.loads(self.out, parse_constant=lambda c: check(False, f"{c} in JSON"))


def check(truth, what):
    if not truth:
        raise AssertionError(what)


def run(*words, text=None, environment=None, timeout=60):
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": text if isinstance(text, bytes) else text.encode()}
    return Answer(subprocess.run([PROGRAM, *words], capture_output=True, env=ENVIRONMENT | (environment or {}), timeout=timeout, check=False, **given))


def good(*words, status=0, **more):
    a = run(*words, **more)
    check(a.status == status, f"{words}: status {a.status}, expected {status}: {a.err[:300]}")
    check(a.err == "", f"{words}: said {a.err[:300]!r}")
    check(a.out.endswith("\n") and a.out.strip(), f"{words}: answered {a.out[:100]!r}")
    return a


def wrong(*words, path=None, has="", **more):
    """Status 2, nothing on standard output, one line in the contract's form on standard error."""
    a = run(*words, **more)
    check(a.status == 2, f"{words}: status {a.status}, expected 2")
    check(a.out == "", f"{words}: wrote to standard output: {a.out[:100]!r}")
    form = re.fullmatch(r"gpudget: error: ([^:\n]+): ([^\n]+) \(([^\n]+)\)\n", a.err)
    check(form, f"{words}: error not in the contract's form: {a.err[:300]!r}")
    check(path is None or form[1] == path, f"{words}: path {form[1]!r}, expected {path!r}: {a.err[:300]!r}")
    check(has in a.err, f"{words}: {has!r} is not in {a.err[:300]!r}")
    check(len(a.err) < 1500, f"{words}: an error of {len(a.err)} bytes")
    return a


def estimate(*settings, **scenario):
    words = [w for s in settings for w in ("--set", s)]
    return good("estimate", "-", "--json", *words, text=json.dumps(scenario)).json


# Calls ------------------------------------------------------------------------------------------------------------------------------------------------------

def test_version_and_help():
    check(re.fullmatch(r"gpudget \d+\.\d+\.\d+\n", good("--version").out), "version")
    top = good("--help").out
    for call in CALLS:
        check(re.search(rf"^  {call}\b", top, re.M), f"--help does not say {call}")
        check("Usage:" in good(call, "--help").out, f"{call} --help")
    check("Excludes" not in good("estimate", "--help").out, "help shows CLI11's notes")


def test_wrong_calls():
    wrong(path="call")
    wrong("estimat", path="call", has="did you mean 'estimate'?")
    wrong("--foo", path="call")
    wrong("estimate", "--foo", path="estimate", has="--foo")
    wrong("estimate", "a", "b", path="estimate")
    wrong("limit", path="limit", has="--of")
    wrong("limit", "--of", "width", path="--of", has="max_length")
    wrong("limit", "--of", "lora.r", path="--of", has="method")
    wrong("export", path="export", has="--to")
    wrong("export", "--to", "x", path="--to", has="llamafactory")
    wrong("export", "--to", "trl", "--set", "method=inference", path="method")
    wrong("course", "x", path="TABLE", has="single_gpu")
    wrong("list", path="list")
    wrong("list", "x", path="KIND", has="optimizers")
    wrong("estimate", "--lang", "de", path="--lang", has="en, pt, fr")
    wrong("estimate", "--json", "--csv", path="estimate")
    wrong("plan", "--gpus", "b9000", path="gpus")
    wrong("plan", "--deadline", "soon", path="deadline")
    wrong("plan", "--budget", "-3", path="plan")
    wrong("plan", "--market", "black", path="market", has="spot")
    wrong("plan", "--top", "0", path="plan")
    wrong("plan", "--set", "method=inference", path="method")


def test_estimate_table_defaults():
    out = good("estimate").out
    check("Llama 3.1 8B" in out and "GB" in out and "\x1b" not in out, out)
    check(good("estimate", "-", text="{}").out == out, "{} is the defaults")
    check(good("estimate", text="{}").out == out, "piped input without a FILE")
    check(good("estimate", text="").out == out, "empty pipe: the defaults")


def test_estimate_from_file():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "ção.json")
        file.write_text('{"method": "qlora"}')
        check(good("estimate", str(file), "--json").json["model"]["trainable_parameters"] < 10**9, "file is read")
        wrong("estimate", str(file) + "x", path=str(file) + "x", has="No such file")
        wrong("estimate", folder, path=folder)
        file.write_text('{"method": "qlora"')
        wrong("estimate", str(file), path=str(file), has="not valid JSON")
        os.chmod(file, 0)
        if os.geteuid() != 0:
            wrong("estimate", str(file), path=str(file))


def test_set():
    e = estimate("method=qlora", "lora.r=8", 'model={"params":"13B"}', "parallelism.tensor=1", "gpus=2")
    check(12e9 < e["model"]["parameters"] < 14e9, "bare words, numbers and objects")
    check(estimate("lora={\"r\": 64}", method="lora") == estimate(method="lora", lora={"r": 64}), "a whole group")
    check(estimate("max_length=4096", max_length=8) == estimate(max_length=4096), "--set wins over the file")
    check(estimate("gpus=2", "gpus=4") == estimate(gpus=4), "the last --set wins")
    wrong("estimate", "--set", path="estimate")
    wrong("estimate", "--set", "method", path="--set", has="path=value")
    wrong("estimate", "--set", "=3", path="--set")
    wrong("estimate", "--set", "method=", path="method")
    wrong("estimate", "--set", "method=lra", path="method", has="did you mean 'lora'?")
    wrong("estimate", "--set", "lora.r=0", path="lora.r", has="from 1 to")
    wrong("estimate", "--set", "lora.rank=3", path="lora.rank", has="'lora.r'")
    wrong("estimate", "--set", "batch_size=3", path="batch_size", has="per_device_train_batch_size")
    wrong("estimate", "--set", 'gpu={"memory_gib":}', path="gpu")
    wrong("estimate", "--set", "parallelism=2", path="parallelism")


def test_check():
    good("estimate", "--check", "--set", "method=qlora")
    a = good("estimate", "--check", "--json", "--set", "gpu=rtx-4090", status=1)
    check(a.json["memory"]["fits"] is False, "the answer is printed all the same")
    good("estimate", "--set", "gpu=rtx-4090")


def test_estimate_json_shape():
    e = estimate()
    check(set(e) >= {"model", "memory", "compute", "time", "cost", "advice", "problems"}, sorted(e))
    m = e["memory"]
    check(sum(m["categories"].values()) == m["per_gpu"]["device"], "categories sum to the device")
    check(m["headroom"] == m["capacity"] - m["per_gpu"]["device"], "headroom")
    check(m["range"]["low"] <= m["per_gpu"]["device"] <= m["range"]["high"], "range")
    check(max(p["bytes"] for p in m["phases"]) == m["per_gpu"]["device"], "the peak is the largest phase")
    check(e["time"]["training_tokens"] == 15_360_000, "tokens")
    check(re.fullmatch(r"\d{4}-\d\d-\d\d", e["cost"]["priced_on"]), "date")
    for patch in e["advice"]:
        estimate(**patch["scenario_patch"])


def test_same_question_same_bytes():
    a = good("estimate", "--json", environment={"LC_ALL": "pt_BR.UTF-8"}).out
    check(a == good("estimate", "--json", environment={"LC_ALL": "fr_FR.UTF-8", "LANG": "de_DE"}).out, "JSON does not depend on the locale")


def test_languages():
    texts = {lang: good("estimate", "--lang", lang).out for lang in ("en", "pt", "fr")}
    check(len(set(texts.values())) == 3, "three languages")
    check("Go" in texts["fr"] and "GB" in texts["pt"], "units")
    check(good("estimate", environment={"LC_ALL": "pt_BR.UTF-8"}).out == texts["pt"], "the locale's language")
    check(good("estimate", environment={"LC_ALL": "de_DE.UTF-8"}).out == texts["en"], "else English")
    check(good("estimate", "--json", "--lang", "fr").json["problems"] is not None, "JSON in French")


def test_markdown_csv_html():
    markdown = good("estimate", "--markdown", "--set", "method=qlora").out
    check(markdown.count("\n|") > 8, markdown[:300])
    rows = list(csv.reader(io.StringIO(good("estimate", "--csv").out)))
    check(len(rows) > 3 and len({len(r) for r in rows}) == 1, f"CSV of uneven rows: {rows[:3]}")
    page = good("estimate", "--html").out
    check(page.lower().startswith("<!doctype html>") and "<script" not in page and "http" not in re.sub(r'href="[^"]*"|https://www.w3.org[^"]*', "", page), "one file, no request")
    evil = {"gpu": {"name": "<img src=x onerror=alert(1)>|`a", "memory_gib": 80}}
    check("<img" not in good("estimate", "-", "--html", text=json.dumps(evil)).out, "names are escaped in HTML")
    good("estimate", "-", "--markdown", text=json.dumps(evil))


def test_plan():
    a = good("plan", "--json", "--set", "method=qlora", "--gpus", "a100-80gb-sxm,rtx-4090", "--max-gpus", "4").json
    check(a["front"], "a front")
    costs, times = [r["usd"] for r in a["front"]], [r["seconds"] for r in a["front"]]
    check(costs == sorted(costs) and times == sorted(times, reverse=True), "cheapest first, none both dearer and slower")
    for row in a["front"]:
        check(row["gpus"] <= 4 and row["gpu"] in ("a100-80gb-sxm", "rtx-4090"), row["gpu"])
        e = estimate(**row["scenario"])
        check(e["memory"]["fits"] and abs(e["cost"]["usd"] - row["usd"]) <= 1e-9 * row["usd"], "a row is a full Scenario with this answer")
    check(len(good("plan", "--json", "--set", "method=qlora", "--top", "1").json["front"]) == 1, "--top")
    good("plan", "--set", "method=qlora")
    good("plan", "--set", "method=qlora", "--lang", "fr", "--market", "spot", "--deadline", "3d", "--budget", "1000")
    nothing = good("plan", "--set", 'model={"params":"1T"}', "--gpus", "rtx-4090", status=1)
    check("Nothing" in nothing.out, nothing.out)
    check(good("plan", "--json", "--set", 'model={"params":"1T"}', "--gpus", "rtx-4090", status=1).json["front"] == [], "an empty front")
    good("plan", "--set", "method=qlora", "--budget", "0.000001", status=1)
    good("plan", "--set", "method=qlora", "--deadline", "1s", status=1)


def test_limit():
    for of in ("params", "per_device_train_batch_size", "max_length"):
        a = good("limit", "--of", of, "--json", "--set", "method=lora").json
        check(a["of"] == of and a["value"] > 1, a)
        check(estimate("method=lora", **a["scenario_patch"])["memory"]["fits"], f"{of}: the limit fits")
        good("limit", "--of", of)
    a = good("limit", "--of", "per_device_train_batch_size", "--json", "--set", "method=lora").json
    check(not estimate("method=lora", per_device_train_batch_size=a["value"] + 1)["memory"]["fits"], "one more does not fit")
    good("limit", "--of", "lora.r", "--set", "method=lora")
    check(good("limit", "--of", "max_length", "--json", "--set", 'model={"params":"1T"}', status=1).json == {"of": "max_length", "value": None}, "no answer")


def scenarios_for_export():
    for method in ("full", "lora", "qlora"):
        for data, gpus in (("auto", 1), ("zero1", 4), ("zero2", 8), ("zero3", 8), ("fsdp", 16)):
            yield {"method": method, "parallelism": {"data": data}, "gpus": gpus, "gradient_checkpointing": "full", "per_device_train_batch_size": 4}
    yield {"method": "full", "parallelism": {"data": "zero3", "offload": "all"}, "gpus": 8, "optim": "adafactor", "loss": "fused", "compile": True, "compute": "fp16"}
    yield {"model": {"params": "7B"}, "method": "lora", "lora": {"target_modules": ["q_proj", "v_proj"], "dora": True, "r": 64, "dropout": 0.1}}
    yield {"model": {"config": {"model_type": "llama", "_name_or_path": "a\"b'c\\d", "hidden_size": 512, "num_hidden_layers": 2, "num_attention_heads": 8,
                                "intermediate_size": 1024, "vocab_size": 1000}}}


def test_exports_are_read_by_their_languages():
    try:
        import yaml
    except ImportError:
        yaml = None
    with tempfile.TemporaryDirectory() as folder:
        for number, scenario in enumerate(scenarios_for_export()):
            for tool in TOOLS:
                text = good("export", "-", "--to", tool, text=json.dumps(scenario)).out
                if tool in ("trainer", "trl"):
                    file = pathlib.Path(folder, f"{tool}{number}.py")
                    file.write_text(text)
                    done = subprocess.run([sys.executable, "-m", "py_compile", file], capture_output=True, check=False)
                    check(done.returncode == 0, f"{tool} {scenario}: {done.stderr.decode()[-300:]}")
                elif tool == "deepspeed":
                    check(isinstance(json.loads(text), dict), f"{tool} {scenario}")
                elif yaml:
                    check(isinstance(yaml.safe_load(text), dict), f"{tool} {scenario}")
    if not yaml:
        raise Skip("python3-yaml is not installed")


def read_python(script):
    """A training script's options by Python's own parser, as the JSON files that hold the same: {name: object}."""
    calls, constants = {}, {}
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Call):
            calls.setdefault(node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""), node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant):
            constants[node.targets[0].id] = node.value.value

    def options(call):
        out = {}
        for word in call.keywords:
            if isinstance(word.value, ast.Attribute):
                out[word.arg] = word.value.attr  # torch.bfloat16
            elif not isinstance(word.value, (ast.Call, ast.Name)):
                out[word.arg] = ast.literal_eval(word.value)
        return out

    arguments = options(calls.get("SFTConfig") or calls["TrainingArguments"])
    model = options(calls["from_pretrained"])
    if "MAX_LENGTH" in constants:
        arguments["max_length"] = constants["MAX_LENGTH"]
    scenario = {"quantization": {"prepare_kbit": "prepare_model_for_kbit_training" in calls}}
    if "BitsAndBytesConfig" in calls:
        model["quantization_config"] = options(calls["BitsAndBytesConfig"])
    files = {"scenario.json": scenario, "training_args.json": arguments | {"model_name_or_path": constants["MODEL"], "model_init_kwargs": model}}
    if "LoraConfig" in calls:
        files["adapter_config.json"] = options(calls["LoraConfig"]) | options(calls["get_peft_model"]) | {"peft_type": "LORA"}
        if not files["adapter_config.json"]["autocast_adapter_dtype"]:
            kind = calls["to"].args[0].attr if "to" in calls else model["dtype"]
            scenario["lora"] = {"adapter_dtype": {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}[kind]}
    return files


def at(scenario, path, value=None):
    *groups, last = path.split(".")
    for group in groups:
        scenario = scenario[group]
    if value is not None:
        scenario[last] = value
    return scenario[last]


def a_fine_tune(number):
    """A random Scenario that a script could train, the same for the same number."""
    pick = random.Random(number).choice
    modules = ["all-linear", "attention", ["q_proj", "v_proj"], ["q_proj", "down_proj"]]
    method = pick(["full", "lora", "qlora"])
    return {"model": pick(["meta-llama/Llama-3.1-8B", "Qwen/Qwen2.5-0.5B", "google/gemma-2-2b", "EleutherAI/pythia-1b"]), "method": method,
            "lora": {"r": pick([8, 48]), "target_modules": pick(modules), "dropout": pick([0.0, 0.1]), "dora": pick([True, False]), "adapter_dtype": pick(["fp32", "bf16"])},
            "quantization": {"double_quant": pick([True, False]), "prepare_kbit": pick([True, False])},
            "weights": pick([None, "fp32", "bf16"] if method == "full" else [None, "bf16", "int8"] if method == "lora" else [None, "nf4", "int4"]),
            "compute": pick(["bf16", "fp16", "tf32", "fp32"]), "gradients": pick([None, "fp32"]), "master_weights": pick([False, True]),
            "optim": pick(["adamw_torch", "adamw_8bit", "paged_adamw_32bit", "adafactor", "sgd", "sgd_momentum", "galore_adamw", "muon", "lion_8bit"]),
            "per_device_train_batch_size": pick([1, 4]), "max_length": pick([512, 3000]), "gradient_accumulation_steps": pick([1, 4]),
            "gradient_checkpointing": pick(["none", "full", "selective"]), "attn_implementation": pick(["eager", "sdpa", "flash_attention_2"]),
            "loss": pick(["full", "chunked", "fused", "in_place"]), "transformers": pick(["v5", "v5", "v4.57", "v4.48", "v4.45"]),
            "max_grad_norm": pick([0.0, 1.0]), "compile": pick([True, False]),
            "parallelism": {"data": pick(["auto", "ddp", "zero1", "zero2", "zero3", "fsdp"]), "offload": pick(["none", "optimizer", "all"])}, "gpus": pick([1, 4])}


def all_at_once(questions):
    """The answers of round_trips, beside the program: exports and imports without a process for each."""
    helper = PROGRAM.with_name("round_trips")
    check(helper.exists(), f"no {helper}: it is built beside the program")
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([helper], input=text.encode(), capture_output=True, env=ENVIRONMENT, timeout=120, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    check(len(answers) == len(questions), f"{len(answers)} answers to {len(questions)} questions")
    for question, answer in zip(questions, answers):
        check("error" not in answer, f"{question}: {answer}")
    return answers


def test_exports_and_imports_are_what_round_trips_says():
    """That round_trips answers as the calls do: a script, a DeepSpeed file, and the way back."""
    wanted = a_fine_tune(7)
    script, config = all_at_once([{"export": tool, "scenario": wanted} for tool in ("trl", "deepspeed")])
    check(script["text"] == good("export", "-", "--to", "trl", text=json.dumps(wanted)).out, "trl")
    check(config["text"] == good("export", "-", "--to", "deepspeed", text=json.dumps(wanted)).out, "deepspeed")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "ds_config.json")
        file.write_text(config["text"])
        check(all_at_once([{"import": {str(file): config["text"]}}])[0] == good("import", "--json", str(file)).json, "import")


def test_python_exports_lose_nothing():
    """trainer and trl: 500 Scenarios to scripts and back, compared field by field; where a field differs, by the memory that it makes.
    What a script leaves out it names in its comment, and only that may differ."""
    wanted = [a_fine_tune(number) for number in range(500)]
    originals = [answer["scenario"] for answer in all_at_once([{"import": {"scenario.json": json.dumps(one)}} for one in wanted])]
    tools = ("trainer", "trl", "deepspeed")
    exports = iter(all_at_once([{"export": tool, "scenario": one} for one in wanted for tool in tools]))
    ways, imports = [], []
    for number, original in enumerate(originals):
        texts = {tool: next(exports)["text"] for tool in tools}
        for tool in ("trainer", "trl"):
            files = read_python(texts[tool])
            left_out = set(re.findall(r"[\w.]+", " ".join(re.findall(r"# Not in this file \(([^)]*)\)", texts[tool]))))
            if "deepspeed" in files["training_args.json"]:
                files["ds_config.json"] = json.loads(texts["deepspeed"])
                about = " ".join(files["ds_config.json"]["_gpudget"])
                left_out |= {field for field in ("master_weights", "parallelism.offload") if field in about}
            ways.append((f"{tool} {number}", original, left_out))
            imports.append({"import": {name: json.dumps(value) for name, value in files.items()}})
    pairs = []
    for (way, original, left_out), answer in zip(ways, all_at_once(imports)):
        again = answer["scenario"]
        for field in left_out:
            at(again, field, at(original, field))
        for field in ("gpus", "gpu", "dataset", "epochs"):
            again[field] = original[field]
        differ = [(k, original[k], again[k]) for k in original if original[k] != again[k]]
        if differ:
            pairs.append((f"{way}: {differ}, left out {sorted(left_out)}", original, again))
    text = "\n".join(json.dumps(s) for _, *both in pairs for s in both)
    memories = [json.loads(line)["memory"] for line in good("estimate", "--ndjson", text=text).out.splitlines()]
    check(len(memories) == 2 * len(pairs), f"{len(memories)} answers for {len(pairs)} pairs")
    for m in memories:
        m.pop("ledger")
    for (what, _, _), one, other in zip(pairs, memories[::2], memories[1::2]):
        check(one == other, what)


def test_import():
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = pathlib.Path(folder, name)
            path.write_text(text)
            return str(path)
        adapter = write("adapter_config.json", '{"peft_type": "LORA", "r": 48, "target_modules": ["q_proj"], "base_model_name_or_path": "Qwen/Qwen2.5-0.5B"}')
        axolotl = write("axolotl.yaml", "base_model: Qwen/Qwen2.5-0.5B\nadapter: qlora\nlora_r: 24\nmicro_batch_size: 3\nsequence_len: 1024\nbf16: auto\nload_in_4bit: true\n")
        pipe = str(pathlib.Path(folder, "pipe"))  # as in `gpudget import <(curl …)`: what can be read only once
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pathlib.Path(pipe).write_text('{"model_type": "persimmon"}'))
        writer.start()
        check(good("import", pipe, "--json").json["scenario"]["model"]["config"]["model_type"] == "persimmon", "a pipe")
        writer.join()
        a = good("import", adapter, "--json").json
        check(a["scenario"]["lora"]["r"] == 48 and a["scenario"]["model"] == "Qwen/Qwen2.5-0.5B", a["scenario"])
        check(a["files"][0]["kind"] == "adapter_config" and a["files"][0]["read"], a["files"])
        text = good("import", adapter).out
        check("read:" in text and "assumed:" in text and "lora.adapter_dtype" in text, text)
        scenario = good("import", axolotl, "--scenario").out
        check(json.loads(scenario)["method"] == "qlora" and json.loads(scenario)["lora"]["r"] == 24, scenario)
        both = good("estimate", "--config", axolotl, "--set", "gpus=2", "--json").json
        check(both == good("estimate", "-", "--set", "gpus=2", "--json", text=scenario).json, "--config is import")
        good("plan", "--config", adapter, "--json")
        wrong("import", write("bad.yaml", "base_model: x\nmicro_batch_size: many\n"), path="micro_batch_size")
        wrong("import", write("bad.json", '{"peft_type": "IA3", "r": 8}'), path="peft_type")
        wrong("import", str(pathlib.Path(folder, "none.json")), path=str(pathlib.Path(folder, "none.json")))
        wrong("import", "--json")
        large = pathlib.Path(folder, "large.json")
        with open(large, "wb") as file:
            file.truncate(100_000_000)
        started = time.monotonic()
        wrong("import", str(large), path=str(large), has="large")
        check(time.monotonic() - started < 30, "100 MB are refused without being read")


def test_exports_say_what_changes_memory():
    scenario = json.dumps({"method": "lora", "lora": {"r": 48}, "per_device_train_batch_size": 7, "max_length": 3072, "gradient_accumulation_steps": 5})
    for tool in ("trl", "axolotl", "llamafactory", "torchtune"):
        text = good("export", "-", "--to", tool, text=scenario).out
        for figure in ("48", "7", "3072", "5"):
            check(re.search(rf"\b{figure}\b", text), f"{tool} does not say {figure}")


def test_course():
    everything = good("course", "--json").json
    for table in TABLES:
        check(table in everything, table)
        check(good("course", table, "--json").json, table)
        check(len({good("course", table, "--lang", lang).out for lang in ("en", "pt", "fr")}) >= 2, f"{table} in three languages")
    good("course")


def test_list():
    for kind, least in (("models", 100), ("gpus", 60), ("prices", 30), ("optimizers", 15)):
        rows = good("list", kind, "--json").json
        check(len(rows) >= least, f"{len(rows)} {kind}")
        lines = good("list", kind).out.splitlines()
        check(len(lines) == len(rows) + 1, f"{kind}: {len(lines)} lines for {len(rows)} rows")
    for gpu in good("list", "gpus", "--json").json:
        check(gpu["id"] and gpu["memory_bytes"] > 0, gpu)


def test_every_listed_name_is_accepted():
    lines = [json.dumps({"model": m["id"]}) for m in good("list", "models", "--json").json]
    lines += [json.dumps({"gpu": g["id"]}) for g in good("list", "gpus", "--json").json]
    lines += [json.dumps({"optim": o["id"]}) for o in good("list", "optimizers", "--json").json]
    answers = good("estimate", "--ndjson", text="\n".join(lines)).out.splitlines()
    check(len(answers) == len(lines), f"{len(answers)} answers to {len(lines)} lines")
    for line, answer in zip(lines, answers):
        check(json.loads(answer)["memory"]["per_gpu"]["device"] > 0, line)


def test_vram():
    a = good("vram", "--json").json
    check(isinstance(a["gpus"], list), a)
    good("vram")


def test_validate():
    both = good("validate", "--json").json
    speed, memory = both["throughput"], both["memory"]
    check(len(memory["rows"]) >= 100 and all(r["measured"] > 0 and r["predicted"] > 0 for r in memory["rows"]), "memory's rows")
    check(len(speed["rows"]) >= 100 and all(r["measured"] > 0 and r["predicted"] > 0 and r["source"] for r in speed["rows"]), "rows with their source")
    judged = sorted(abs(r["left_out"] / r["measured"] - 1) for r in speed["rows"] if r["judged"])
    check(speed["all"]["rows"] == len(judged) and judged[0] <= speed["all"]["median"] <= judged[-1], "the statistics are of the judged rows")
    check(len({good("validate", "--lang", lang).out for lang in ("en", "pt", "fr")}) == 3, "three languages")


# Bad input --------------------------------------------------------------------------------------------------------------------------------------------------

BAD = [
    ("{", "standard input", "not valid JSON"), ("", "standard input", ""), ("[1]", "standard input", "a list"), ("nul", "standard input", ""),
    ('{"a": 1}', "a", "unknown field"), ('{"max_len": 3}', "max_len", "did you mean 'max_length'?"), ('{"lora": 3}', "lora", "object"),
    ('{"method": "full", "method": "lora"}', "method", "twice"), ('{"model": {"config": {}}}', "model.config.model_type", "missing"),
    ('{"model": {"params": 1e300}}', "model.params", "range"), ('{"model": {"params": "0B"}}', "model.params", "range"),
    ('{"model": {"params": "-7B"}}', "model.params", ""), ('{"model": "meta-llama/Llama-3.1-8"}', "model", "meta-llama/Llama-3.1-8B"),
    ('{"model": {"config": {"model_type": "llamma"}}}', "model.config.model_type", "llama"),
    ('{"dataset": {"tokens": 5, "examples": 3}}', "dataset.tokens", "contradicts"), ('{"parallelism": {"tensor": 2.5}}', "parallelism.tensor", "integer"),
    ('{"gpu": {"memory_gib": 0}}', "gpu.memory_gib", "range"), ('{"gpu": {"name": "x"}}', "gpu.memory_gib", "missing"),
    ('{"gpu": {"memory_gib": 8, "nam": 1}}', "gpu.nam", "name"), ('{"gpu": "a100-80gb-sx"}', "gpu", "a100-80gb-sxm"), ('{"max_length": null}', "max_length", "null"),
    ('{"max_length": -1}', "max_length", "range"), ('{"max_length": 0}', "max_length", "range"), ('{"gpus": 9223372036854775807}', "gpus", "range"),
    ('{"gpus": 18446744073709551616}', "gpus", "range"), ('{"gpus": 1e999}', "gpus", "range"), ('{"gpus": "4"}', "gpus", "text"),
    ('{"epochs": true}', "epochs", "true"), ('{"lora": {"target_modules": ["q_prj"]}}', "lora.target_modules", "q_proj"),
    ('{"lora": {"target_modules": []}}', "lora.target_modules", "empty"), ('{"lora": {"dropout": 1.5}}', "lora.dropout", "range"),
    ('{"price": {"provider": "nobody"}}', "price.provider", "course"), ('{"price": {"usd_per_gpu_hour": -1}}', "price.usd_per_gpu_hour", "range"),
    ('{"optim": "adamw"}', "optim", "one of"), ('{"throughput": 0}', "throughput", "range"), ('{"model_type": "llama"}', "model_type", "config.json"),
    ('{"gpus": NaN}', None, ""), ('{"gpus": Infinity}', None, ""), ('{"gpus": 0x10}', None, ""), ("{'gpus': 1}", None, ""), ('{"gpus": 1} x', None, ""),
    ('{"weights": "fp8"}', "weights", "one of"), ('{"compile": 1}', "compile", "true or false"), ("\ufeff{", None, ""), ('{"model": {"params": "7B", "config": {}}}', "model.params", "contradicts"),
]


def test_bad_scenarios_name_field_and_remedy():
    for text, path, has in BAD:
        wrong("estimate", "-", text=text, path=path, has=has)
        wrong("estimate", "-", "--json", text=text, path=path)
    for call in (("limit", "-", "--of", "params"), ("plan", "-"), ("export", "-", "--to", "trl")):
        wrong(*call, text='{"max_len": 3}', path="max_len")


def test_hostile_input_is_refused_quickly():
    started = time.monotonic()
    wrong("estimate", "-", text=b" " * 50_000_000, has="too large")
    wrong("estimate", "-", text=b'{"model": "' + b"x" * 50_000_000, has="too large")
    wrong("estimate", "-", text=b"[" * 4_000_000, has="deep")
    wrong("estimate", "-", text=b'{"lora":' * 500_000, has="")
    wrong("estimate", "-", text=b'{"' + b"a" * 1_000_000 + b'": 1}', has="unknown field")
    wrong("estimate", "-", text=b'{"gpus": ' + b"1" * 1_000_000 + b"}")
    wrong("estimate", "-", text=b"\x00\xff\xfe" * 1000)
    wrong("estimate", "-", text=b'{"model": "\xff\xfe"}')
    wrong("estimate", "-", text=b'{"model": "\\ud800"}')
    wrong("estimate", "--set", "model=" + "x" * 100_000, path="model")
    wrong("estimate", "--set", "lora.r=" + "9" * 100_000, path="lora.r")
    wrong("estimate", "--set", "x" * 100_000 + "=1")
    check(time.monotonic() - started < 60, "hostile input took more than a minute")


def test_truncated_anywhere():
    text = json.dumps({"model": {"config": {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008,
                                            "vocab_size": 32000}}, "method": "lora", "lora": {"target_modules": ["q_proj", "v_proj"]}, "gpus": 2})
    good("estimate", "-", text=text)
    for length in range(1, len(text), 7):
        wrong("estimate", "-", text=text[:length])


def test_extremes_are_finite():
    lines = [json.dumps(s) for s in (
        {"model": {"params": "100T"}, "gpus": 1_000_000, "per_device_train_batch_size": 1_000_000, "max_length": 100_000_000, "gradient_accumulation_steps": 1_000_000},
        {"dataset": {"tokens": 10**15}, "epochs": 1_000_000, "runs": 1_000_000}, {"dataset": {"examples": 10**12, "tokens_per_example": 10**9}, "runs": 1_000_000},
        {"throughput": 1e-3}, {"throughput": 1e12}, {"gpu": {"memory_gib": 1}}, {"gpu": {"memory_gib": 1e6, "bf16_tflops": 0}}, {"model": {"params": "1M"}},
        {"parallelism": {"tensor": 65536, "pipeline": 65536, "context": 65536, "expert": 65536}}, {"lora": {"r": 65536}, "method": "lora"})]
    out = good("estimate", "--ndjson", text="\n".join(lines)).out
    for line in out.splitlines():
        e = json.loads(line, parse_constant=lambda c: check(False, f"{c} in {line[:200]}"))
        m = e["memory"]
        check(0 < m["per_gpu"]["device"] < 2**63 and sum(m["categories"].values()) == m["per_gpu"]["device"], line[:300])
        check(all(isinstance(v, (int, float)) and v >= 0 for v in (e["time"]["seconds"], e["cost"]["usd"], e["compute"]["step_seconds"])), line[:300])


# Streams and terminals --------------------------------------------------------------------------------------------------------------------------------------

def test_ndjson():
    text = '{"gpus": 2}\n\n{"max_len": 3}\nnot json\r\n{"gpus": 4}'
    a = run("estimate", "--ndjson", text=text)
    rows = [json.loads(line) for line in a.out.splitlines()]
    check(a.status == 2 and "2 of" in a.err, f"{a.status} {a.err}")
    check(len(rows) == 4, f"{len(rows)} rows")
    check(rows[0]["memory"] == estimate(gpus=2)["memory"] and rows[3] == estimate(gpus=4), "answers in order")
    check(rows[1]["line"] == 3 and rows[1]["error"]["path"] == "max_len", rows[1])
    check(rows[2]["line"] == 4, rows[2])
    check(json.loads(good("estimate", "--ndjson", "--set", "method=lora", text="{}").out) == estimate("method=lora"), "--set under each line")
    check(json.loads(good("estimate", "--ndjson", "--check", "--set", "gpu=rtx-4090", text="{}", status=1).out)["memory"]["fits"] is False, "--check")
    wrong("estimate", "--ndjson", "nofile.jsonl", path="nofile.jsonl")


def test_ndjson_streams():
    with subprocess.Popen([PROGRAM, "estimate", "--ndjson"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        for gpus in (1, 2, 3):
            process.stdin.write(b'{"gpus": %d}\n' % gpus)
            process.stdin.flush()
            check(select.select([process.stdout], [], [], 10)[0], "an answer before the end of the input")
            check(b'"memory"' in process.stdout.readline(), "an Estimate")
        process.stdin.close()
        check(process.wait(10) == 0, "status")


def test_ndjson_is_flat():
    count = 20_000
    text = b"".join(b'{"gpus":%d,"max_length":%d}\n' % (i % 8 + 1, i % 4096 + 1) for i in range(count))
    out = subprocess.run(["/usr/bin/env", "bash", "-c", f"ulimit -v 200000; exec '{PROGRAM}' estimate --ndjson"], input=text, capture_output=True, env=ENVIRONMENT, check=True).stdout
    check(out.count(b"\n") == count, "an answer a line")


def terminal(*words, environment=None, columns=80):
    master, slave = pty.openpty()
    import fcntl
    import struct
    import termios
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *words], stdin=slave, stdout=slave, stderr=slave, env=ENVIRONMENT | (environment or {}), close_fds=True)
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(master)
    return process.wait(10), out.decode()


def test_terminal():
    status, out = terminal("estimate")  # no FILE on a terminal: the defaults
    check(status == 0 and "Llama 3.1 8B" in out, "the defaults on a terminal")
    check("\x1b[" in out, "colours on a terminal")
    check("\x1b" not in terminal("estimate", environment={"NO_COLOR": "1"})[1], "NO_COLOR")
    check("\x1b" not in terminal("estimate", environment={"TERM": "dumb"})[1], "a dumb terminal")
    for columns in (40, 60, 120):
        for call in (("estimate",), ("list", "models"), ("plan", "--set", "method=qlora")):
            for line in terminal(*call, columns=columns)[1].splitlines():
                plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
                check(len(plain) <= columns or call != ("list", "models"), f"{columns} columns, {call}: {plain!r}")


def test_output_that_cannot_be_written():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    for call in (["list", "models"], ["estimate"], ["estimate", "--json"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, *call], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
        check(done.returncode == 2 and done.stderr.startswith(b"gpudget: error: standard output"), f"{call}: {done.returncode} {done.stderr}")


def test_completion():
    for shell, sample in (("bash", "complete "), ("zsh", "#compdef gpudget"), ("fish", "complete -c gpudget")):
        text = good("completion", shell).out
        check(sample in text and "estimate" in text and "--set" in text or shell == "fish" and "-l set" in text, f"{shell}: {text[:200]}")
    bash = good("completion", "bash").out
    done = subprocess.run(["bash", "-c", bash + '\nCOMP_WORDS=(gpudget li) COMP_CWORD=1; _gpudget; echo "${COMPREPLY[@]}"\n'
                           'COMP_WORDS=(gpudget export --to tr) COMP_CWORD=3; _gpudget; echo "${COMPREPLY[@]}"\n'
                           'COMP_WORDS=(gpudget list "") COMP_CWORD=2; _gpudget; echo "${COMPREPLY[@]}"'], capture_output=True, check=False)
    check(done.stdout.decode().split("\n")[:3] == ["limit list", "trainer trl", "gpus models optimizers prices"], done.stdout.decode() + done.stderr.decode())
    wrong("completion", "tcsh", path="SHELL", has="fish")


def test_man():
    page = good("man").out
    check(page.startswith(".TH GPUDGET 1") and ".SH EXIT STATUS" in page and "per_device_train_batch_size" in page, page[:200])
    for call in CALLS:
        check(f"gpudget {call}" in page, f"{call} is not in the man page")


# The runner -------------------------------------------------------------------------------------------------------------------------------------------------

def main():
    passed = failed = skipped = 0
    only = sys.argv[2:]
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_") and (not only or n in only)]:
        try:
            test()
            passed += 1
        except Skip as reason:
            skipped += 1
            print(f"skipped: {name}: {reason}")
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED: {name}: {type(error).__name__}: {error}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    if not PROGRAM.exists():
        print(f"no program {PROGRAM}: cmake --workflow --preset native")
        sys.exit(1)
    sys.exit(main())
