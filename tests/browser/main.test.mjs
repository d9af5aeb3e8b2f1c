// The main list: in Chromium and in Firefox.
import assert from "node:assert/strict";
import { artifacts, click, frames, idle, item, open, pause, report, scenario } from "./page.mjs";

const words = { en: /^Fits: .+ to spare on each .+\. .+ of .+\.$/, pt: /^Cabe: .+ de folga em cada .+\. .+ de .+\.$/, fr: /^Ça tient\u00a0: .+ de marge sur chaque .+\. .+ sur .+\.$/ };
const verdict = (page) => page.$eval("#verdict", (e) => e.textContent);

export const tests = {
  async "opens on a finished answer, quietly"({ browser, address, name }) {
    const page = await open(browser, `${address}?lang=en`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.gpudget), "ready");
    const estimate = await page.evaluate(() => window.gpudget.estimate());
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-8B");
    assert.equal(Object.values(estimate.memory.categories).reduce((a, b) => a + b, 0), estimate.memory.per_gpu.device);
    await idle(page);
    const strange = page.requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"));
    assert.deepEqual(strange, [], "requests that leave the origin");
    assert.deepEqual(page.problems, [], "console");
    await page.screenshot({ path: `${artifacts}/page-${name}.png` });
    const drawn = await page.evaluate(async () => {
      const canvas = document.getElementById("canvas");
      window.gpudget.items();
      return canvas.width > 300 && canvas.height > 150;
    });
    assert.ok(drawn);
    await page.close();
  },

  async "an input changes the verdict, by mouse and by message"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    const before = await page.evaluate(() => window.gpudget.estimate().memory.per_gpu.device);
    await click(page, "Method: QLoRA");
    assert.equal((await scenario(page)).method, "qlora");
    const after = await page.evaluate(() => window.gpudget.estimate().memory.per_gpu.device);
    assert.ok(after < before / 2, `${before} -> ${after}`);
    await page.evaluate(() => window.gpudget.set({ per_device_train_batch_size: 8 }));
    assert.ok((await page.evaluate(() => window.gpudget.estimate().memory.per_gpu.device)) > after);
    const wrong = await page.evaluate(() => {
      try {
        window.gpudget.set({ per_device_train_batch_size: 0 });
      } catch (error) {
        return { path: error.path, message: error.message };
      }
    });
    assert.equal(wrong.path, "per_device_train_batch_size");
    assert.equal((await scenario(page)).per_device_train_batch_size, 8);
    await page.close();
  },

  async "speaks three languages in two themes"({ browser, address, name }) {
    const pictures = new Set();
    for (const lang of ["en", "pt", "fr"]) {
      for (const theme of ["light", "dark"]) {
        const page = await open(browser, `${address}?lang=${lang}&theme=${theme}`);
        await page.waitForFunction(() => document.getElementById("verdict").textContent !== "");
        assert.match(await verdict(page), words[lang]);
        assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), lang);
        await idle(page);
        pictures.add(Buffer.from(await page.screenshot({ path: `${artifacts}/page-${name}-${lang}-${theme}.png` })).toString("base64").length);
        assert.deepEqual(page.problems, []);
        await page.close();
      }
    }
    assert.equal(pictures.size, 6, "six different pictures");
  },

  async "the address is the scenario, there and back"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await page.evaluate(() => window.gpudget.set({ method: "lora", lora: { r: 64 }, max_length: 4096, gpu: "h100-80gb-sxm" }));
    await page.waitForFunction(() => location.hash.length > 20);
    const length = await page.evaluate(() => history.length);
    const url = page.url(), wanted = await scenario(page);
    const again = await open(browser, url);
    assert.deepEqual(await scenario(again), wanted);
    await again.close();
    await page.bringToFront();
    // An address typed into the open page applies at once.
    await page.evaluate(() => window.gpudget.set({ method: "full" }));
    await pause(500);
    await page.evaluate((hash) => (location.hash = hash), new URL(url).hash);
    await page.waitForFunction(() => window.gpudget.scenario().method === "lora");
    assert.ok((await page.evaluate(() => history.length)) <= length + 1, "replaced, not pushed");
    await page.close();
  },

  async "a broken link says so and keeps the defaults"({ browser, address, name }) {
    for (const hash of ["#s=1garbage!!", "#s=", "#s=999zzzz", "#s=1" + "A".repeat(5000), "#s=%FF%FE"]) {
      const page = await open(browser, `${address}?lang=en${hash}`);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.gpudget), "ready");
      assert.equal((await scenario(page)).method, "full");
      assert.deepEqual(page.problems, []);
      if (hash.startsWith("#s=1g")) {
        await idle(page);
        await page.screenshot({ path: `${artifacts}/page-${name}-broken.png` });
        await item(page, "Dismiss");
      }
      await page.close();
    }
  },

  async "nothing is drawn while nothing moves"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    const rest = async (what) => {
      const before = await idle(page);
      await pause(1200);
      assert.equal(await frames(page), before, what);
    };
    await rest("after the start");
    const at = await item(page, "Method: LoRA");
    await page.mouse.move(at.cx, at.cy);
    await rest("after hovering");
    await page.mouse.move(700, 500);
    await page.mouse.click(at.cx, at.cy);
    await rest("after a click");
    await page.evaluate(() => document.activeElement.blur());
    await rest("without focus");
    await page.close();
  },

  async "keys of the page's other fields are left alone"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await page.evaluate(() => {
      const field = document.createElement("input");
      field.id = "other";
      field.style.cssText = "position:fixed;left:20px;top:20px;z-index:9";
      const next = document.createElement("button");
      next.id = "next";
      next.textContent = "next";
      next.style.cssText = "position:fixed;left:20px;top:60px;z-index:9";
      document.body.append(field, next);
    });
    await page.mouse.click(700, 700);
    await page.focus("#other");
    await page.keyboard.type("abc");
    await page.keyboard.press("Backspace");
    assert.equal(await page.$eval("#other", (e) => e.value), "ab");
    const before = await frames(page);
    await page.keyboard.type("xyz");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "next");
    await pause(300);
    assert.ok((await frames(page)) - before < 6, "typing elsewhere draws nothing here");
    await page.close();
  },

  async "Tab goes through the controls and leaves at both ends"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`, { height: 900 });
    await page.evaluate(() => {
      for (const id of ["before", "behind"]) {
        const button = document.createElement("button");
        button.id = id;
        button.textContent = id;
        button.style.cssText = "position:fixed;right:0;bottom:0;z-index:9";
        if (id === "before") document.body.prepend(button);
        else document.body.append(button);
      }
    });
    await page.evaluate(() => document.getElementById("skip").focus());
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "canvas");
    let inside = 0;
    const here = () => page.evaluate(() => document.activeElement.id);
    for (; inside < 400 && ["canvas", "agent"].includes(await here()); ++inside) await page.keyboard.press("Tab");
    assert.ok(inside > 25, `only ${inside} stops`);
    assert.ok(inside < 400, "a trap");
    assert.equal(await here(), "behind");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    assert.ok(["canvas", "agent"].includes(await here()), await here());
    let back = 0;
    for (; back < 400 && ["canvas", "agent"].includes(await here()); ++back) await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    assert.ok(back > 25 && back < 400, `${back} stops backwards`);
    assert.equal(await here(), "skip");
    await page.close();
  },

  async "Escape leaves when nothing is left to close"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await page.focus("#canvas");
    await page.keyboard.press("Tab");
    const inside = () => page.evaluate(() => ["canvas", "agent"].includes(document.activeElement.id));
    for (let i = 0; i < 6 && (await inside()); ++i) {
      await page.keyboard.press("Escape");
      await new Promise((wait) => setTimeout(wait, 150));  // as fast as a person presses; a busy computer draws no frame between quicker ones
    }
    assert.ok(!(await inside()));
    await page.close();
  },

  async "a drag goes on outside the canvas and ends there"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`, { before: (p) => p.evaluateOnNewDocument(() => addEventListener("DOMContentLoaded", () => {
      document.getElementById("stage").style.height = "640px";
      document.getElementById("stage").style.width = "1100px";
    })) });
    await idle(page);
    const at = (await page.evaluate(() => window.gpudget.items())).find((i) => i.label === "Sequence length" && i.width > 150);
    const y = at.y + at.height / 2;
    await page.mouse.move(at.x + 10, y);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width - 4, y, { steps: 4 });
    await page.mouse.move(at.x + at.width - 4, 740, { steps: 3 });
    await page.mouse.up();
    await pause(150);
    const length = (await scenario(page)).max_length;
    assert.ok(length > 8192, `dragged to ${length}`);
    await page.mouse.move(at.x + 10, y, { steps: 3 });
    await pause(150);
    assert.equal((await scenario(page)).max_length, length, "the drag is over");
    await page.close();
  },

  async "text: accents, backspace, copy, cut and paste in a field"({ browser, address, name }) {
    const page = await open(browser, `${address}?lang=en`);
    await click(page, "Model");
    await page.waitForFunction(() => window.gpudget.report.wantsText === 1);
    assert.equal(await page.evaluate(() => document.activeElement.id), "agent");
    await page.keyboard.type("qwen 7");
    await idle(page, 150);
    assert.ok((await page.evaluate(() => window.gpudget.items())).some((i) => i.label.startsWith("Qwen") && i.visible), "the list follows");
    const event = (type, data) => page.evaluate(({ type, data }) => {
      const transfer = new DataTransfer();
      if (data) transfer.setData("text/plain", data);
      let made = new ClipboardEvent(type, { clipboardData: transfer, bubbles: true, cancelable: true });
      if (data && made.clipboardData.getData("text/plain") !== data) {  // Firefox takes the text in its own way
        made = new ClipboardEvent(type, { dataType: "text/plain", data, bubbles: true, cancelable: true });
        if (made.clipboardData.getData("text/plain") !== data) throw new Error("this browser cannot make a paste event");
      }
      document.activeElement.dispatchEvent(made);
      return { text: made.clipboardData.getData("text/plain"), prevented: made.defaultPrevented };
    }, { type, data });
    const command = await page.evaluate(() => (/mac/i.test(navigator.platform) ? "Meta" : "Control"));
    await page.keyboard.down(command);
    await page.keyboard.press("a");
    await page.keyboard.up(command);
    await idle(page, 150);
    const copied = await event("copy");
    assert.ok(copied && copied.prevented);
    assert.equal(copied.text, "qwen 7");
    const cut = await event("cut");
    assert.equal(cut.text, "qwen 7");
    await idle(page, 150);
    await event("paste", "çãé œ");
    await idle(page, 150);
    await page.keyboard.down(command);
    await page.keyboard.press("a");
    await page.keyboard.up(command);
    await idle(page, 150);
    assert.equal((await event("copy")).text, "çãé œ");
    await page.screenshot({ path: `${artifacts}/page-${name}-model.png` });
    await page.keyboard.press("Escape");
    await page.close();
  },

  async "the wheel scrolls here, then keeps to itself; elsewhere it is the page's"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await page.evaluate(() => {
      document.body.style.overflow = "auto";
      document.documentElement.style.height = document.body.style.height = "auto";
      document.getElementById("stage").style.height = "600px";
      const tall = document.createElement("div");
      tall.style.height = "4000px";
      document.body.append(tall);
    });
    await idle(page);
    await page.mouse.move(700, 400);
    await pause(300);
    const chart = async () => (await page.evaluate(() => window.gpudget.items())).find((i) => i.label.startsWith("Load ")).y;
    const before = await chart();
    await page.mouse.wheel({ deltaY: 200 });
    await pause(300);
    assert.ok((await chart()) < before - 50, "scrolled inside");
    assert.equal(await page.evaluate(() => scrollY), 0, "the page stood still");
    await page.mouse.move(500, 20);
    await pause(400);
    await page.mouse.wheel({ deltaY: 200 });
    await pause(500);
    assert.ok((await page.evaluate(() => scrollY)) > 50, "over the header, where nothing scrolls, the page does");
    await page.close();
  },

  async "the text version: same answer, both ways, by keyboard alone"({ browser, address, name }) {
    const page = await open(browser, `${address}?lang=pt`);
    await page.focus("#skip");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.hasAttribute("data-text"));
    await page.waitForFunction(() => document.getElementById("verdict").textContent !== "");
    const before = await page.$eval("#verdict", (e) => e.textContent);
    await page.focus("#field-method");
    await page.keyboard.type("Q");
    await page.waitForFunction(() => window.gpudget.scenario().method === "qlora");
    await page.waitForFunction((was) => document.getElementById("verdict").textContent !== was, {}, before);
    await page.evaluate(() => window.gpudget.set({ max_length: 4096 }));
    await page.waitForFunction(() => document.getElementById("field-max_length").value === "4096");
    await page.$eval("#field-max_length", (e) => e.select());
    await page.keyboard.type("zero");
    await page.keyboard.press("Enter");
    await page.evaluate(() => document.activeElement.blur());
    await page.waitForFunction(() => document.getElementById("field-max_length").getAttribute("aria-invalid") === "true");
    assert.ok((await page.$eval("#field-max_length-wrong", (e) => e.textContent)).length > 5);
    assert.equal((await scenario(page)).max_length, 4096);
    const text = await page.$eval("#results", (e) => e.textContent);
    assert.match(text, /Pesos/);
    assert.match(text, /GB/);
    await page.screenshot({ path: `${artifacts}/text-${name}.png`, fullPage: true });
    await page.focus("#back");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.documentElement.hasAttribute("data-text"));
    assert.deepEqual(page.problems, []);
    await page.close();
  },

  async "a lost WebGL context comes back"({ browser, address }) {
    const page = await open(browser, `${address}?lang=en`);
    await idle(page);
    await page.evaluate(() => (window.lose = document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context")).loseContext());
    await pause(300);
    await page.evaluate(() => window.lose.restoreContext());
    await pause(500);
    const lit = await page.evaluate(() => new Promise((done) => {
      window.gpudget.items();
      const canvas = document.getElementById("canvas"), copy = document.createElement("canvas");
      copy.width = canvas.width;
      copy.height = canvas.height;
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const data = context.getImageData(0, 0, copy.width, copy.height).data, colours = new Set();
      for (let i = 0; i < data.length; i += 4 * 97) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      done(colours.size);
    }));
    assert.ok(lit > 20, `${lit} colours`);
    await click(page, "Method: LoRA");
    assert.equal((await scenario(page)).method, "lora");
    assert.deepEqual(page.problems.filter((p) => !/WebGL|context/i.test(p)), []);
    await page.close();
  },
};
