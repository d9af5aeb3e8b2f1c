// What the page survives: colours forced, WebAssembly or storage missing, another tab, scale and size that change under it, a hidden tab, a new version.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifacts, click, frames, idle, launch, open, pause, scenario, serve, site } from "./page.mjs";

const sharp = (page) => page.evaluate(() => {
  const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect();
  return { canvas: [canvas.width, canvas.height], wanted: [Math.round(box.width * devicePixelRatio), Math.round(box.height * devicePixelRatio)], window: [innerWidth, innerHeight], box: [box.width, box.height] };
});
async function isSharp(page, what) {
  await idle(page, 200);
  const now = await sharp(page);
  for (const i of [0, 1]) assert.ok(Math.abs(now.canvas[i] - now.wanted[i]) <= 1, `${what}: ${JSON.stringify(now)}`);
  assert.deepEqual(now.box, now.window, what);
  return now;
}
const isText = (page) => page.evaluate(() => document.documentElement.hasAttribute("data-text"));

export const tests = {
  async "forced colours: the text version stands in sight, and goes with them"({ address, name }) {
    const browser = await launch(name, { preferences: { "ui.useAccessibilityTheme": 1, "browser.display.document_color_use": 2 } });
    try {
      const page = await open(browser, `${address}?lang=pt`, { before: async (p) => {
        if (name === "chromium") await (p.session = await p.createCDPSession()).send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
      } });
      assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), "the test's own condition");
      assert.ok(await isText(page));
      await page.waitForSelector("#field-method");
      await page.select("#field-method", "qlora");
      await page.waitForFunction(() => window.gpudget.scenario().method === "qlora");
      await page.screenshot({ path: `${artifacts}/forced-colours-${name}.png` });
      if (name === "chromium") {
        await page.session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "none" }] });
        await page.waitForFunction(() => !document.documentElement.hasAttribute("data-text"));
        await isSharp(page, "drawn again");
      }
      assert.deepEqual(page.problems, []);
    } finally {
      await browser.close();
    }
  },

  async "without WebAssembly the page says so in its language, and the rules of thumb stand"({ browser, address }) {
    for (const [lang, rule] of [["pt", /12 bytes por parâmetro/], ["fr", /12 octets par paramètre/]]) {
      const page = await open(browser, `${address}?lang=${lang}`, { before: (p) => p.evaluateOnNewDocument(() => delete window.WebAssembly) });
      assert.equal(await page.evaluate(() => document.documentElement.dataset.gpudget), "error");
      assert.match(await page.$eval("#trouble", (e) => (e.hidden || !e.offsetHeight ? "" : e.textContent)), /WebAssembly/);
      assert.match(await page.$eval("#rules-full", (e) => (e.offsetHeight ? e.textContent : "")), rule);
      await page.close();
    }
  },

  async "before the program is there the page answers in the address's language, as the program will"({ browser, address }) {
    for (const [query, lang] of [["?lang=fr&theme=dark", "fr"], ["?lang=pt", "pt"], ["?lang=en", "en"]]) {
      let release;
      const held = new Promise((done) => (release = done));
      const page = await open(browser, `${address}icon.svg`, { ready: false, before: async (p) => {
        await p.evaluateOnNewDocument(() => {  // a first visit each time
          delete Navigator.prototype.serviceWorker;
          localStorage.clear();
        });
        await p.setRequestInterception(true);
        p.on("request", (r) => void (/app\.wasm/.test(r.url()) ? held.then(() => r.continue()) : r.continue()));
      } });
      const coming = page.goto(address + query).catch(() => {});
      await page.waitForFunction(() => document.documentElement.dataset.gpudget === "loading" && [...document.querySelectorAll("#first p")].filter((p) => p.offsetHeight > 0).length > 0);
      const first = await page.evaluate(() => ({ lang: document.documentElement.lang, theme: document.documentElement.dataset.theme, title: document.title,
        seen: [...document.querySelectorAll("#first p")].filter((p) => p.offsetHeight > 0).map((p) => p.textContent) }));
      assert.equal(first.lang.slice(0, 2), lang);
      if (query.includes("dark")) assert.equal(first.theme, "dark");
      assert.equal(first.seen.length, 2, JSON.stringify(first));
      release();
      await coming;
      await page.waitForFunction(() => document.documentElement.dataset.gpudget === "ready" && document.getElementById("verdict").textContent !== "");
      assert.equal(await page.$eval("#verdict", (e) => e.textContent), first.seen[0], "the verdict of the build is the program's");
      assert.equal(await page.title(), first.title);
      assert.ok(await page.$eval("#first", (e) => e.offsetHeight === 0));
      await page.close();
    }
    // Another scenario was asked for: no verdict that is not its own.
    const page = await open(browser, `${address}?lang=en#s=1`, { before: (p) => p.evaluateOnNewDocument(() => delete window.WebAssembly) });
    assert.ok(await page.evaluate(() => document.documentElement.hasAttribute("data-other")));
    await page.close();
  },

  async "without scripts the three languages stand"({ browser, address }) {
    const page = await browser.newPage();
    const enabled = await page.setJavaScriptEnabled(false).then(() => true, () => false);
    const html = await (await fetch(address)).text();
    for (const words of ["12 bytes for each parameter", "12 bytes por parâmetro", "12 octets par paramètre"]) assert.ok(html.slice(html.indexOf('<noscript><div')).includes(words), words);
    if (enabled) {
      await page.setViewport({ width: 1000, height: 800 });
      await page.goto(address);
      await page.screenshot({ path: `${artifacts}/noscript.png` });
    }
    await page.close();
  },

  async "without storage all works, and nothing complains"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`, { before: (p) => p.evaluateOnNewDocument(() => {
      Object.defineProperty(window, "localStorage", { get() {
        throw new DOMException("denied", "SecurityError");
      } });
    }) });
    await click(page, "Method: LoRA");
    assert.equal((await scenario(page)).method, "lora");
    await page.waitForFunction(() => location.hash.length > 5);
    assert.deepEqual(page.problems, []);
    await page.close();
  },

  async "two tabs: each its own scenario; the next visit finds the last one"({ browser, address }) {
    const one = await open(browser, `${address}?lang=en`), two = await open(browser, `${address}?lang=en`);
    await two.evaluate(() => window.gpudget.set({ method: "qlora" }));
    await two.waitForFunction(() => location.hash.length > 5);
    await pause(400);
    assert.equal((await scenario(one)).method, "full", "the other tab is left alone");
    await one.bringToFront();
    await one.evaluate(() => window.gpudget.set({ method: "lora" }));
    await one.waitForFunction(() => location.hash.length > 5);
    await pause(400);
    assert.equal((await scenario(two)).method, "qlora");
    const three = await open(browser, `${address}?lang=en`);
    assert.equal((await scenario(three)).method, "lora");
    for (const page of [one, two, three]) {
      assert.deepEqual(page.problems, []);
      await page.close();
    }
  },

  async "sharp while the scale changes, right after a storm of sizes, and on a phone that is turned"({ browser, address, name }) {
    const page = await open(browser, `${address}?lang=fr`, { width: 1000, height: 700 });
    await isSharp(page, "at first");
    for (const deviceScaleFactor of [2, 1.25, 3, 1.5, 1]) {  // another screen; the page's zoom
      await page.setViewport({ width: 1000 + Math.round(4 * deviceScaleFactor), height: 700, deviceScaleFactor });
      await page.waitForFunction((scale) => devicePixelRatio === scale, {}, deviceScaleFactor);
      await isSharp(page, `at ${deviceScaleFactor}`);
    }
    const before = await frames(page);
    for (let i = 0; i < 24; ++i) await page.setViewport({ width: 500 + ((i * 137) % 800), height: 400 + ((i * 211) % 500) });
    await page.setViewport({ width: 1100, height: 640 });
    await page.waitForFunction(() => innerWidth === 1100 && innerHeight === 640);
    await isSharp(page, "after the storm");
    assert.ok((await frames(page)) > before, "drawn");
    const [short, long] = name === "firefox" ? [500, 844] : [390, 844];  // its windows are never narrower
    for (const [width, height] of [[short, long], [long, short], [short, long]]) {
      await page.setViewport({ width, height, deviceScaleFactor: 2 });
      await page.waitForFunction((w) => innerWidth === w && devicePixelRatio === 2, {}, width);
      await isSharp(page, `${width} wide`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    }
    await page.screenshot({ path: `${artifacts}/turned-${name}.png` });
    assert.deepEqual(page.problems.filter((p) => !/GL Driver Message/.test(p)), []);
    await page.close();
  },

  async "nothing is drawn in a hidden tab, and all at once on return"({ browser, address }) {
    // The page is told that it is hidden, and the clock of its frames stands: what a browser does to a tab behind others.
    const page = await open(browser, `${address}?lang=en`, { before: (p) => p.evaluateOnNewDocument(() => {
      let hidden = false, asked = [];
      const own = window.requestAnimationFrame.bind(window);
      window.timers = 0;
      window.requestAnimationFrame = (f) => (hidden ? (asked.push(f), 1) : own(f));
      Object.defineProperty(document, "hidden", { get: () => hidden });
      Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
      window.hide = (on) => {
        hidden = on;
        document.dispatchEvent(new Event("visibilitychange"));
        if (!on) asked.splice(0).forEach(own);
      };
    }) });
    const before = await idle(page);
    await page.evaluate(() => window.hide(true));
    for (const max_length of [1024, 4096, 8192]) {
      await page.evaluate((n) => window.gpudget.set({ max_length: n }), max_length);
      await pause(500);
    }
    assert.equal(await frames(page), before, "drawn while hidden");
    assert.equal((await page.evaluate(() => window.gpudget.estimate())) !== null, true);
    await page.evaluate(() => window.hide(false));
    await page.waitForFunction((n) => window.gpudget.frames > n, {}, before);
    assert.ok((await idle(page)) - before < 30, "what was missed is drawn once, not frame by frame");
    await page.close();
  },

  async "the first sight needs half of the program; the other half comes after it, and at once where it is wanted sooner"({ browser, address }) {
    const half = (page) => page.requests.filter((u) => u.includes("app-rest.wasm"));
    const page = await open(browser, `${address}?lang=en`);
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((e) => e.name.includes("app-rest.wasm")));
    const [ready, asked] = await page.evaluate(() => [performance.getEntriesByName("gpudget-ready")[0].startTime, performance.getEntriesByType("resource").find((e) => e.name.includes("app-rest.wasm")).startTime]);
    assert.ok(asked >= ready, `the other half was asked for at ${asked} ms, ready at ${ready} ms`);
    assert.equal(half(page).length, 1);
    await page.close();
    // Kept back until a view needs it: the view is there all the same.
    const eager = await open(browser, `${address}?embed=1&lang=en`, { before: async (p) => {
      await p.evaluateOnNewDocument(() => {
        window.requestIdleCallback = () => 0;
        Object.defineProperty(navigator.serviceWorker, "controller", { get: () => null });  // as on a first visit
      });
    } });
    await idle(eager);
    assert.deepEqual(half(eager), [], "nothing drawn first needs it");
    const config = JSON.stringify({ model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22, num_attention_heads: 32, num_key_value_heads: 4, vocab_size: 32000 });
    await eager.evaluate((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "config.json", { type: "application/json" }));
      document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, config);
    await eager.waitForFunction(() => window.gpudget.estimate().model.parameters === 1100048384);
    assert.equal(half(eager).length, 1);
    assert.deepEqual([...page.problems, ...eager.problems], []);
    await eager.close();
  },

  async "the measurements come when their view is opened; where they do not, it says so and tries again"({ browser, address, name }) {
    let blocked = true;
    const page = await open(browser, `${address}?lang=fr&view=accuracy`, { before: async (p) => {
      if (name === "chromium") await p.setBypassServiceWorker(true);
      await p.setRequestInterception(true);
      p.on("request", (r) => (blocked && /accuracy\.json/.test(r.url()) ? r.abort() : r.continue()));
    } });
    const labels = async () => (await page.evaluate(() => window.gpudget.items())).map((i) => i.label);
    for (let i = 0; i < 50 && !(await labels()).includes("Réessayer"); ++i) await pause(100);
    blocked = false;
    await click(page, "Réessayer");
    for (let i = 0; i < 100 && (await page.evaluate(() => window.gpudget.report.height)) < 2000; ++i) await pause(100);
    assert.ok((await page.evaluate(() => window.gpudget.report.height)) > 2000, "the view is filled");
    assert.ok(!(await labels()).includes("Réessayer"));
    await page.close();
  },

  async "YAML: read as the command line reads it, by a reader that comes with the first one; what is wrong is said with its line"({ browser, address }) {
    const page = await open(browser, `${address}?lang=fr&text=1`);
    assert.ok(!page.requests.some((u) => u.includes("gpudget-yaml")), "not before it is wanted");
    await page.waitForSelector("[data-tool=open] summary");
    await page.evaluate(() => (document.querySelector("[data-tool=open]").open = true));
    await page.waitForSelector("[data-tool=open] textarea");
    const paste = async (text, said) => {
      await page.evaluate((t) => {
        document.querySelector("[data-tool=open] textarea").value = t;
        document.querySelector("[data-tool=open] button").click();
      }, text);
      await page.waitForFunction((words) => document.querySelector("[data-tool=open] .said").textContent.includes(words), {}, said);
    };
    await paste("base_model: meta-llama/Llama-3.1-8B\nadapter: qlora\nload_in_4bit: yes\nlora_r: 32\nsequence_len: 4096\nmicro_batch_size: 2\nflash_attention: on\n", "Ouvert");
    const { method, lora, max_length } = await scenario(page);
    assert.deepEqual([method, lora.r, max_length], ["qlora", 32, 4096]);
    await paste("base_model: a\nbase_model: b\n", "ligne 2");
    await paste("base_model: [a\n", "n’est pas fermé");
    let bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n";
    for (let i = 1; i < 9; ++i) bomb += `a${i}: &a${i} [${Array(10).fill(`*a${i - 1}`)}]\n`;
    await paste(bomb, "trop de valeurs");
    await paste("base_model: meta-llama/Llama-3.1-8B\nadapter: ia3\n", "adapter");
    assert.equal((await scenario(page)).lora.r, 32, "what is wrong changes nothing");
    assert.equal(page.requests.filter((u) => u.includes("gpudget-yaml")).length, 1);
    assert.deepEqual(page.problems, []);
    await page.close();
  },

  async "a new version comes whole or not at all, and stays without the network"({ browser }) {
    const folder = mkdtempSync(join(tmpdir(), "gpudget-versions-")), live = join(folder, "live");
    const old = JSON.parse(readFileSync(join(site, "sizes.json"), "utf8")).version;
    const make = (name, version, title) => {  // the site as another build would name and word it
      const to = join(folder, name);
      cpSync(site, to, { recursive: true, filter: (f) => !/\/(examples|gpudget-(?!yaml).*)$|\.(br|gz)$/.test(f) });
      for (const file of ["index.html", "service-worker.js"]) writeFileSync(join(to, file), readFileSync(join(to, file), "utf8").replaceAll(old, version));
      for (const file of ["words.js", "first.js"]) writeFileSync(join(to, file), readFileSync(join(to, file), "utf8").replaceAll("will this fine-tune fit", title));
      return to;
    };
    const put = (to) => {
      rmSync(`${live}.next`, { force: true });
      symlinkSync(to, `${live}.next`);
      renameSync(`${live}.next`, live);
    };
    put(make("one", "111111111111", "version one"));
    const server = await serve(live, "--csp");
    try {
      const visit = async () => {
        const page = await open(browser, `${server.address}?lang=en`);
        const seen = { title: await page.title(), state: await page.evaluate(() => document.documentElement.dataset.gpudget),
          versions: [...new Set(page.requests.map((u) => new URL(u).searchParams.get("v")).filter(Boolean))] };
        return { page, seen };
      };
      const cached = (page, version) => page.waitForFunction(async (v) => {
        const names = await caches.keys(), worker = await navigator.serviceWorker.getRegistration();
        return names.length === 1 && names[0] === `gpudget-${v}` && worker && worker.active && !worker.installing && !worker.waiting;
      }, { polling: 200 }, version);
      const first = await visit();
      assert.deepEqual(first.seen, { title: "gpudget: version one?", state: "ready", versions: ["111111111111"] });
      await cached(first.page, "111111111111");
      const complete = await first.page.evaluate(async () => (await (await caches.open((await caches.keys())[0])).keys()).length);
      put(make("two", "222222222222", "version two"));  // while the first is still open
      const second = await visit();
      assert.deepEqual(second.seen, { title: "gpudget: version two?", state: "ready", versions: ["222222222222"] }, "all of it new");
      assert.equal(await first.page.evaluate(() => window.gpudget.set({ method: "lora" }).memory.fits), true, "the old one goes on");
      await second.page.waitForFunction(async () => ((await navigator.serviceWorker.getRegistration()) || {}).waiting, { polling: 200 });  // all of its files are here
      assert.deepEqual((await second.page.evaluate(() => caches.keys())).sort(), ["gpudget-111111111111", "gpudget-222222222222"]);
      await first.page.close();
      await second.page.close();
      await pause(500);
      const third = await visit();
      await cached(third.page, "222222222222");
      assert.equal(await third.page.evaluate(async () => (await (await caches.open((await caches.keys())[0])).keys()).length), complete);
      // Half uploaded: the worker is there, one of its files is not. What is cached stays the whole second version.
      const half = make("three", "333333333333", "version three");
      cpSync(join(folder, "two", "index.html"), join(half, "index.html"));
      rmSync(join(half, "twin.js"));
      put(half);
      await third.page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        await registration.update().catch(() => {});
        for (let i = 0; i < 50 && registration.installing; ++i) await new Promise((done) => setTimeout(done, 100));
      });
      await third.page.close();
      server.stop();  // and now no network at all
      await pause(300);
      const last = await visit();
      assert.deepEqual(last.seen, { title: "gpudget: version two?", state: "ready", versions: ["222222222222"] });
      assert.deepEqual((await last.page.evaluate(() => caches.keys())).filter((n) => n !== "gpudget-222222222222" && n !== "gpudget-333333333333"), []);
      await last.page.close();
    } finally {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
