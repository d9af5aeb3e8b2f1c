// node run.mjs [--only WORDS] [--list FILE] [chromium|firefox]…: runs the test files, or that one, in the browsers that are here. A browser that is not here
// counts as skipped, all its tests.
import { existsSync } from "node:fs";
import { launch, serve } from "./page.mjs";

const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : "");
const only = option("--only"), list = option("--list");
const wanted = words.length ? words : ["chromium", "firefox"];
const here = { chromium: process.env.GPUDGET_CHROMIUM || "/usr/bin/chromium", firefox: process.env.GPUDGET_FIREFOX || "/usr/bin/firefox" };
const files = await Promise.all((list ? [list] : ["./main.test.mjs", "./tasks.test.mjs", "./tasks_text.test.mjs", "./alone.test.mjs", "./citizen.test.mjs"]).map((file) => import(file)));
const chromiumOnly = files.flatMap((file) => file.chromiumOnly || []);
let passed = 0, failed = 0, skipped = 0;

// What happened and where in the tests.
function told(error) {
  const lines = String((error && error.stack) || error).split("\n"), where = lines.filter((l) => /\.test\.mjs/.test(l));
  return [...lines.filter((l) => !/^\s+at /.test(l)).slice(0, 10), ...where].join("\n    ");
}

const server = await serve(undefined, "--csp");
for (const file of files) if (file.before) await file.before();
for (const name of wanted) {
  const tests = Object.entries(Object.assign({}, ...files.map((file) => file.tests))).filter(([title]) => title.includes(only) && (name === "chromium" || !chromiumOnly.includes(title)));
  if (!existsSync(here[name])) {
    console.log(`skipped: ${name} is not here`);
    skipped += tests.length;
    continue;
  }
  let browser = await launch(name);
  for (const [title, test] of tests) {
    const began = Date.now(), own = await browser.createBrowserContext();  // storage, caches and workers of its own
    let timer;
    try {
      await Promise.race([test({ browser: own, address: server.address, name }), new Promise((_, no) => (timer = setTimeout(() => no(new Error("took longer than 240 s")), 240000)))]);
      ++passed;
      console.log(`ok: ${name}: ${title} (${Date.now() - began} ms)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED: ${name}: ${title}: ${told(error)}`);
    } finally {
      clearTimeout(timer);
      await own.close().catch(() => {});
      if (!browser.connected) browser = await launch(name);
    }
  }
  await browser.close();
}
server.stop();
for (const file of files) if (file.after) await file.after();
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
