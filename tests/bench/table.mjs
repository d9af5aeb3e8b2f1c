// The table of tests/bench/run: sizes from the site's sizes.json, the module in Node.js, the page in Chromium (software GL), the command line.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { idle, launch, open, serve, site } from "../browser/page.mjs";

const { first_load, later, files } = JSON.parse(readFileSync(join(site, "sizes.json"), "utf8"));
const rows = [];
const row = (what, value, goal, unit, judged) => rows.push({ what, value, goal, unit, judged });
row("first load, brotli", first_load.brotli / 1e3, 450, "kB", true);
row("page's wasm, brotli", files["app.wasm"].brotli / 1e3, 320, "kB", true);
row("what comes later, brotli", later.brotli / 1e3, 200, "kB", true);
row("module's wasm, gzip", files["gpudget-core.wasm"].gzip / 1e3, 200, "kB", true);
row("embed.js, gzip", files["embed.js"].gzip / 1e3, 4.5, "kB", true);

const { load } = await import(pathToFileURL(join(site, "gpudget.js")).href);
const g = await load();
let each = Infinity;
for (let round = 0; round < 10; ++round) {
  const from = performance.now();
  for (let i = 0; i < 200; ++i) g.estimate({ per_device_train_batch_size: 1 + (i % 16) });
  each = Math.min(each, (performance.now() - from) * 5);  // microseconds for one of 200
}
row("g.estimate, JSON included", each, 20, "µs", false);

if (existsSync(process.env.GPUDGET_CHROMIUM || "/usr/bin/chromium")) {
  const server = await serve(undefined, "--csp"), browser = await launch("chromium");
  const ready = (page) => page.evaluate(() => performance.getEntriesByName("gpudget-ready")[0].startTime);
  const visit = async (before) => {
    const own = await browser.createBrowserContext(), page = await open(own, `${server.address}?lang=en`, { before: async (p) => {
      await p.evaluateOnNewDocument(() => {  // keeps what was made of the program, for its memory
        const made = WebAssembly.instantiateStreaming;
        WebAssembly.instantiateStreaming = (...given) => made(...given).then((r) => ((window.instance = r.instance), r));
      });
      if (before) await before(p);
    } });
    const time = await ready(page);
    return { own, page, time };
  };
  let quick = Infinity;
  for (let round = 0; round < 3; ++round) {
    const { own, page, time } = await visit();
    quick = Math.min(quick, time);
    if (round === 2) {
      await idle(page);
      let frame = Infinity;
      for (let i = 0; i < 3; ++i) frame = Math.min(frame, await page.evaluate(() => {
        const from = performance.now();
        for (let n = 0; n < 40; ++n) window.gpudget.items();  // one frame drawn, and its items read
        return (performance.now() - from) / 40;
      }));
      row("a frame, drawn and submitted", frame, 6, "ms", false);
      row("memory of the program", await page.evaluate(() => Object.values(window.instance.exports).find((e) => e instanceof WebAssembly.Memory).buffer.byteLength) / 1e6, 64, "MB", false);
    }
    await own.close();
  }
  row("ready from localhost", quick, 1000, "ms", false);
  const { own, time } = await visit(async (page) => (await page.createCDPSession()).send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 200000, uploadThroughput: 200000 }));
  row("ready over 1.6 Mbit/s, 150 ms", time, 3000, "ms", false);
  await own.close();
  await browser.close();
  server.stop();
}

const program = join(site, "../../native/gpudget");
if (existsSync(program)) {
  let start = Infinity, lines = Infinity;
  const count = 20000, text = Array.from({ length: count }, (_, i) => `{"gpus":${(i % 8) + 1},"max_length":${(i % 4096) + 1}}\n`).join("");
  const timed = (words, input) => {
    const from = performance.now(), done = spawnSync(program, words, { input, maxBuffer: 1 << 30 });
    if (done.status !== 0) throw new Error(`gpudget ${words.join(" ")}: ${done.stderr}`);
    return performance.now() - from;
  };
  for (let round = 0; round < 20; ++round) start = Math.min(start, timed(["estimate", "--json"], ""));
  for (let round = 0; round < 3; ++round) lines = Math.min(lines, (timed(["estimate", "--ndjson"], text) * 1e3) / count);
  row("gpudget estimate, start to end", start, 30, "ms", false);
  row("a scenario of --ndjson", lines, 20, "µs", false);
}

let over = 0;
console.log(`${"".padEnd(34)}${"now".padStart(10)}${"goal".padStart(10)}${"now/goal".padStart(11)}`);
for (const { what, value, goal, unit, judged } of rows) {
  const missed = value > goal;
  if (missed && judged) ++over;
  console.log(`${what.padEnd(34)}${String(Number(value.toPrecision(3))).padStart(10)}${String(goal).padStart(10)}${(value / goal).toFixed(2).padStart(11)}  ${unit}${missed ? "  OVER" : ""}`);
}
process.exit(over ? 1 : 0);
