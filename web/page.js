// The page: its address (lang, theme, view, embed, controls, links, text and #s=), the program on the canvas, the text version beside it, the page
// around it (messages of shared contract), and window.gpudget for tests and hosts.
"use strict";

(() => {
  const root = document.documentElement, by = (id) => document.getElementById(id);
  const parameters = new URLSearchParams(location.search);
  const LANGUAGES = ["en", "pt", "fr"], VIEWS = ["memory", "time", "plan", "checklist", "learn", "export", "accuracy", "compare"];
  const one = (name, allowed, fallback) => (allowed.includes(parameters.get(name)) ? parameters.get(name) : fallback);
  const supported = (tag) => LANGUAGES.find((l) => String(tag || "").toLowerCase().replace("_", "-").split("-")[0] === l);
  const embedded = window.parent !== window, embed = parameters.get("embed") === "1";
  const dark = matchMedia("(prefers-color-scheme: dark)"), still = matchMedia("(prefers-reduced-motion: reduce)"), coarse = matchMedia("(pointer: coarse)");
  const forced = matchMedia("(forced-colors: active)");
  const options = {
    lang: supported(parameters.get("lang")) || (navigator.languages || [navigator.language]).map(supported).find(Boolean) || "en",
    theme: one("theme", ["light", "dark", "auto"], "auto"),
    view: one("view", VIEWS, "memory"),
    controls: one("controls", ["none", "basic", "full"], "full"),
    links: parameters.get("links") !== "0",
  };
  let program = null, platform = null, twin = null, draws = false, textWanted = parameters.get("text") === "1", revision = -1, applied = "", settled = false;

  const word = (id, values = {}) => ((gpudgetWords[options.lang] || gpudgetWords.en)[id] || gpudgetWords.en[id] || id).replace(/\{(\w+)\}/g, (w, n) => (n in values ? values[n] : w));
  const theme = () => (options.theme === "auto" ? (dark.matches ? "dark" : "light") : options.theme);
  function label() {
    root.lang = options.lang === "pt" ? "pt-BR" : options.lang;
    root.dataset.theme = theme();
    document.title = word("page.title");
    by("skip").textContent = word("page.text_version");
    by("back").textContent = word("page.drawn_version");
    by("canvas").setAttribute("aria-label", word("page.canvas_label"));
    by("agent").setAttribute("aria-label", word("page.agent_label"));
    by("canvas-help").textContent = word("page.canvas_help");
    by("text-title").textContent = word("page.title");
    by("rules-title").textContent = word("page.rules");
    by("rules-full").textContent = word("page.rules.full");
  }

  // Sight: the drawing or the text -----------------------------------------------------------------------------------------------------------------------
  function sight() {
    const text = textWanted || forced.matches || (settled && !draws);
    root.toggleAttribute("data-text", text);
    by("back").hidden = !text || !draws;
    by("rules").hidden = program !== null;
    if (twin) twin.show(text);
    if (!text && platform) platform.measure();
  }
  function showText(on) {
    textWanted = on;
    sight();
    if (on) by("text").focus();
    else by("canvas").focus({ preventScroll: true });
    address();
  }
  by("skip").addEventListener("click", (event) => (event.preventDefault(), showText(true)));
  by("back").addEventListener("click", () => showText(false));
  forced.addEventListener("change", sight);
  function trouble(text) {
    by("trouble").textContent = text;
    by("trouble").hidden = false;
  }
  function notice(text) {
    by("notice").textContent = text;
    by("notice").hidden = false;
    setTimeout(() => (by("notice").hidden = true), 8000);
  }

  // Address and memory: replaced, never pushed; nothing of the kind when embedded ----------------------------------------------------------------------------
  let addressTimer = 0;
  const storage = {
    get() {
      try {
        return embedded ? null : localStorage.getItem("gpudget");
      } catch {
        return null;
      }
    },
    set(value) {
      try {
        if (!embedded) localStorage.setItem("gpudget", value);
      } catch {  // storage is blocked: the page works without
      }
    },
  };
  function address() {
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      if (!program) return;
      const state = platform.callText("url_state", "");
      storage.set(state);
      if (embedded) return;
      const query = new URLSearchParams(location.search);
      for (const name of ["lang", "theme", "view"]) if (query.has(name) || chosen.has(name)) query.set(name, options[name]);
      if (textWanted) query.set("text", "1");
      else query.delete("text");
      const search = query.toString(), to = `${location.pathname}${search ? "?" + search : ""}#s=${state}`;
      applied = `#s=${state}`;
      try {
        if (location.pathname + location.search + location.hash !== to) history.replaceState(history.state, "", to);
      } catch {  // some file: pages may not
      }
    }, 300);
  }
  const chosen = new Set();  // what the person chose here stands in the address from then on
  addEventListener("hashchange", () => {
    if (!program || location.hash === applied || !location.hash.startsWith("#s=")) return;
    applied = location.hash;
    platform.callText("set_url_state", "s", location.hash.slice(3));
    changed("user");
    platform.schedule();
  });

  // Messages to and from the page around us ---------------------------------------------------------------------------------------------------------------
  const tell = (message) => {
    if (embedded) window.parent.postMessage(message, "*");
  };
  let changeTimer = 0, heightTimer = 0, height = 0;
  function tellChange(source) {
    if (!embedded) return;
    clearTimeout(changeTimer);
    changeTimer = setTimeout(() => tell({ type: "gpudget:change", source, scenario: scenario(), estimate: estimate() }), 150);
  }
  function tellHeight() {  // where it came to rest: a layout takes a few frames
    if (!embedded || heightTimer) return;
    heightTimer = setTimeout(() => {
      heightTimer = 0;
      const now = Math.min(4000, Math.ceil(platform.report.height));
      if (now < 1 || (now <= height && height - now < 8)) return;  // never too low; a little too high is left alone
      height = now;
      tell({ type: "gpudget:resize", height: now });
      tell({ subject: "lti.frameResize", height: now });
    }, 100);
  }
  const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  addEventListener("message", (event) => {
    if (!embedded || event.source !== window.parent || !plain(event.data) || typeof event.data.type !== "string") return;
    const data = event.data;
    if (data.type === "gpudget:hello") {
      if (program) tell({ type: "gpudget:ready" });
      height = 0;
      if (platform) platform.schedule();
    } else if (data.type === "gpudget:set" && program) {
      let text = "";
      try {
        text = plain(data.scenario) ? JSON.stringify(data.scenario) : "";
      } catch {
        text = "";
      }
      if (!text || text.length > 1 << 20) return tell({ type: "gpudget:error", path: "", message: "scenario: an object of at most 1 MB" });
      const error = apply(text, true);
      if (error) tell({ type: "gpudget:error", path: error.path, message: error.message });
    } else if (data.type === "gpudget:theme" && ["light", "dark", "auto"].includes(data.theme)) {
      options.theme = data.theme;
      reoption();
    } else if (data.type === "gpudget:options") {
      if (supported(data.lang)) options.lang = supported(data.lang);
      if (VIEWS.includes(data.view)) options.view = data.view;
      if (["none", "basic", "full"].includes(data.controls)) options.controls = data.controls;
      reoption();
    }
  });

  // The scenario -----------------------------------------------------------------------------------------------------------------------------------------------
  const scenario = () => JSON.parse(platform.callText("scenario", ""));
  const estimate = () => JSON.parse(platform.callText("estimate", ""));
  function apply(text, byHost) {
    const answer = platform.callText("set", "si", text, byHost ? 1 : 0);
    platform.schedule();
    if (answer) return JSON.parse(answer);
    changed(byHost ? "host" : "user");
    return null;
  }
  let twinTimer = 0;
  function changed(source) {
    const now = program._gp_revision();
    if (now === revision) return;
    const first = revision < 0;
    revision = now;
    clearTimeout(twinTimer);
    twinTimer = setTimeout(() => twin.refresh(options.lang), root.hasAttribute("data-text") ? 0 : 200);
    if (first) return;
    address();
    tellChange(source);
  }
  const flags = () => (embed ? 1 : 0) | (options.links ? 2 : 0) | (still.matches ? 4 : 0) | (coarse.matches ? 8 : 0) | (/^mac|iphone|ipad/i.test(navigator.platform) ? 16 : 0);
  async function reoption() {
    label();
    if (!program) return;
    await speak(options.lang);
    platform.call("options", "ssssi", options.lang, theme(), options.view, options.controls, flags());
    platform.schedule();
    clearTimeout(twinTimer);
    twinTimer = setTimeout(() => twin.refresh(options.lang), 0);
  }
  dark.addEventListener("change", reoption);
  still.addEventListener("change", reoption);
  coarse.addEventListener("change", reoption);

  // A file or a pasted text. YAML becomes JSON here, its reader brought when the first one comes. An error, or null.
  async function open(name, text) {
    const answer = (error) => {
      platform.schedule();
      if (error) return JSON.parse(error);
      changed("user");
      return null;
    };
    // What the program's own reader does not know (as isYaml of gpudget.js, which is a module and of its own).
    const yaml = !/\.json$/.test(name) && !text.startsWith("GGUF") && !/^[ \t\r\n\ufeff]*([[{]|$)/.test(text.slice(0, 4096));
    if (!yaml) return answer(platform.callText("open", "ss", name, text));
    let json;
    try {
      if (text.length > 4 << 20) throw Object.assign(new Error("too_large"), { kind: "too_large", line: 0 });
      if (!window.gpudgetYaml) await script("gpudget-yaml.js");
      json = gpudgetYaml.toJson(text);
    } catch (error) {
      const what = word(error.kind ? `page.yaml.${error.kind}` : "page.yaml.no_reader");
      return answer(platform.callText("refuse", "ss", name, error.line ? word("page.yaml.line", { line: error.line, what }) : what));
    }
    return answer(platform.callText("open", "ss", name, json));
  }

  // What the interface asks of the page ---------------------------------------------------------------------------------------------------------------------
  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
  function copyByHand(text) {
    const area = document.createElement("textarea"), focused = document.activeElement;
    area.value = text;
    area.setAttribute("aria-hidden", "true");
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (focused && focused.focus) focused.focus({ preventScroll: true });
    return done;
  }
  let png = "";
  const host = {
    copy(text) {
      if (platform && platform.quiet()) return;  // the clipboard event carries it
      if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(text).catch(() => copyByHand(text));
      else copyByHand(text);
    },
    save: (name, mime, content) => download(name, new Blob([content], { type: `${mime};charset=utf-8` })),
    savePng: (name) => (png = name),
    chooseFile() {
      const input = document.createElement("input");
      input.type = "file";
      input.accept = ".json,.yaml,.yml,.gguf,application/json,application/yaml";
      input.addEventListener("change", () => platform.openFile(input.files[0]));
      input.click();
    },
    openLink(url) {
      if (options.links && /^https?:/.test(url)) window.open(url, "_blank", "noopener");
    },
    pageAddress: () => location.origin + location.pathname,
    optionsChanged(lang, to, view) {
      for (const [name, value] of [["lang", lang], ["view", view]]) {
        if (options[name] === value) continue;
        options[name] = value;
        chosen.add(name);
      }
      if (theme() !== to) {
        options.theme = to;
        chosen.add("theme");
      }
      label();
      address();
      clearTimeout(twinTimer);
      speak(options.lang).then(() => {
        platform.schedule();
        clearTimeout(twinTimer);
        twinTimer = setTimeout(() => twin.refresh(options.lang), 0);
      });
    },
    loadAccuracy() {
      get("accuracy.json").then((answer) => answer.text()).catch(() => "").then((text) => {
        platform.call("accuracy", "s", text);
        platform.schedule();
      });
    },
    activity: (verb, id, success) => tell({ type: "gpudget:activity", verb, id, success }),
  };

  // Start -------------------------------------------------------------------------------------------------------------------------------------------------------
  function after(report) {
    if (png) {
      const name = png;
      png = "";
      by("canvas").toBlob((blob) => blob && download(name, blob), "image/png");  // in the frame that drew it: the drawing is not kept
    }
    if (report.revision !== revision) changed(report.byHost ? "host" : "user");
    if (report.frames > 2) tellHeight();
  }
  function leave() {  // Escape with nothing left to close: on to what follows the canvas
    by("skip").focus();
  }
  // A file of this version: from the page itself where it is one file; by script where a sandboxed frame, an origin of its own, may not fetch.
  const versioned = (name) => new URL(name + new URL(by("program").src).search, by("program").src);
  const script = (name) => new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = versioned(name);
    element.onload = resolve;
    element.onerror = () => reject(new Error(name));
    document.head.append(element);
  });
  async function get(name) {
    if (window.gpudgetFiles) return new Response(window.gpudgetFiles(name));
    try {
      const answer = await fetch(versioned(name), { credentials: "same-origin" });
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer;
    } catch (error) {
      if (self.origin !== "null") throw error;
      await script("app-wasm.js");
      return get(name);
    }
  }
  // Compiled while it arrives; whole where the server names another type.
  async function compile(name, imports) {
    const answer = await get(name);
    const streams = WebAssembly.instantiateStreaming && /^application\/wasm\b/.test(answer.headers.get("content-type") || "");
    return streams ? WebAssembly.instantiateStreaming(answer, imports) : WebAssembly.instantiate(await answer.arrayBuffer(), imports);
  }
  // English is in the program, the other languages are files: brought before they are shown, and the rest of them once the page stands.
  const texts = new Map();
  function bringTexts(lang) {
    if (!texts.has(lang)) texts.set(lang, lang === "en" ? Promise.resolve("") : get(`texts-${lang}.txt`).then((answer) => answer.text()).catch(() => (texts.delete(lang), "")));
    return texts.get(lang);
  }
  const spoken = new Set(["en"]);
  async function speak(lang, to = program) {
    if (spoken.has(lang)) return;
    const given = await bringTexts(lang);
    if (!given || spoken.has(lang)) return;
    const put = (text) => {
      const size = to.lengthBytesUTF8(text) + 1, at = to._malloc(size);
      to.stringToUTF8(text, at, size);
      return at;
    };
    const at = [put(lang), put(given)];
    if (to._gp_texts(...at)) spoken.add(lang);
    at.forEach((one) => to._free(one));
  }
  // The program's other half (web/split.mjs): what no first sight needs. It comes once the page stands; a call into it before that brings it at once.
  const REST = "app-rest.wasm", rest = { wanted: false, here: false, primary: null };
  const placeholders = new Proxy({}, {
    get(_, slot) {
      rest.wanted = true;
      return (...given) => {
        bringRestNow();
        return Object.values(rest.primary).find((e) => e instanceof WebAssembly.Table).get(Number(slot))(...given);
      };
    },
  });
  async function bringRest(tries = 0) {
    if (!rest.wanted || rest.here) return;
    try {
      await compile(REST, { primary: rest.primary });
      rest.here = true;
    } catch {
      if (tries < 6) setTimeout(bringRest, 1000 * 2 ** tries, tries + 1);
    }
  }
  function bringRestNow() {
    if (rest.here) return;
    let bytes;
    if (window.gpudgetFiles) {
      bytes = window.gpudgetFiles(REST);
    } else {
      const request = new XMLHttpRequest();
      request.open("GET", versioned(REST), false);
      request.overrideMimeType("text/plain; charset=x-user-defined");  // bytes as they are: a request that is waited for gives text alone
      request.send();
      if (request.status !== 200) throw new Error(`${REST}: ${request.status}`);
      bytes = Uint8Array.from(request.responseText, (c) => c.charCodeAt(0));
    }
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { primary: rest.primary });
    rest.here = true;
  }
  async function start() {
    bringTexts(options.lang);
    label();
    sight();
    if (typeof WebAssembly !== "object" || typeof gpudgetPage !== "function") throw new Error("WebAssembly");
    const canvas = by("canvas");
    const instantiateWasm = (imports, done) => {
      compile("app.wasm", { ...imports, placeholder: placeholders }).then(({ instance, module }) => {
        rest.primary = instance.exports;
        done(instance, module);
      }, failed);
      return {};
    };
    let failed;
    const loaded = await new Promise((resolve, reject) => {
      failed = reject;
      gpudgetPage({ canvas, host, instantiateWasm, onAbort: (why) => reject(new Error(String(why))), print: () => {}, printErr: (line) => console.warn(line) })
        .then((module) => resolve({ module }), reject);
    });
    await speak(options.lang, loaded.module);
    // From the worker's cache it costs nothing, and a request that is waited for would pass the worker by.
    const worker = "serviceWorker" in navigator && self.origin !== "null" && navigator.serviceWorker.controller;
    if (worker || (options.view !== "memory" && options.view !== "time")) await bringRest();
    program = loaded.module;
    platform = gpudgetPlatform(program, { stage: by("stage"), canvas, agent: by("agent"), after, open, embedded, exit: leave });
    draws = platform.call("start", "ssssi", options.lang, theme(), options.view, options.controls, flags()) !== 0;
    settled = true;
    const state = location.hash.startsWith("#s=") ? location.hash.slice(3) : storage.get();
    applied = location.hash;
    if (state && platform.callText("set_url_state", "s", state) && !location.hash.startsWith("#s=")) storage.set("");
    twin = gpudgetTwin({
      schema: () => JSON.parse(platform.callText("schema", "")), catalog: () => JSON.parse(platform.callText("catalog", "")), scenario, estimate,
      message: (id, fallback) => platform.callText("message", "ss", id, fallback), number: (kind, value) => platform.callText("number", "sd", kind, value),
      gpuName: () => platform.callText("gpu_name", ""), set: (partial) => apply(JSON.stringify(partial), false),
      revision: () => program._gp_revision(),
      ask: (what, argument) => JSON.parse(platform.callText("ask", "ss", what, argument)),
      open,
      imported: () => JSON.parse(platform.callText("imported", "") || "null"),
      undo(redo) {
        platform.call("undo", "i", redo ? 1 : 0);
        platform.schedule();
        changed("user");
      },
      language(code) {
        host.optionsChanged(code, theme(), options.view);
        reoption();
      },
      copy: host.copy, save: host.save, answered: (id, right) => host.activity("answered", id, right),
    }, { form: by("form"), results: by("results"), tools: by("tools"), verdict: by("verdict") });
    if (draws) platform.start();
    else trouble(word("page.no_webgl"));
    sight();
    changed("user");
    root.dataset.gpudget = "ready";
    tell({ type: "gpudget:ready" });
    performance.mark("gpudget-ready");
    const others = () => bringRest().then(() => LANGUAGES.forEach((lang) => speak(lang)));
    if (window.requestIdleCallback) requestIdleCallback(others, { timeout: 1500 });
    else setTimeout(others, 300);
  }
  window.gpudget = {
    scenario: () => (program ? scenario() : null),
    estimate: () => (program ? estimate() : null),
    set(partial) {
      const error = apply(JSON.stringify(partial), true);
      if (error) throw Object.assign(new Error(error.message), { name: "GpudgetError", path: error.path });
      return estimate();
    },
    get frames() {
      return platform && platform.report.frames ? platform.report.frames : 0;
    },
    items() {
      platform.call("collect_items", "i", 1);
      platform.draw();
      return JSON.parse(platform.callText("items", ""));
    },
    get report() {
      return platform ? { ...platform.report } : null;
    },
  };
  by("form").addEventListener("submit", (event) => event.preventDefault());
  start().catch((error) => {
    settled = true;
    root.dataset.gpudget = "error";
    trouble(word("page.no_wasm", { reason: String((error && error.message) || error).slice(0, 200) }));
    sight();
    console.error(error);
  });

  // Offline: after the first visit the page needs no network. Not inside other pages, nor from disk.
  if (!embedded && /^https?:$/.test(location.protocol) && "serviceWorker" in navigator && !window.gpudgetFiles) {
    addEventListener("load", () => {
      navigator.serviceWorker.register("service-worker.js").then((registration) => {
        registration.addEventListener("updatefound", () => {
          const next = registration.installing;
          if (next && navigator.serviceWorker.controller) next.addEventListener("statechange", () => next.state === "installed" && notice(word("page.new_version")));
        });
      }).catch(() => {});
    });
  }
})();
