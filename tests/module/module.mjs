// The module as its users meet it. SITE: build/web/site.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const site = resolve(process.argv[2] ?? join(here, "../../build/web/site"));
for (const name of ["gpudget.js", "gpudget-core.wasm", "gpudget.d.ts"])
  if (!existsSync(join(site, name))) {
    console.log(`no ${join(site, name)}: cmake --workflow --preset web`);
    process.exit(1);
  }
const url = pathToFileURL(join(site, "gpudget.js")).href;
const { load, GpudgetError } = await import(url);
const g = await load();

const throws = (path, has, call) => {
  assert.throws(call, (error) => {
    assert.ok(error instanceof GpudgetError && error instanceof Error, `${error}`);
    assert.equal(error.path, path);
    assert.ok(error.message.includes(has), `'${has}' is not in '${error.message}'`);
    return true;
  });
};

const tests = {
  "estimate answers with the contract's object"() {
    const e = g.estimate({});
    assert.deepEqual(e, g.estimate());
    assert.equal(Object.values(e.memory.categories).reduce((a, b) => a + b), e.memory.per_gpu.device);
    assert.equal(e.model.parameters, 8030261248);
    assert.equal(e.time.training_tokens, 15360000);
    assert.equal(g.estimate({ method: "qlora" }).memory.fits, true);
    assert.notEqual(g.estimate({}, { lang: "fr" }).memory.ledger[0], undefined);
  },
  "plan, limit, export, course, list, version"() {
    const plan = g.plan({ method: "qlora" }, { gpus: ["rtx-4090", "a100-80gb-sxm"], max_gpus: 2 });
    assert.ok(plan.front.length > 0);
    assert.equal(g.estimate(plan.front[0].scenario).memory.fits, true);
    const limit = g.limit({ method: "lora" }, { of: "max_length" });
    assert.equal(g.estimate({ method: "lora", ...limit.scenario_patch }).memory.fits, true);
    assert.deepEqual(g.limit({ model: { params: "1T" } }, { of: "max_length" }), { of: "max_length", value: null });
    for (const to of ["trainer", "trl", "deepspeed", "accelerate", "torchtune", "axolotl", "llamafactory"]) {
      const file = g.export({ gpus: 2 }, { to });
      assert.ok(file.text.endsWith("\n") && file.name && file.mime && file.command);
    }
    for (const table of ["full_finetune", "single_gpu", "multi_gpu", "throughput", "time", "prices", "cost", "estimate_memory"]) assert.ok(g.course(table));
    assert.ok(g.course().cost);
    assert.ok(g.list("models").length >= 100 && g.list("gpus").length >= 60 && g.list("prices").length > 20 && g.list("optimizers").length > 10);
    assert.match(g.version, /^\d+\.\d+\.\d+$/);
  },
  "a partial scenario is completed; links go there and back"() {
    const whole = g.scenario({ gpus: 4, lora: { r: 8 } });
    assert.equal(whole.gpus, 4);
    assert.equal(whole.lora.dropout, 0);
    assert.deepEqual(g.scenario(whole), whole);
    assert.deepEqual(g.readLink(g.link({ gpus: 4, lora: { r: 8 } })), whole);
    assert.equal(g.schema().find((f) => f.path === "gpus").default, 1);
  },
  async "importConfig reads other tools' files, YAML as JSON"() {
    const settings = { base_model: "meta-llama/Llama-3.1-8B", adapter: "qlora", load_in_4bit: true, lora_r: 32, sequence_len: 4096, micro_batch_size: 2, wandb_project: "x" };
    const yaml = "# a run\nbase_model: meta-llama/Llama-3.1-8B\nadapter: qlora\nload_in_4bit: yes\nlora_r: 32\nsequence_len: 4096\nmicro_batch_size: 2\nwandb_project: x\n";
    const [a, b] = [await g.importConfig(JSON.stringify(settings), { name: "run" }), await g.importConfig(yaml, { name: "run" })];
    assert.deepEqual(a, b);
    assert.deepEqual([a.kind, a.scenario.method, a.scenario.lora.r, a.scenario.max_length], ["axolotl", "qlora", 32, 4096]);
    assert.deepEqual(a.ignored, ["wandb_project"]);
    assert.ok(a.read.includes("lora_r: lora.r = 32"), a.read.join("; "));
    assert.equal((await g.importConfig('{"gpus": 2}', { base: { method: "lora" } })).scenario.method, "lora");
    const refused = (path, has, text, name) => assert.rejects(g.importConfig(text, { name }), (error) => {
      assert.ok(error instanceof GpudgetError, `${error}`);
      assert.equal(error.path, path);
      assert.ok(error.message.includes(has), `'${has}' is not in '${error.message}'`);
      return true;
    });
    await refused("x.yaml", "line 2", "base_model: a\nbase_model: b\n", "x.yaml");
    await refused("adapter", "ia3", "base_model: a\nadapter: ia3\n", "x.yaml");
    await refused("x.yaml", "deeply", `a: ${"[".repeat(100_000)}`, "x.yaml");
    await refused("x.yaml", "at most", `a: ${"b".repeat(2 << 20)}`, "x.yaml");
    await refused("text", "second document", "a: 1\n---\nb: 2\n");
  },
  "errors are GpudgetError with the path and the remedy"() {
    throws("max_len", "did you mean 'max_length'?", () => g.estimate({ max_len: 1 }));
    throws("lora.r", "from 1 to", () => g.estimate({ lora: { r: 0 } }));
    throws("model", "meta-llama/Llama-3.1-8B", () => g.estimate({ model: "meta-llama/Llama-3.1-8" }));
    throws("gpus", "no GPU", () => g.plan({}, { gpus: ["b9000"] }));
    throws("deadline", "24h", () => g.plan({}, { deadline: "soon" }));
    throws("of", "max_length", () => g.limit({}, { of: "width" }));
    throws("of", "one of", () => g.limit({}));
    throws("of", "method", () => g.limit({}, { of: "lora.r" }));
    throws("to", "axolotl", () => g.export({}, { to: "x" }));
    throws("method", "lora", () => g.export({ method: "inference" }, { to: "trl" }));
    throws("table", "cost", () => g.course("x"));
    throws("kind", "gpus", () => g.list("x"));
    throws("lang", "fr", () => g.estimate({}, { lang: "de" }));
    throws("s", "damaged", () => g.readLink("1x"));
    assert.equal(new GpudgetError("a", "b").name, "GpudgetError");
  },
  "what JSON would lose or cannot hold is refused"() {
    throws("throughput", "finite", () => g.estimate({ throughput: NaN }));
    throws("price.usd_per_gpu_hour", "finite", () => g.estimate({ price: { usd_per_gpu_hour: Infinity } }));
    throws("", "JSON object", () => g.estimate(3));
    throws("", "JSON object", () => g.estimate([]));
    throws("", "JSON object", () => g.estimate(null));
    throws("", "function", () => g.estimate(() => 1));
    throws("", "plain data", () => g.estimate({ gpus: 1n }));
    const circular = {};
    circular.model = circular;
    throws("", "plain data", () => g.estimate(circular));
    throws("kind", "text", () => g.list(3));
    assert.deepEqual(g.estimate({ gpus: undefined, throughput: null }), g.estimate({}));
  },
  "hostile input: an error, quickly, and the next call works"() {
    const started = performance.now();
    throws("", "too large", () => g.estimate({ model: "x".repeat(50_000_000) }));
    throws("", "too large", () => g.estimate({ model: "é".repeat(6_000_000) }));
    throws("model", "no model", () => g.estimate({ model: "x".repeat(1_000_000) }));
    throws("model", "no model", () => g.estimate({ model: "\u0000<script>" }));
    throws("", "not valid JSON", () => g.estimate({ model: "\ud800" }));
    throws("gpus", "range", () => g.estimate({ gpus: 1e300 }));
    let deep = {};
    for (let i = 0; i < 3000; i++) deep = { lora: deep };
    assert.throws(() => g.estimate(deep), GpudgetError);
    throws("s", "damaged", () => g.readLink("1" + "A".repeat(1_000_000)));
    assert.equal(g.estimate().model.parameters, 8030261248);
    assert.ok(performance.now() - started < 60_000);
  },
  "the prototype cannot be polluted, and the module's object is frozen"() {
    assert.throws(() => g.estimate(JSON.parse('{"__proto__": {"gpus": 2}}')), GpudgetError);
    assert.equal({}.gpus, undefined);
    assert.ok(Object.isFrozen(g));
  },
  "memory does not grow with calls"() {
    for (let i = 0; i < 200; i++) g.estimate({ max_length: i + 1 });
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    for (let i = 0; i < 3000; i++) g.estimate({ max_length: i + 1, gpus: (i % 8) + 1 });
    assert.ok(process.memoryUsage().arrayBuffers + process.memoryUsage().external - before < 8e6);
  },
  async "loads from bytes, a compiled module, a file URL, and a server with or without the right type"() {
    const bytes = readFileSync(join(site, "gpudget-core.wasm"));
    const answer = g.estimate();
    for (const source of [bytes, new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes), pathToFileURL(join(site, "gpudget-core.wasm"))])
      assert.deepEqual((await load(source)).estimate(), answer);
    const server = createServer((request, response) => {
      if (request.url === "/none.wasm") return response.writeHead(404).end();
      response.writeHead(200, { "content-type": request.url === "/right.wasm" ? "application/wasm" : "application/octet-stream" }).end(bytes);
    }).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const base = `http://127.0.0.1:${server.address().port}`;
    try {
      for (const name of ["right", "wrong"]) assert.deepEqual((await load(`${base}/${name}.wasm`)).estimate(), answer);
      assert.deepEqual((await load(fetch(`${base}/right.wasm`))).estimate(), answer);
      await assert.rejects(load(`${base}/none.wasm`), /404/);
    } finally {
      server.close();
      server.closeAllConnections?.();
    }
  },
  async "works in a worker, and two instances do not meet"() {
    const worker = new Worker(`import(${JSON.stringify(url)}).then(async ({ load }) => require("node:worker_threads").parentPort.postMessage((await load()).estimate({ gpus: 2 })))`, { eval: true });
    const answer = await new Promise((done, fail) => worker.once("message", done).once("error", fail));
    await worker.terminate();
    assert.deepEqual(answer, g.estimate({ gpus: 2 }));
    const other = await load();
    throws("x", "unknown", () => other.estimate({ x: 1 }));
    assert.deepEqual(g.estimate({ gpus: 2 }), other.estimate({ gpus: 2 }));
  },
  "needs nothing of the page: no document, no eval, few imports, small"() {
    const source = readFileSync(join(site, "gpudget.js"), "utf8");
    assert.doesNotMatch(source, /\beval\b|new Function|document\.|window\./);
    const bytes = readFileSync(join(site, "gpudget-core.wasm"));
    assert.ok(!bytes.includes("ImGui"), "no interface inside");
    const size = gzipSync(bytes, { level: 9 }).length;
    console.log(`  gpudget-core.wasm: ${(bytes.length / 1000).toFixed(0)} kB, ${(size / 1000).toFixed(0)} kB gzipped`);
    assert.ok(size < 260_000);
  },
  "is a package: npm pack, installed and imported by its name"() {
    const module = resolve(site, "../module");
    if (!existsSync(module)) return "no build/web/module";
    const folder = mkdtempSync(join(tmpdir(), "gpudget-"));
    try {
      const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: module, encoding: "utf8" });
      if (packed.error) return "no npm";
      assert.equal(packed.status, 0, packed.stderr);
      const [{ files, filename }] = JSON.parse(packed.stdout);
      assert.deepEqual(files.map((f) => f.path).sort(), ["LICENSE", "README.md", "gpudget-core.wasm", "gpudget-import.wasm", "gpudget-yaml.js", "gpudget.d.ts", "gpudget.js", "package.json"]);
      const installed = join(folder, "node_modules/gpudget");
      mkdirSync(installed, { recursive: true });
      assert.equal(spawnSync("tar", ["xzf", join(folder, filename), "-C", installed, "--strip-components=1"]).status, 0);
      writeFileSync(join(folder, "a.mjs"), 'import { load } from "gpudget"; console.log((await load()).estimate().model.parameters);');
      const done = spawnSync(process.execPath, ["a.mjs"], { cwd: folder, encoding: "utf8" });
      assert.equal(done.stdout, "8030261248\n", done.stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  "the README's example does what it says"() {
    const readme = resolve(here, "../../web/README.md");
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, "utf8"))[1].replace('"gpudget"', JSON.stringify(url));
    const done = spawnSync(process.execPath, ["--input-type=module", "-e", example], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stdout, /^(true|false) \d+\n[\d.]+ [\d.]+\ntrue max_len unknown field \(did you mean 'max_length'\?\)\n$/);
  },
  "its types accept what is right and refuse what is wrong"() {
    const tsc = join(here, "node_modules/typescript/bin/tsc");
    if (!existsSync(tsc)) return "typescript is not installed";
    const folder = join(here, "../../build/module-types"), installed = join(folder, "node_modules/gpudget");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    for (const name of ["gpudget.js", "gpudget.d.ts"]) cpSync(join(site, name), join(installed, name));
    cpSync(resolve(here, "../../web/package.json"), join(installed, "package.json"));
    for (const name of ["types.ts", "tsconfig.json"]) cpSync(join(here, name), join(folder, name));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const done = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stdout);
  },
  async "importConfig answers as the command line does, for every tool's YAML"() {
    const program = process.env.GPUDGET || join(here, "../../build/native/gpudget");
    if (!existsSync(program)) return `no ${program}`;
    const corpus = join(here, "../fuzz/corpus/import"), texts = readdirSync(corpus).filter((name) => /^(accelerate|axolotl|llamafactory|torchtune|alias)/.test(name)).map((name) => readFileSync(join(corpus, name), "utf8"));
    for (const scenario of [{ method: "qlora" }, { gpus: 8, parallelism: { data: "zero3" } }, { method: "lora", gpus: 2, parallelism: { data: "fsdp" } }])
      for (const to of ["accelerate", "axolotl", "llamafactory", "torchtune"]) texts.push(g.export(scenario, { to }).text);
    texts.push("base_model: &m meta-llama/Llama-3.1-8B\nadapter: lora\nlora_r: 0x10\n", "num_processes: 012\n", "base_model: a\nload_in_8bit: On\nadapter: 'lora'\nmicro_batch_size: \"2\"\n");
    const folder = mkdtempSync(join(tmpdir(), "gpudget-import-")), file = join(folder, "run.yaml");
    try {
      for (const text of texts) {
        writeFileSync(file, text);
        const { status, stdout, stderr } = spawnSync(program, ["import", "--json", file], { encoding: "utf8" });
        const ours = await g.importConfig(text, { name: file }).catch((error) => error);
        if (status !== 0) {
          assert.ok(ours instanceof GpudgetError, `the command line refuses this:\n${text}\n${stderr}`);
          assert.ok(stderr.includes(`${ours.path}: `), `${stderr} but ${ours.path}: ${ours.message}`);
          continue;
        }
        const { scenario, files } = JSON.parse(stdout);
        assert.deepEqual(ours, { scenario, ...files[0] }, text);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  "its types name every choice of the schema"() {
    const types = readFileSync(join(site, "gpudget.d.ts"), "utf8");
    for (const field of g.schema()) {
      assert.match(types, new RegExp(`\\b${field.path.split(".").at(-1)}\\?:`), field.path);
      for (const choice of field.choices ?? []) assert.ok(types.includes(`"${choice}"`), `${field.path}: ${choice}`);
    }
  },
};

let passed = 0, failed = 0, skipped = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    const reason = await test();
    if (typeof reason === "string") {
      skipped++;
      console.log(`skipped: ${name}: ${reason}`);
    } else {
      passed++;
    }
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed || !passed ? 1 : 0);
