// node web/site.mjs SITE WEB BUILD JS_YAML [BINARYEN]: assembles the static site from the files of web/ and what the build made. Names in the page carry the version (a hash of
// everything), so that no cache mixes two of them; the offline page has everything inside; each file is there compressed as well.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as halves from "./split.mjs";

const [site, web, build, yaml, tools] = process.argv.slice(2);
if (!yaml) {
  console.error("site.mjs SITE WEB BUILD JS_YAML [BINARYEN]");
  process.exit(2);
}
const text = (folder, name) => readFileSync(join(folder, name), "utf8");
const files = new Map(), moduleFiles = new Map();  // name in the site -> content

// The page --------------------------------------------------------------------------------------------------------------------------------------------------
const languages = readdirSync(join(web, "../assets/i18n")).filter((f) => f.endsWith(".json")).map((f) => f.slice(0, -5)).sort();
const messages = Object.fromEntries(languages.map((l) => [l, JSON.parse(text(join(web, "../assets/i18n"), `${l}.json`))]));
const words = Object.fromEntries(languages.map((l) => [l, Object.fromEntries(Object.entries(messages[l]).filter(([id]) => id.startsWith("page.")))]));
files.set("words.js", `// The page's own texts, from assets/i18n.\nconst gpudgetWords = ${JSON.stringify(words)};\n`);
for (const name of ["platform.js", "twin_tools.js", "twin.js", "page.js", "page.css", "noscript.css", "icon.svg", "manifest.webmanifest"]) files.set(name, text(web, name));
const titles = Object.fromEntries(languages.map((l) => [l, words[l]["page.title"]]));
files.set("first.js", text(web, "first.js").replace('{ "TITLES": "" }', () => JSON.stringify(titles)));
const page = existsSync(join(build, "gpudget-page.js"));

// What stands in the page before the program is there, in every language: the default scenario's verdict as the text version says it (a browser test compares
// the two); without scripts, the rules of thumb.
const escaped = (t) => t.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const tag = (l) => (l === "pt" ? "pt-BR" : l);
let verdict = () => "";
if (existsSync(join(build, "gpudget-core.wasm"))) {
  const whole = join(build, "gpudget-core.wasm"), first = join(build, "core-first.wasm"), rest = join(build, "core-rest.wasm");
  if (tools) halves.split(whole, first, rest, halves.module, tools);
  moduleFiles.set("gpudget-core.wasm", readFileSync(tools ? first : whole));
  if (tools) moduleFiles.set("gpudget-import.wasm", readFileSync(rest));
  const { load } = await import("./gpudget.js");
  const g = await load(moduleFiles.get("gpudget-core.wasm"));
  const { memory } = g.estimate({}), gpu = g.list("gpus").find((one) => one.id === g.scenario({}).gpu).name;
  const outcome = !memory.fits ? "does_not_fit" : memory.headroom < 0.05 * memory.capacity ? "tight" : "fits";
  verdict = (l) => {
    const m = messages[l], size = (b) => `${(b / 1e9).toPrecision(3).replace(".", m["number.decimal"])}\u00a0${m["unit.gb"]}`;
    const fill = (id, values) => m[id].replace(/\{(\w+)\}/g, (whole, name) => values[name]);
    const rest = memory.fits ? fill("verdict.fits.sentence", { spare: size(memory.headroom), gpu }) : fill("verdict.does_not_fit.sentence", { over: size(-memory.headroom), gpu });
    return `${m[`verdict.${outcome}`]}${l === "fr" ? "\u00a0:" : ":"} ${rest} ${fill("page.needs", { device: size(memory.per_gpu.device), capacity: size(memory.capacity) })}.`;
  };
}
const firstSight = languages.map((l) => `<div lang="${tag(l)}">${verdict(l) ? `<p class="verdict">${escaped(verdict(l))}</p>` : ""}<p>${escaped(words[l]["page.loading"])}</p></div>`).join("\n      ");
const noScript = languages.map((l) => `<div class="noscript" lang="${tag(l)}"><h2>${escaped(titles[l])}</h2>${verdict(l) ? `<p>${escaped(verdict(l))}</p>` : ""}` +
  `<h3>${escaped(words[l]["page.rules"])}</h3><p>${escaped(words[l]["page.rules.full"])}</p><p>${escaped(words[l]["page.needs_scripts"])}</p></div>`).join("\n  ");
