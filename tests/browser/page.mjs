// What the browser tests share: a server of the site with its policy, browsers, and a page that is ready.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const site = process.env.GPUDGET_SITE || join(root, "build/web/site");
export const artifacts = process.env.GPUDGET_ARTIFACTS || join(root, "build/artifacts");
mkdirSync(artifacts, { recursive: true });
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function serve(folder = site, ...options) {
  const child = spawn(process.execPath, [join(root, "web/serve.mjs"), folder, "--port", String(18000 + Math.trunc(Math.random() * 2000)), ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (data) => done(String(data).trim()));
    child.once("exit", () => fail(new Error("the server ended")));
  });
  return { address, stop: () => child.kill() };
}

const path = (names) => names.find((n) => n);
export async function launch(browser, { scale = 1, args = [], preferences = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "gpudget-browser-"));
  const started = browser === "firefox"
    ? await puppeteer.launch({ browser: "firefox", executablePath: path([process.env.GPUDGET_FIREFOX, "/usr/bin/firefox"]), headless: false, userDataDir: folder, protocolTimeout: 180000,
        extraPrefsFirefox: { "webgl.force-enabled": true, "layout.css.devPixelsPerPx": String(scale), "ui.prefersReducedMotion": 0, ...preferences } })
    : await puppeteer.launch({ executablePath: path([process.env.GPUDGET_CHROMIUM, "/usr/bin/chromium"]), headless: true, userDataDir: folder, protocolTimeout: 180000,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--lang=en-US", `--force-device-scale-factor=${scale}`, "--disable-dev-shm-usage", ...args] });
  const close = started.close.bind(started);
  started.close = async () => {
    await close().catch(() => {});
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return started;
}

// A page that is ready, with what went wrong on the way collected.
export async function open(browser, url, { width = 1280, height = 800, ready = true, before } = {}) {
  const page = await browser.newPage();
  page.problems = [];
  page.requests = [];
  page.on("console", (line) => ["error", "warn", "warning"].includes(line.type()) && page.problems.push(line.text()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => page.requests.push(request.url()));
  page.setDefaultTimeout(60000);  // the slowest machine that tests has two old cores and no GPU
  await page.setViewport({ width, height });
  if (before) await before(page);
  await page.goto(url);
  if (ready) await page.waitForFunction(() => document.documentElement.dataset.gpudget !== "loading");
  return page;
}

// Tables of a page: what the tests ask for most.
export const scenario = (page) => page.evaluate(() => window.gpudget.scenario());
export const frames = (page) => page.evaluate(() => window.gpudget.frames);
export const report = (page) => page.evaluate(() => window.gpudget.report);
export async function idle(page, quiet = 400) {
  for (let i = 0, last = -1; i < 60; ++i) {
    const now = await frames(page);
    if (now === last) return now;
    last = now;
    await pause(quiet);
  }
  throw new Error("frames never end");
}
export async function item(page, label) {
  const all = await page.evaluate(() => window.gpudget.items());
  const found = all.find((i) => i.visible && i.label === label) || all.find((i) => i.visible && i.label.startsWith(label));
  if (!found) throw new Error(`no item '${label}' among: ${all.map((i) => i.label).filter(Boolean).join(" | ")}`);
  return { ...found, cx: found.x + found.width / 2, cy: found.y + found.height / 2 };
}
export async function click(page, label) {
  const at = await item(page, label);
  await page.mouse.click(at.cx, at.cy);
  await pause(80);
}
// As a person does: brings the control into sight with the wheel, then clicks it. `which` of several with that label. What is out of sight may have no
// label yet: then the answer is looked through from where it stands.
export async function reach(page, label, which = 0) {
  const { width, height } = page.viewport();
  for (let i = 0; i < 60; ++i) {
    const all = (await page.evaluate(() => window.gpudget.items())).filter((entry) => entry.width > 0);
    const same = all.filter((entry) => (label.test ? label.test(entry.label) : entry.label === label));
    const found = (same.length || label.test ? same : all.filter((entry) => entry.label.startsWith(label)))[which];
    const cx = found ? found.x + found.width / 2 : width * 0.7, cy = found ? found.y + found.height / 2 : height * 1.2;
    if (found && found.visible && cy > 8 && cy < height - 8) return { ...found, cx, cy };
    await page.mouse.move(Math.min(cx, width - 30), height * 0.8);
    await page.mouse.wheel({ deltaY: Math.trunc(cy < height / 2 ? Math.min(-60, cy - height / 2) : Math.max(60, cy - height * 0.7)) });
    await idle(page, 100);
  }
  const all = await page.evaluate(() => window.gpudget.items());
  throw new Error(`'${label}' is not to be found among: ${all.map((entry) => entry.label).filter(Boolean).join(" | ")}`);
}
export async function press(page, label, which = 0) {
  const at = await reach(page, label, which);
  await page.mouse.click(at.cx, at.cy);
  await idle(page, 100);
}
