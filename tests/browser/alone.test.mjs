// What is blocked or missing, embeds, offline, sizes, axe; and, in Chromium alone, what needs its own tools: scale, fingers, input methods.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, click, idle, item, launch, open, pause, root, scenario, serve, site } from "./page.mjs";

const axe = readFileSync(join(root, "tests/browser/node_modules/axe-core/axe.min.js"), "utf8");
async function accessible(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | ")}`));
  assert.deepEqual(found, []);
}
const heard = (page, type) => page.evaluate((t) => window.heard.filter((m) => m.type === t || m.subject === t), type);
// A page of ours around an embed, that keeps all messages. The policy of the server holds in it.
async function host(browser, address, attributes = {}) {
  const page = await open(browser, `${address}examples/plain/`, { ready: false });
  await page.evaluate((given) => {
    document.querySelector("main").replaceChildren();
    window.heard = [];
    addEventListener("message", (event) => window.heard.push(event.data));
    const frame = document.createElement("iframe");
    for (const [name, value] of Object.entries({ title: "embed", width: "100%", height: "600", ...given })) frame.setAttribute(name, value);
    document.querySelector("main").append(frame);
    window.frame = frame;
  }, { src: `${address}?embed=1&lang=en`, ...attributes });
  await page.waitForFunction(() => window.heard.some((m) => m.type === "gpudget:ready"));
  return page;
}
const send = (page, message) => page.evaluate((m) => window.frame.contentWindow.postMessage(m, "*"), message);

export const chromiumOnly = ["sharp at scale 2", "sizes and themes as people see them", "a tap lands where the finger is; a finger scrolls; nothing stays pressed", "an input method composes into the field",
  "after the first visit no network is needed", "the first load is small"];