const shell = text(web, "index.html").replace("<!--FIRST-->", () => firstSight).replace("<!--NOSCRIPT-->", () => noScript);
if (page) {
  files.set("app.js", text(build, "gpudget-page.js"));
  const whole = join(build, "gpudget-page.wasm"), first = join(build, "page-first.wasm"), rest = join(build, "page-rest.wasm");
  if (tools) halves.split(whole, first, rest, halves.page, tools);
  files.set("app.wasm", readFileSync(tools ? first : whole));
  if (tools) files.set("app-rest.wasm", readFileSync(rest));
  const tables = ["measurements", "oracle", "throughput"].map((name) => `"${name}":${text(join(build, "generated/formats"), `${name}.json`)}`);
  files.set("accuracy.json", `{${tables.join(",\n")}}\n`);
}
// The languages that the page's program has not built in.
for (const l of languages.filter((one) => one !== "en")) files.set(`texts-${l}.txt`, text(join(build, "generated/i18n"), `texts-${l}.txt`));
// The reader of YAML, with its licence: a script for the page and the module alike. Shadowed names keep it from taking a host's loader for its own.
const notice = `/* js-yaml\n${text(yaml, "LICENSE").trim()}\n*/`;
files.set("gpudget-yaml.js", `${notice}\n(() => {\nconst exports = undefined, module = undefined, define = undefined;\n${text(yaml, "dist/js-yaml.min.js")}
const library = globalThis.jsyaml;\ndelete globalThis.jsyaml;\n${text(web, "yaml/yaml.js")}})();\n`);
const hash = createHash("sha256").update(shell);
for (const [name, content] of files) hash.update(name).update(content);
const version = hash.digest("hex").slice(0, 12);
const versioned = new Set(["first.js", "words.js", "app.js", "platform.js", "twin_tools.js", "twin.js", "page.js", "page.css", "noscript.css", "app.wasm"]);
const later = ["app-rest.wasm", "accuracy.json", "gpudget-yaml.js", ...languages.map((l) => `texts-${l}.txt`)].filter((name) => files.has(name));  // fetched when they are wanted
const index = shell.replace(/(src|href)="([\w.-]+)"/g, (whole, attribute, name) => (versioned.has(name) ? `${attribute}="${name}?v=${version}"` : whole));
if (page) files.set("index.html", index);

// One file that opens from disk -----------------------------------------------------------------------------------------------------------------------------
if (page) {
  const safe = (script) => script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
  const inline = ["app.wasm", ...later].filter((name) => !name.endsWith(".js")).map((name) => `"${name}": "${Buffer.from(files.get(name)).toString("base64")}"`);
  const inside = `window.gpudgetFiles = (name) => Uint8Array.from(atob({ ${inline.join(", ")} }[name]), (c) => c.charCodeAt(0));`;
  files.set("app-wasm.js", `// For sandboxed frames, which cannot fetch.\n${inside}\n`);
  let offline = shell.replace(/<link rel="(preload|manifest)".*\n/g, "").replace(/<noscript><link.*\n/g, "");
  offline = offline.replace('<script src="first.js"></script>', () => `<script>${safe(files.get("first.js"))}</script>`);
  offline = offline.replace('<link rel="icon" href="icon.svg"', () => `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(files.get("icon.svg")).toString("base64")}"`);
  offline = offline.replace('<link rel="stylesheet" href="page.css">', () => `<style>\n${files.get("page.css")}</style>`);
  const scripts = [inside, files.get("gpudget-yaml.js")];
  offline = offline.replace(/<script src="([\w.-]+)".*<\/script>\n/g, (whole, name) => (scripts.push(files.get(name)), ""));
  offline = offline.replace("</body>", () => `${scripts.map((s) => `<script>${safe(s)}</script>`).join("\n")}\n</body>`);
  files.set("gpudget-offline.html", offline);

  const cached = ["index.html", "icon.svg", "manifest.webmanifest", ...[...versioned, ...later].map((n) => `${n}?v=${version}`)];
  files.set("service-worker.js", text(web, "service-worker.js").replace("VERSION", version).replace('["FILES"]', JSON.stringify(cached)));
}

