// Seven tasks of people, each through what is visible only, with at most so many actions: a click, a field filled in, a paste. Scrolling and looking are
// free.
import assert from "node:assert/strict";
import { artifacts, idle, open, press, reach, scenario } from "./page.mjs";

const estimate = (page) => page.evaluate(() => window.gpudget.estimate());
// Counts what the person does.
function person(page) {
  let actions = 0;
  return {
    press: (label, which) => (++actions, press(page, label, which)),
    async type(text) {
      ++actions;
      await page.keyboard.type(text);
      await idle(page, 100);
      await page.keyboard.press("Enter");
      await idle(page, 100);
    },
    async fill(label, text) {
      ++actions;
      await press(page, label);
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await idle(page, 150);
    },
    async paste(text) {
      ++actions;
      await page.evaluate((data) => {
        const transfer = new DataTransfer();
        transfer.setData("text/plain", data);
        let made = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
        if (made.clipboardData.getData("text/plain") !== data) made = new ClipboardEvent("paste", { dataType: "text/plain", data, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(made);
      }, text);
      await idle(page, 100);
    },
    within(limit) {
      assert.ok(actions > 0 && actions <= limit, `${actions} actions, at most ${limit}`);
    },
  };
}
// What goes to the clipboard, without a permission.
const clipboard = (p) => p.evaluateOnNewDocument(() => {
  window.copied = [];
  Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => (window.copied.push(text), Promise.resolve()) } });
});
const start = (browser, address, query = "lang=en") => open(browser, query ? `${address}?${query}` : address, { width: 1440, height: 900, before: clipboard });

export const tests = {
  async "task: fit Llama 3.1 8B on a 24 GB card"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await me.press("GPU");
    await me.type("4090");
    assert.equal((await scenario(page)).gpu, "rtx-4090");
    assert.equal((await estimate(page)).memory.fits, false);
    await me.press("Train with QLoRA");
    await me.press("Use a fused loss: fits");
    assert.equal((await estimate(page)).memory.fits, true);
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-8B");
    me.within(4);
    await page.close();
  },
  async "task: find the largest batch"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await me.press("Largest that fits");
    const { per_device_train_batch_size: most } = await scenario(page);
    assert.ok(most > 1 && (await estimate(page)).memory.fits);
    assert.equal(await page.evaluate((n) => window.gpudget.set({ per_device_train_batch_size: n + 1 }).memory.fits, most), false, "one more does not fit");
    me.within(3);
    await page.close();
  },
  async "task: 70B under 500 dollars by tomorrow"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await me.press("Model");
    await me.type("llama 3.1 70b");
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-70B");
    await me.press("Plan");
    await me.fill("Deadline, hours", "24");
    await me.fill("Budget, US$", "500");
    await me.press(/^(\d+ × )?\S.*, .+\$\d/);  // the first way of the table
    const { time, cost, memory } = await estimate(page);
    assert.ok(time.seconds <= 24 * 3600 && cost.usd <= 500 && memory.fits, JSON.stringify([time.seconds, cost.usd, memory.fits]));
    assert.equal((await scenario(page)).model, "meta-llama/Llama-3.1-70B");
    me.within(6);
    await page.close();
  },
  async "task: import a config.json and share the link"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await page.mouse.click(1000, 700);
    await me.paste(JSON.stringify({ architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 2048, intermediate_size: 5632, num_hidden_layers: 22, num_attention_heads: 32,
      num_key_value_heads: 4, vocab_size: 32000, max_position_embeddings: 2048, tie_word_embeddings: false }));
    assert.equal((await estimate(page)).model.parameters, 1100048384);
    await me.press("Share");
    const [link] = await page.evaluate(() => window.copied);
    assert.match(link, /#s=/);
    const other = await start(browser, link, "");
    assert.equal((await estimate(other)).model.parameters, 1100048384);
    me.within(4);
    await page.close();
  },
  async "task: finish the quiz"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await me.press("Learn");
    await reach(page, "Weights, gradients, optimizer states, activations");
    const answered = [];
    for (let q = 0; q < 9; ++q) {
      let option = null;
      for (let look = 0; !option && look < 30; ++look) {  // four answers under each other, none of them of a question before
        const rows = (await page.evaluate(() => window.gpudget.items())).filter((i) => i.visible && i.label && i.width > 600 && i.height < 90 && i.x > 380 && i.y < 800).sort((a, b) => a.y - b.y);
        const at = rows.findIndex((r, i) => rows[i + 3] && rows[i + 3].y - r.y < 250 && !answered.includes(r.label));
        if (at >= 0) option = rows[at];
        else await page.mouse.wheel({ deltaY: 200 });
        await idle(page, 100);
        if (option) answered.push(...rows.slice(at, at + 4).map((r) => r.label));
      }
      await me.press(option.label);
    }
    await reach(page, "Start again");
    me.within(10);
    await page.screenshot({ path: `${artifacts}/task-quiz.png` });
    await page.close();
  },
  async "task: read the bf16 table in French"({ browser, address }) {
    const page = await open(browser, address, { width: 1440, height: 900, before: (p) => p.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, "languages", { value: ["fr-CA", "en"] });
    }) });
    const me = person(page);
    await me.press("Apprendre");
    await reach(page, /^Précision.*bfloat16/);
    me.within(2);
    await page.screenshot({ path: `${artifacts}/task-french.png` });
    await page.close();
  },
  async "task: export a DeepSpeed configuration"({ browser, address }) {
    const page = await start(browser, address), me = person(page);
    await me.press("Export");
    await me.press("A configuration that runs: DeepSpeed");
    await me.press("Copy");
    const config = JSON.parse((await page.evaluate(() => window.copied)).at(-1));
    assert.equal(config.train_micro_batch_size_per_gpu, 1);
    me.within(3);
    await page.close();
  },
};