export const tests = {
  async "sharp at scale 2"({ address }) {
    const browser = await launch("chromium", { scale: 2 });
    try {
      const page = await open(browser, `${address}?lang=pt&theme=light`, { width: 1440, height: 900 });
      await page.setViewport({ width: 1440, height: 900, deviceScaleFactor: 2 });  // and the picture in its own pixels
      await idle(page);
      const [width, height, box] = await page.evaluate(() => {
        const canvas = document.getElementById("canvas");
        return [canvas.width, canvas.height, canvas.getBoundingClientRect().toJSON()];
      });
      assert.deepEqual([width, height], [box.width * 2, box.height * 2]);
      await page.screenshot({ path: `${artifacts}/page-scale2.png` });
      await click(page, "Método: LoRA");  // the pointer is where it seems
      assert.equal((await scenario(page)).method, "lora");
    } finally {
      await browser.close();
    }
  },

  async "sizes and themes as people see them"({ browser, address }) {
    for (const [lang, theme, width, height] of [["en", "light", 1440, 900], ["pt", "dark", 1440, 900], ["fr", "light", 1024, 640], ["en", "dark", 1024, 640], ["pt", "light", 390, 844], ["fr", "dark", 390, 844]]) {
      const page = await open(browser, `${address}?lang=${lang}&theme=${theme}`, { width, height });
      await idle(page);
      const box = await page.evaluate(() => [document.getElementById("canvas").clientWidth, document.documentElement.scrollWidth]);
      assert.deepEqual(box, [width, width], "fills the window, nothing to scroll sideways");
      await page.screenshot({ path: `${artifacts}/page-${width}x${height}-${lang}-${theme}.png` });
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  },

  async "a tap lands where the finger is; a finger scrolls; nothing stays pressed"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await page.setViewport({ width: 390, height: 844, hasTouch: true });
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.gpudget === "ready");
    await idle(page);
    const chart = async () => (await page.evaluate(() => window.gpudget.items())).find((i) => i.label === "Model").y;
    const before = await chart(), touch = await page.createCDPSession();
    const finger = (type, x, y) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    await finger("touchStart", 200, 700);
    for (let y = 690; y >= 300; y -= 30) await finger("touchMove", 200, y);
    await pause(150);
    await finger("touchEnd");
    await idle(page);
    assert.ok((await chart()) < before - 150, `scrolled by ${before - (await chart())}`);
    assert.equal((await scenario(page)).method, "full", "a scroll is no tap");
    for (const label of ["Method", "Method: LoRA"]) {  // narrow: the section opens first
      const at = await item(page, label);
      await page.touchscreen.tap(at.cx, at.cy);
      await idle(page, 200);
    }
    assert.equal((await scenario(page)).method, "lora");
    await idle(page);
    await page.close();
  },

  async "an input method composes into the field"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await click(page, "Model");
    await page.waitForFunction(() => window.gpudget.report.wantsText === 1);
    const session = await page.createCDPSession();
    await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    await session.send("Input.insertText", { text: "日本" });
    await session.send("Input.insertText", { text: "é" });
    await pause(200);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await pause(100);
    const copied = await page.evaluate(() => {
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
      return event.clipboardData.getData("text/plain");
    });
    assert.equal(copied, "日本é");
    await page.close();
  },

  async "a config.json dropped on the page becomes the model; a wrong file says so"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    const drop = (text) => page.evaluate((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "config.json", { type: "application/json" }));
      document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, text);
    await drop(JSON.stringify({ architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22, num_attention_heads: 32,
      num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 2048, tie_word_embeddings: false }));
    await page.waitForFunction(() => window.gpudget.estimate().model.parameters === 1100048384);
    await drop("{");
    await pause(300);
    assert.equal((await page.evaluate(() => window.gpudget.estimate())).model.parameters, 1100048384);
    await item(page, "Dismiss");
    await page.close();
  },

  async "axe finds nothing, drawn and as text"({ browser, address }) {
    for (const [lang, theme, text] of [["en", "light", 0], ["pt", "light", 1], ["fr", "dark", 1]]) {
      const page = await open(browser, `${address}?lang=${lang}&theme=${theme}${text ? "&text=1" : ""}`);
      await page.waitForFunction(() => document.getElementById("verdict").textContent !== "");
      await page.waitForFunction(() => document.querySelectorAll("#form input").length > 10);
      await accessible(page);
      await page.close();
    }
  },

  async "without WebGL2 the text version stands in sight"({ browser, address }) {
    const page = await open(browser, `${address}?lang=fr`, { before: (p) => p.evaluateOnNewDocument(() => {
      const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return /webgl/.test(kind) ? null : own.call(this, kind, ...rest);
      };
    }) });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.gpudget), "ready");
    assert.ok(await page.evaluate(() => document.documentElement.hasAttribute("data-text")));
    assert.match(await page.$eval("#trouble", (e) => (e.hidden ? "" : e.textContent)), /WebGL2/);
    await page.waitForSelector("#field-method");
    await page.select("#field-method", "qlora");
    await page.waitForFunction(() => window.gpudget.scenario().method === "qlora");
    await accessible(page);
    await page.close();
  },

  async "without its program the page says why, and the rules of thumb stand"({ browser, address, name }) {
    const page = await open(browser, `${address}?lang=pt`, { before: async (p) => {
      if (name === "chromium") await p.setBypassServiceWorker(true);
      await p.setRequestInterception(true);
      p.on("request", (r) => (/app\.wasm/.test(r.url()) ? r.abort() : r.continue()));
    } });
    await page.waitForFunction(() => document.documentElement.dataset.gpudget === "error");
    assert.ok((await page.$eval("#trouble", (e) => (e.hidden ? "" : e.textContent))).length > 40);
    assert.ok(await page.$eval("#rules-full", (e) => e.offsetHeight > 0 && e.textContent.includes("12 bytes")));
    await page.close();
  },

  async "one file opens from disk"({ browser, name }) {
    const page = await open(browser, `${pathToFileURL(join(site, "gpudget-offline.html"))}?lang=fr`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.gpudget), "ready");
    await idle(page);
    await click(page, "Méthode\u00a0: LoRA");
    assert.equal((await scenario(page)).method, "lora");
    assert.deepEqual(page.requests.filter((u) => !/^(file|data|blob):/.test(u)), []);
    if (name === "chromium") assert.equal(page.requests.filter((u) => u.startsWith("file:")).length, 1, "one file");  // Firefox tells none of them
    assert.deepEqual(page.problems, []);
    await page.close();
  },

  async "after the first visit no network is needed"({ address }) {
    const browser = await launch("chromium");
    try {
      const page = await open(browser, `${address}?lang=en`);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await page.evaluate(() => new Promise((done) => {
        const look = async () => (await caches.keys()).length && navigator.serviceWorker.controller !== undefined ? done() : setTimeout(look, 100);
        look();
      }));
      await page.reload();  // now under the worker
      await page.waitForFunction(() => document.documentElement.dataset.gpudget === "ready");
      await page.setOfflineMode(true);
      const worker = await browser.waitForTarget((t) => t.type() === "service_worker", { timeout: 60000 });
      const session = await worker.createCDPSession();
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 });
      await page.goto(`${address}?lang=pt`);
      await page.waitForFunction(() => document.documentElement.dataset.gpudget === "ready");
      assert.equal(await page.evaluate(() => document.documentElement.lang), "pt-BR");
      assert.equal((await page.evaluate(() => caches.keys())).length, 1);
    } finally {
      await browser.close();
    }
  },

  async "an embed speaks as the contract says, also in a sandbox without an origin"({ browser, address }) {
    for (const sandbox of [null, "allow-scripts"]) {
      const page = await host(browser, address, sandbox ? { sandbox } : {});
      await page.waitForFunction(() => window.heard.some((m) => m.type === "gpudget:resize") && window.heard.some((m) => m.subject === "lti.frameResize"));
      for (const m of [...(await heard(page, "gpudget:resize")), ...(await heard(page, "lti.frameResize"))]) assert.ok(Number.isInteger(m.height) && m.height > 100 && m.height <= 4000, `height ${m.height}`);
      await page.evaluate(() => (window.heard.length = 0));
      await send(page, { type: "gpudget:hello" });
      await page.waitForFunction(() => window.heard.some((m) => m.type === "gpudget:ready"));
      await send(page, { type: "gpudget:set", scenario: { method: "lora", lora: { r: 8 } } });
      await page.waitForFunction(() => window.heard.some((m) => m.type === "gpudget:change"));
      const [change] = await heard(page, "gpudget:change");
      assert.equal(change.source, "host");
      assert.equal(change.scenario.method, "lora");
      assert.equal(change.scenario.lora.r, 8);
      assert.ok(change.estimate.memory.per_gpu.device > 1e9);
      await page.evaluate(() => (window.heard.length = 0));
      for (const scenario of [{ max_length: -1 }, { nonsense: 1 }, "text", [1], null, { model: { config: { model_type: "x" } } }]) await send(page, { type: "gpudget:set", scenario });
      await page.waitForFunction(() => window.heard.filter((m) => m.type === "gpudget:error").length === 6);
      const errors = await heard(page, "gpudget:error");
      assert.equal(errors[0].path, "max_length");
      assert.match(errors[0].message, /1/);
      assert.equal(errors[1].path, "nonsense");
      await send(page, { type: "gpudget:theme", theme: "dark" });
      for (const strange of ["gpudget:set", 7, null, { type: 3 }, { type: "other" }, { type: "gpudget:theme", theme: "<b>" }]) await send(page, strange);
      await pause(400);
      assert.equal((await heard(page, "gpudget:change")).length, 0, "nothing changed by what is wrong or unknown");
      const inner = page.frames().find((f) => f !== page.mainFrame() && f.url().includes("embed=1"));
      assert.equal(await inner.evaluate(() => document.documentElement.dataset.theme), "dark");
      assert.equal(await inner.evaluate(() => location.hash), "", "an embed leaves the address alone");
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY", "no focus is taken");
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  },

  async "the element: lazy, sized, in the page's language and theme, several on one page"({ browser, address }) {
    const page = await open(browser, `${address}examples/plain/`, { ready: false, height: 700 });
    await page.waitForFunction(() => document.getElementById("first").classList.contains("ready"));
    const about = (id) => page.evaluate((id) => {
      const element = document.getElementById(id), inner = element.shadowRoot.querySelector("iframe");
      return { src: inner && inner.src, title: inner && inner.title, sandbox: inner && inner.getAttribute("sandbox"), height: element.offsetHeight };
    }, id);
    const first = await about("first");
    assert.match(first.src, /lang=pt/);
    assert.match(first.src, /theme=light/);
    assert.match(first.title, /cabe/);
    assert.equal((await about("third")).src, null, "closed away: not loaded");
    await page.evaluate(() => (document.getElementById("first").addEventListener("change", (e) => (window.lastChange = e.detail)), document.getElementById("first").set({ method: "qlora" })));
    await page.waitForFunction(() => window.lastChange && window.lastChange.scenario.method === "qlora");
    assert.match(await page.$eval("#said", (e) => e.textContent), /cabe/);
    await page.evaluate(() => document.getElementById("second").scrollIntoView());
    await page.waitForFunction(() => document.getElementById("second").classList.contains("ready"));
    assert.equal((await about("second")).sandbox, "allow-scripts");
    assert.match((await about("second")).src, /lang=fr/);
    await page.evaluate(() => {
      document.querySelector("details").open = true;
      document.getElementById("third").scrollIntoView();
    });
    await page.waitForFunction(() => document.getElementById("third").classList.contains("ready"));
    await page.click("#theme");
    const inside = (id) => page.frames().find((f) => f.url().startsWith(address) && f.url().includes(id));
    await pause(500);
    assert.equal(await inside("controls=basic").evaluate(() => document.documentElement.dataset.theme), "dark", "the page's theme is followed");
    assert.equal(await inside("view=checklist").evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.equal(await inside("view=time").evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.ok((await about("first")).height > 300);
    await page.evaluate(() => document.getElementById("first").setAttribute("lang", "en"));
    await pause(300);
    assert.equal(await inside("controls=basic").evaluate(() => document.documentElement.lang), "en");
    assert.deepEqual(page.problems, []);
    await page.screenshot({ path: `${artifacts}/embed.png`, fullPage: true });
    await page.evaluate(() => document.getElementById("first").remove());
    await pause(200);
    assert.deepEqual(page.problems, []);
    await page.close();
  },

  async "the SCORM package reports the quiz to the learning platform"({ browser }) {
    const server = await serve(join(site, "../scorm"));
    const page = await open(browser, `${server.address}launch.html`, { ready: false, before: (p) => p.evaluateOnNewDocument(() => {
      if (window !== top) return;
      const kept = (window.kept = { "cmi.core.lesson_status": "not attempted" });
      window.API = { LMSInitialize: () => "true", LMSFinish: () => "true", LMSCommit: () => ((window.committed = (window.committed || 0) + 1), "true"), LMSGetValue: (k) => kept[k] || "",
        LMSSetValue: (k, v) => ((kept[k] = v), "true") };
    }) });
    const inner = await page.waitForFrame((f) => f.url().includes("gpudget-offline"));
    await inner.waitForFunction(() => document.documentElement.dataset.gpudget === "ready");
    assert.equal(await page.evaluate(() => window.kept["cmi.core.lesson_status"]), "incomplete");
    const questions = Number(readFileSync(join(site, "../scorm/scorm.js"), "utf8").match(/Number\((\d+)\)/)[1]);
    for (let q = 1; q <= questions; ++q)
      await inner.evaluate((id) => parent.postMessage({ type: "gpudget:activity", verb: "answered", id, success: id !== "quiz/1" }, "*"), `quiz/${q}`);
    await page.waitForFunction((n) => window.committed === n, {}, questions);
    assert.equal(await page.evaluate(() => window.kept["cmi.core.score.raw"]), String(Math.round((100 * (questions - 1)) / questions)));
    assert.equal(await page.evaluate(() => window.kept["cmi.core.lesson_status"]), "passed");
    const parsed = await page.evaluate((xml) => {
      const read = new DOMParser().parseFromString(xml, "application/xml");
      return [read.querySelector("parsererror") === null, [...read.getElementsByTagName("file")].map((f) => f.getAttribute("href")), read.getElementsByTagName("schemaversion")[0].textContent];
    }, readFileSync(join(site, "../scorm/imsmanifest.xml"), "utf8"));
    assert.deepEqual(parsed, [true, ["launch.html", "scorm.js", "gpudget-offline.html"], "1.2"]);
    await page.close();
    server.stop();
  },

  async "the first load is small"() {
    const sizes = JSON.parse(readFileSync(join(site, "sizes.json"), "utf8"));
    assert.ok(sizes.first_load.gzip > 100000 && sizes.first_load.gzip < 700000, `${sizes.first_load.gzip} bytes gzipped`);
    assert.ok(sizes.files["embed.js"].gzip < 4500, `embed.js: ${sizes.files["embed.js"].gzip} bytes`);
  },

  async "in an embed the ledger is folded until a category is pressed"({ browser, address }) {
    const page = await open(browser, `${address}?embed=1&controls=none&lang=en`, { width: 760, height: 1400 });
    await idle(page);
    const { height } = await page.evaluate(() => window.gpudget.report);
    assert.ok(height < 1600, `${height} px tall`);
    await click(page, "Activations");
    await idle(page);
    assert.ok((await page.evaluate(() => window.gpudget.report.height)) > height + 100, "its entries are there");
    await click(page, "Activations");
    await idle(page);
    assert.equal(await page.evaluate(() => window.gpudget.report.height), height);
    await page.close();
  },
  async "nothing is drawn while off screen or under a host that hides it"({ browser, address }) {
    const page = await host(browser, address);
    const inner = page.frames().find((f) => f !== page.mainFrame() && f.url().includes("embed=1"));
    const count = () => inner.evaluate(() => window.gpudget.frames);
    await page.evaluate(() => {
      window.frame.style.marginTop = "5000px";
    });
    await pause(600);
    const before = await count();
    await inner.evaluate(() => window.gpudget.set({ max_length: 4096 }));
    await pause(500);
    assert.ok((await count()) - before <= 1, "off screen");
    await page.evaluate(() => (window.frame.style.marginTop = "0"));
    await pause(600);
    assert.ok((await count()) > before, "drawn on return");
    await page.close();
  },
};
