// The example site as its readers meet it: in both languages, in both of its themes, under its policy.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, open, pause, root, serve } from "../browser/page.mjs";

const folder = join(root, "build/docusaurus/build");
const { policy } = await import(pathToFileURL(join(root, "web/examples/docusaurus/policy.mjs")).href);
const text = policy(folder);
let server = null;
export const before = async () => (server = await serve(folder, "--policy", text));
export const after = () => server.stop();

const theme = (frame) => frame.evaluate(() => document.documentElement.dataset.theme);
const inner = (page, id) => page.frames().find((f) => f !== page.mainFrame() && f.url().includes(`view=${id}`));
const ready = (page, id) => page.waitForFunction((name) => {
  const element = document.getElementById(name);
  if (element) element.scrollIntoView({ block: "center" });
  return element && element.classList.contains("ready");
}, {}, id);
const words = { pt: { lang: "pt-BR", path: "", memory: /^Não cabe/, exercises: "Exercícios" }, fr: { lang: "fr", path: "fr/", memory: /^Ne tient pas/, exercises: "Exercices" } };

export const tests = {
  async "the policy names what Docusaurus puts into its pages, and allows no other inline script"() {
    assert.match(text, /script-src 'self' 'wasm-unsafe-eval'( 'sha256-[\w+/=]+')+(;|$)/);
    assert.doesNotMatch(text, /script-src[^;]*'unsafe-/);
  },
};
for (const [lang, word] of Object.entries(words)) {
  tests[`the chapter in ${lang}: three calculators in its language, their height, its theme`] = async ({ browser, name }) => {
    const page = await open(browser, `${server.address}${word.path}`, { width: 1280, height: 900, ready: false });
    assert.equal(await page.evaluate(() => document.documentElement.lang), word.lang);
    for (const id of ["memory", "checklist", "time"]) {
      await ready(page, id);
      const frame = inner(page, id);
      assert.equal(await frame.evaluate(() => document.documentElement.lang), word.lang);
      assert.equal(await theme(frame), await page.evaluate(() => document.documentElement.dataset.theme));
    }
    const memory = inner(page, "memory");
    await memory.waitForFunction((source) => new RegExp(source).test(document.getElementById("verdict").textContent), {}, word.memory.source);
    assert.equal(await memory.evaluate(() => window.gpudget.scenario().optimizer_states), "fp32", "the attribute's scenario");
    assert.equal(await memory.evaluate(() => window.gpudget.scenario().model.params), "7B");
    // The frame is as tall as what is in it, and stays so when that changes.
    const tall = (id) => page.evaluate((name) => document.getElementById(name).offsetHeight, id), room = (frame) => frame.evaluate(() => innerHeight - window.gpudget.report.height);
    const fits = async (id) => {  // all of it is seen, and hardly more
      const frame = inner(page, id), right = (spare) => spare > -1 && spare <= 10;
      for (let i = 0; i < 60 && !right(await room(frame)); ++i) await pause(100);
      assert.ok(right(await room(frame)), `${id}: ${await room(frame)} px to spare`);
      return tall(id);
    };
    for (const id of ["memory", "checklist", "time"]) assert.ok((await fits(id)) > 250);
    // The reader's switch of colours: twice, whatever it starts on.
    for (let i = 0; i < 2; ++i) {
      const was = await page.evaluate(() => document.documentElement.dataset.theme);
      for (let tries = 0; tries < 3 && (await page.evaluate(() => document.documentElement.dataset.theme)) === was; ++tries) {  // it may pass through "as the system"
        await page.evaluate(() => document.querySelector('button[class*="toggleButton"]').click());
        await pause(200);
      }
      const now = await page.evaluate(() => document.documentElement.dataset.theme);
      assert.notEqual(now, was);
      for (const id of ["memory", "checklist", "time"]) await inner(page, id).waitForFunction((t) => document.documentElement.dataset.theme === t, {}, now);
      if (i === 0) await page.screenshot({ path: `${artifacts}/docusaurus-${name}-${lang}.png` });
    }
    await page.setViewport({ width: 420, height: 800 });  // a phone: narrower is taller
    await pause(400);
    await ready(page, "time");
    await fits("time");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing to scroll sideways");
    assert.deepEqual(page.problems, []);
    await page.close();
  };
  tests[`from page to page in ${lang} without loading anew: the calculators of the one go, those of the other come`] = async ({ browser }) => {
    const page = await open(browser, `${server.address}${word.path}`, { width: 1280, height: 900, ready: false });
    await ready(page, "memory");
    await page.evaluate(() => (window.same = true));
    await page.evaluate((label) => [...document.querySelectorAll("a")].find((a) => a.textContent.trim() === label).click(), word.exercises);
    await ready(page, "exercise");
    assert.equal(await page.evaluate(() => window.same), true);
    assert.equal(await page.evaluate(() => document.querySelectorAll("gpu-budget").length), 1);
    const frame = inner(page, "memory");
    await frame.waitForFunction(() => window.gpudget.scenario().method === "qlora" && window.gpudget.scenario().gpu === "rtx-4090");
    await page.goBack();
    await ready(page, "memory");
    await inner(page, "memory").waitForFunction(() => window.gpudget.scenario().optimizer_states === "fp32");  // made by the framework this time, not read from HTML
    assert.deepEqual(page.problems, []);
    await page.close();
  };
}
