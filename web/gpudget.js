// gpudget as a JavaScript module: plain objects in and out, errors as GpudgetError. Works in a page, a worker and Node.js.
//
//   import { load } from "./gpudget.js";
//   const g = await load();
//   g.estimate({ model: "meta-llama/Llama-3.1-8B", method: "qlora" }).memory.per_gpu.device;
//
// The calculator is gpudget-core.wasm, which lies beside this file; types are in gpudget.d.ts.

export class GpudgetError extends Error {
  constructor(path, message) {
    super(message);
    this.name = "GpudgetError";
    this.path = path;
  }
}

const most = 16 << 20;  // bytes of one call's input; a Scenario's own limit is lower, and said by the calculator

// The compiled program from a URL, bytes, a Response, or a module that is compiled already; by default the file beside this one.
async function compile(source = new URL("./gpudget-core.wasm", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (String(source).startsWith("file:") && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(new URL(source)));
  }
  const response = await (source instanceof Promise || (globalThis.Response && source instanceof Response) ? source : fetch(source));
  if (!response.ok) throw new Error(`gpudget-core.wasm could not be loaded: ${response.status} ${response.url}`);
  // A server that does not know the type application/wasm must not be the end.
  if (WebAssembly.compileStreaming && /^application\/wasm\b/.test(response.headers.get("content-type") ?? "")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

// The program asks nothing of the world but to grow its memory: whatever else the C library names is answered "not there".
function importsOf(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = name === "proc_exit" || name === "abort" ? () => { throw new WebAssembly.RuntimeError(name); } : () => 52;
  }
  return imports;
}

// What the program's own reader, which knows JSON and GGUF, leaves to the reader of YAML.
const isYaml = (name, text) => !/\.json$/.test(name) && !text.startsWith("GGUF") && !/^[ \t\r\n\ufeff]*([[{]|$)/.test(text.slice(0, 4096));

// JSON would turn NaN and Infinity into null, which means "predicted" or "default" in some fields.
function refuseWhatJsonLoses(value, path) {
  if (typeof value === "number" && !Number.isFinite(value)) throw new GpudgetError(path, `${value} does not fit here (a finite number)`);
  if (value !== null && typeof value === "object")
    for (const [key, inner] of Object.entries(value)) refuseWhatJsonLoses(inner, path === "" ? key : `${path}.${key}`);
}

function toJson(value, what) {
  if (value === undefined) return "{}";
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new GpudgetError("", `${what} is not plain data: ${error.message} (an object of texts, numbers, true, false, null, lists)`);
  }
  if (text === undefined) throw new GpudgetError("", `${what} is a ${typeof value} (an object)`);
  if (text.includes("null")) refuseWhatJsonLoses(value, "");
  return text;
}

function toText(value, path) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new GpudgetError(path, `${typeof value} does not fit here (a text)`);
  return value;
}

export async function load(source) {
  const module = await compile(source);
  const imports = importsOf(module);
  const start = (instance) => {
    instance.exports._initialize?.();
    return instance.exports;
  };
  let core = start(await WebAssembly.instantiate(module, imports));
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  let room = 0, input = 0;

  // Writes the texts one after the other, calls, reads the answer.
  function call(name, ...texts) {
    if (core === null) core = start(new WebAssembly.Instance(module, imports));
    let needed = 0;
    for (const text of texts) needed += text.length * 3;
    if (needed > 3 * most) throw new GpudgetError("", `too large: ${Math.round(needed / 3)} characters (at most ${most})`);
    try {
      if (needed > room) {
        room = Math.max(needed, 4096);
        input = core.gpudget_input(room);
      }
      const bytes = new Uint8Array(core.memory.buffer, input, room), sizes = [];
      let at = 0;
      for (const text of texts) {
        const { written } = encoder.encodeInto(text, bytes.subarray(at));
        at += written;
        sizes.push(written);
      }
      const failed = core[name](...sizes);
      const answer = JSON.parse(decoder.decode(new Uint8Array(core.memory.buffer, core.gpudget_answer(), core.gpudget_answer_size())));
      if (failed) throw new GpudgetError(answer.path, answer.message);
      return answer;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {  // out of memory: this instance is lost, the next call gets a fresh one
        core = null;
        room = 0;
        throw new GpudgetError("", `the calculator ran out of memory (${error.message})`);
      }
      throw error;
    }
  }

  // The program's other half, where it has one: gpudget-import.wasm, which reads other tools' files.
  let half = null, readerOf = null;
  async function reader() {
    if (!WebAssembly.Module.imports(module).some((one) => one.module === "placeholder")) return;
    half ??= await compile(new URL("./gpudget-import.wasm", import.meta.url));
    if (core === null) core = start(new WebAssembly.Instance(module, imports));
    if (readerOf === core) return;
    readerOf = core;
    await WebAssembly.instantiate(half, { primary: core });
  }

  return Object.freeze({
    version: call("gpudget_version"),
    estimate: (scenario, { lang } = {}) => call("gpudget_estimate", toJson(scenario, "scenario"), toText(lang, "lang")),
    plan: (scenario, options) => call("gpudget_plan", toJson(scenario, "scenario"), toJson(options, "options")),
    limit: (scenario, { of } = {}) => call("gpudget_limit", toJson(scenario, "scenario"), toText(of, "of")),
    export: (scenario, { to, link } = {}) => call("gpudget_export", toJson(scenario, "scenario"), toText(to, "to"), toText(link, "link")),
    course: (table, { lang } = {}) => call("gpudget_course", toText(table, "table"), toText(lang, "lang")),
    list: (kind) => call("gpudget_list", toText(kind, "kind")),
    scenario: (partial) => call("gpudget_scenario", toJson(partial, "scenario")),
    link: (scenario) => call("gpudget_link", toJson(scenario, "scenario")),
    readLink: (text) => call("gpudget_read_link", toText(text, "s")),
    schema: () => call("gpudget_schema"),
    async importConfig(text, { name = "", base } = {}) {
      let json = toText(text, "text");
      if (isYaml(toText(name, "name"), json)) {
        await import("./gpudget-yaml.js");
        try {
          json = globalThis.gpudgetYaml.toJson(json);
        } catch (error) {
          throw new GpudgetError(name || "text", error.message);
        }
      }
      await reader();
      return call("gpudget_import", json, name, toJson(base, "base"));
    },
  });
}