// The module, the embed element, the examples -----------------------------------------------------------------------------------------------------------------
for (const [name, content] of moduleFiles) files.set(name, content);
for (const name of ["gpudget.js", "gpudget.d.ts"]) if (existsSync(join(web, name))) files.set(name, text(web, name));
files.set("embed.js", text(web, "embed.js").replace('{ "TITLES": "" }', () => JSON.stringify(titles)));

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
const sizes = {};
for (const [name, content] of files) {
  const bytes = Buffer.from(content);
  writeFileSync(join(site, name), bytes);
  if (/\.(js|css|html|wasm|json|svg|ts|txt|webmanifest)$/.test(name) && name !== "gpudget-offline.html") {
    const gz = gzipSync(bytes, { level: 9 }), br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: /^(app-wasm\.js|gpudget-core\.wasm)$/.test(name) ? 9 : 11 } });
    writeFileSync(join(site, `${name}.gz`), gz);
    writeFileSync(join(site, `${name}.br`), br);
    sizes[name] = { bytes: bytes.length, gzip: gz.length, brotli: br.length };
  }
}
if (files.has("gpudget-core.wasm")) {  // what `npm pack` packs
  const module = join(build, "module");
  rmSync(module, { recursive: true, force: true });
  mkdirSync(module);
  for (const name of ["gpudget.js", "gpudget.d.ts", "gpudget-yaml.js", ...moduleFiles.keys()]) writeFileSync(join(module, name), files.get(name));
  for (const name of ["package.json", "README.md"]) writeFileSync(join(module, name), text(web, name));
  writeFileSync(join(module, "LICENSE"), text(join(web, ".."), "LICENSE"));
}
if (page) {  // what becomes gpudget-scorm.zip
  const scorm = join(build, "scorm"), all = JSON.parse(text(join(web, "../assets/i18n"), "en.json"));
  const questions = Object.keys(all).filter((id) => /^quiz\.[^.]+\.why$/.test(id)).length;
  rmSync(scorm, { recursive: true, force: true });
  mkdirSync(scorm);
  for (const name of ["imsmanifest.xml", "launch.html"]) writeFileSync(join(scorm, name), text(join(web, "examples/scorm"), name));
  writeFileSync(join(scorm, "scorm.js"), text(join(web, "examples/scorm"), "scorm.js").replace('"QUIZ_QUESTIONS"', String(questions)));
  writeFileSync(join(scorm, "gpudget-offline.html"), files.get("gpudget-offline.html"));
}
if (existsSync(join(web, "examples"))) cpSync(join(web, "examples"), join(site, "examples"), { recursive: true, filter: (f) => !/node_modules|\.docusaurus|\/build$/.test(f) });
// What the first answer takes, in the language that takes most.
const first = ["index.html", ...versioned].filter((n) => sizes[n] && n !== "noscript.css");
const largest = later.filter((n) => n.startsWith("texts-")).sort((a, b) => sizes[b].brotli - sizes[a].brotli)[0];
if (largest) first.push(largest);
const sum = (names) => Object.fromEntries(["gzip", "brotli"].map((kind) => [kind, names.reduce((total, n) => total + sizes[n][kind], 0)]));
writeFileSync(join(site, "sizes.json"), JSON.stringify({ version, first_load: sum(first), later: sum(later.filter((n) => !first.includes(n))), files: sizes }, null, 1) + "\n");
console.log(`site ${version}: first load ${(sum(first).gzip / 1000).toFixed(0)} kB gzip, ${(sum(first).brotli / 1000).toFixed(0)} kB brotli; ${statSync(site).isDirectory() ? files.size : 0} files`);
