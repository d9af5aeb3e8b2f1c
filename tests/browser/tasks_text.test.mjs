// The same seven tasks in the text version, by keyboard alone: Tab to what has the name, then keys.
import assert from "node:assert/strict";
import { artifacts, open, scenario } from "./page.mjs";

const estimate = (page) => page.evaluate(() => window.gpudget.estimate());
async function start(browser, address, query = "lang=en&text=1", languages = null) {
  return open(browser, query ? `${address}?${query}` : address, { width: 1024, height: 800, before: (p) => p.evaluateOnNewDocument((list) => {
    window.copied = [];
    Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => (window.copied.push(text), Promise.resolve()) } });
    if (list) Object.defineProperty(navigator, "languages", { value: list });
  }, languages) });
}
// What has the focus, by what a screen reader would say: its label, or its own text.
const focused = (page) => page.evaluate(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return "";
  return (one.getAttribute("aria-label") || (one.labels && one.labels.length ? one.labels[0].textContent : one.textContent)).trim();
});
// As a person does who knows the page: Tab, or Shift+Tab where it stands before. (Past the last control Firefox goes to its own bar.)
async function tabTo(page, name) {
  const right = (now) => (name.test ? name.test(now) : now === name), here = await focused(page);
  if (right(here)) return here;
  const seen = [], back = await page.evaluate((source, text) => {
    const called = (one) => (one.getAttribute("aria-label") || (one.labels && one.labels.length ? one.labels[0].textContent : one.textContent)).trim();
    const all = [...document.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")].filter((e) => e.tabIndex >= 0 && e.checkVisibility());
    const from = all.indexOf(document.activeElement), right = (e) => (source ? new RegExp(source).test(called(e)) : called(e) === text);
    return !all.slice(from + 1).some(right) && all.slice(0, Math.max(0, from)).some(right);
  }, name.source || "", name.test ? "" : name);
  for (let i = 0; i < 400; ++i) {
    if (back) await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    if (back) await page.keyboard.up("Shift");
    const now = await focused(page);
    if (right(now)) return now;
    if (now && now !== seen.at(-1)) seen.push(now);
  }
  throw new Error(`Tab does not come to ${name}: ${seen.join(" | ")}`);
}
async function press(page, name) {
  await tabTo(page, name);
  const closed = await page.evaluate(() => document.activeElement.tagName === "SUMMARY" && !document.activeElement.parentElement.open);
  await page.keyboard.press("Enter");
  if (closed) await settled(page, () => document.activeElement.nextElementSibling.children.length > 0);  // what it holds is made when it opens
}
async function type(page, name, text) {
  await tabTo(page, name);
  if (await page.evaluate(() => document.activeElement.tagName !== "SELECT")) {
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
  }
  await page.keyboard.type(text);
}
const said = (page, tool) => page.evaluate((t) => [...document.querySelectorAll(`[data-tool=${t}] .said`)].map((e) => e.textContent).filter(Boolean), tool);
const settled = (page, check, ...values) => page.waitForFunction(check, { timeout: 20000 }, ...values);

export const tests = {
  async "by keyboard: fit Llama 3.1 8B on a 24 GB card"({ browser, address }) {
    const page = await start(browser, address);
    await type(page, "GPU", "NVIDIA GeForce RTX 4090");
    await page.keyboard.press("Tab");
    assert.equal((await scenario(page)).gpu, "rtx-4090");
    await press(page, "Apply: Train with QLoRA");
    await settled(page, () => window.gpudget.scenario().method === "qlora");
    if (!(await estimate(page)).memory.fits) await press(page, /^Apply: Use a fused loss/);
    await settled(page, () => window.gpudget.estimate().memory.fits && document.getElementById("verdict").dataset.outcome !== "over");
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-8B");
    await page.close();
  },
  async "by keyboard: find the largest batch"({ browser, address }) {
    const page = await start(browser, address);
    await press(page, "The largest that fits");
    await page.evaluate(() => window.gpudget.set({ gpu: "rtx-4090" }));
    await press(page, "Find it");
    assert.match((await said(page, "largest"))[0], /^Not even the smallest fits/);
    await page.evaluate(() => window.gpudget.set({ gpu: "a100-80gb-sxm", method: "qlora" }));
    await press(page, "Find it");
    assert.match((await said(page, "largest"))[0], /^The largest that fits: \d+\./);
    await press(page, "Apply");
    const { per_device_train_batch_size: most } = await scenario(page);
    assert.ok(most > 1 && (await estimate(page)).memory.fits);
    assert.equal(await page.evaluate((n) => window.gpudget.set({ per_device_train_batch_size: n + 1 }).memory.fits, most), false, "one more does not fit");
    await page.close();
  },
  async "by keyboard: 70B under 500 dollars by tomorrow"({ browser, address }) {
    const page = await start(browser, address);
    await type(page, "Model", "meta-llama/Llama-3.1-70B");
    await page.keyboard.press("Tab");
    await press(page, "Plan");
    await type(page, "Deadline, hours", "24");
    await type(page, "Budget, US$", "500");
    await press(page, "Look for ways");
    await press(page, /^Apply: .*\d/);
    assert.deepEqual(await said(page, "plan"), ["Applied."]);
    const { time, cost, memory } = await estimate(page);
    assert.ok(time.seconds <= 24 * 3600 && cost.usd <= 500 && memory.fits, JSON.stringify([time.seconds, cost.usd, memory.fits]));
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-70B");
    await page.close();
  },
  async "by keyboard: a deadline that is no number is said, and nothing satisfies an impossible one"({ browser, address }) {
    const page = await start(browser, address);
    await press(page, "Plan");
    await type(page, "Deadline, hours", "soon");
    await press(page, "Look for ways");
    assert.match((await said(page, "plan"))[0], /soon/);
    await type(page, "Deadline, hours", "0.001");
    await press(page, "Look for ways");
    assert.match((await said(page, "plan"))[0], /^Nothing satisfies all of this\. Fastest:/);
    await page.close();
  },
  async "by keyboard: import a config.json and share the link"({ browser, address }) {
    const page = await start(browser, address);
    await press(page, "Open a model or a configuration");
    await type(page, "Or paste its text here", '{"model_type":"lama"}');
    await press(page, "Open the pasted text");
    assert.match((await said(page, "open"))[0], /lama/);
    await type(page, "Or paste its text here", JSON.stringify({ architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22,
      num_attention_heads: 32, num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 2048, tie_word_embeddings: false }));
    await press(page, "Open the pasted text");
    assert.deepEqual(await said(page, "open"), ["Opened: pasted text."]);
    assert.equal((await estimate(page)).model.parameters, 1100048384);
    await press(page, "Share");
    await press(page, "Copy");
    const [link] = await page.evaluate(() => window.copied);
    assert.match(link, /#s=/);
    const other = await start(browser, link, "");
    assert.equal((await estimate(other)).model.parameters, 1100048384);
    await other.close();
    await page.close();
  },
  async "by keyboard: another tool's file says what of it was read, assumed and ignored"({ browser, address }) {
    const page = await start(browser, address, "text=1", ["fr-FR"]);
    await press(page, "Ouvrir un modèle ou une configuration");
    await type(page, "Ou collez son texte ici", JSON.stringify({ per_device_train_batch_size: 3, gradient_checkpointing: true, bf16: true, learning_rate: 2e-5, output_dir: "x" }));
    await press(page, "Ouvrir le texte collé");
    assert.deepEqual(await said(page, "open"), ["Ouvert\u00a0: texte collé."]);
    assert.equal((await scenario(page)).per_device_train_batch_size, 3);
    const lists = await page.evaluate(() => [...document.querySelectorAll("[data-tool=open] h3")].map((h) => [h.textContent, [...h.nextElementSibling.children].map((li) => li.textContent)]));
    assert.deepEqual(lists.map(([title]) => title), ["Lu dans le fichier", "Supposé, car le fichier ne le dit pas", "Ignoré\u00a0: sans effet sur l’estimation"]);
    assert.ok(lists[0][1].includes("per_device_train_batch_size: per_device_train_batch_size = 3"), JSON.stringify(lists));
    assert.deepEqual(lists[1][1], ["weights = bf16"], "no English reason in a French page");
    assert.deepEqual(lists[2][1], ["learning_rate", "output_dir"]);
    await page.close();
  },
  async "by keyboard: read the bf16 table in French"({ browser, address }) {
    const page = await start(browser, address, "text=1", ["fr-CA", "en"]);
    await press(page, "Apprendre");
    const row = await page.evaluate(() => [...document.querySelectorAll("[data-tool=learn] table tr")].map((r) => r.textContent).find((t) => t.includes("7B") && t.includes("84")));
    assert.match(row, /84\sGo/);
    await page.screenshot({ path: `${artifacts}/text-french.png`, fullPage: true });
    await page.close();
  },
  async "by keyboard: finish the quiz"({ browser, address }) {
    const page = await start(browser, address);
    await press(page, "Learn");
    const asked = await page.evaluate(() => document.querySelectorAll("[data-tool=learn] fieldset").length);
    assert.ok(asked >= 8);
    for (let i = 0; i < asked; ++i) {
      for (let tabs = 0; ; ++tabs) {  // on to the next question's answers
        await page.keyboard.press("Tab");
        if (await page.evaluate((n) => document.activeElement.type === "radio" && [...document.querySelectorAll("[data-tool=learn] fieldset")].indexOf(document.activeElement.closest("fieldset")) === n, i)) break;
        assert.ok(tabs < 100, `question ${i + 1}`);
      }
      await page.keyboard.press(" ");
    }
    const [score] = (await said(page, "learn")).slice(-1);
    assert.match(score, new RegExp(`^\\d of ${asked} right$`));
    await page.close();
  },
  async "by keyboard: export a DeepSpeed configuration"({ browser, address }) {
    const page = await start(browser, address);
    await press(page, "Export");
    await type(page, "A configuration that runs", "Deep");
    await press(page, "Copy");
    const config = JSON.parse((await page.evaluate(() => window.copied)).at(-1));
    assert.equal(config.train_micro_batch_size_per_gpu, 1);
    await page.close();
  },
  async "by keyboard: another language, undo, and nothing in the Tab order while the drawing is shown"({ browser, address }) {
    const page = await start(browser, address);
    await type(page, "Language", "Portu");
    await settled(page, () => document.documentElement.lang === "pt-BR" && document.querySelector("[data-tool=plan] h2").textContent === "Plano");
    await page.evaluate(() => window.gpudget.set({ method: "lora" }));
    await press(page, "Desfazer");
    assert.equal((await scenario(page)).method, "full");
    await press(page, "Versão gráfica");
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#text :is(a, button, input, select, textarea, summary, .wide)")].filter((e) => e.tabIndex >= 0 && !e.hidden && e.id !== "back").length), 0);
    await page.close();
  },
};
