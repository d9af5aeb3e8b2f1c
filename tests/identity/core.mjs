// gpudget-core.wasm called without gpudget.js, so that the bytes it answers with can be seen.
import { readFileSync } from "node:fs";

export async function rawCore(file) {
  const module = await WebAssembly.compile(readFileSync(file));
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 52;
  const { exports: core } = await WebAssembly.instantiate(module, imports);
  core._initialize?.();
  return (name, ...texts) => {
    const parts = texts.map((text) => Buffer.from(text)), all = Buffer.concat(parts);
    const at = core.gpudget_input(all.length);
    new Uint8Array(core.memory.buffer).set(all, at);
    const failed = core[name](...parts.map((part) => part.length));
    return { failed, text: Buffer.from(core.memory.buffer, core.gpudget_answer(), core.gpudget_answer_size()).toString() };
  };
}
