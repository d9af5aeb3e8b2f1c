// <gpu-budget lang="pt" view="memory" model="…" gpu="…" height="560">: the calculator inside another page, as a frame that loads when it comes near, sizes
// itself and follows the page's language and theme. A link inside it stands until the calculator is ready, and where there are no scripts. Classic script or module.
//
// Attributes (all may change later): view, controls (none, basic, full), lang, theme (light, dark; else the page's), links="0", model (catalog id, or a size: 7B),
// gpu, method, scenario (JSON, partial), state (what stands behind #s= in a link of the calculator), height (pixels kept free from the start), fixed (keeps that
// height), loading="eager", sandbox (of the frame; allow-scripts is enough), src (the calculator's address; else beside this script).
// Properties: scenario, estimate (the last ones told; scenario may be set), set(partial). Events: ready, change, activity, error; event.detail as in the messages.
"use strict";
(() => {
  if (!window.customElements || customElements.get("gpu-budget")) return;
  const titles = { "TITLES": "" };
  const script = document.currentScript || [...document.scripts].reverse().find((s) => /(^|\/)embed\.js([?#]|$)/.test(s.src));
  const beside = script && script.src ? new URL("index.html", script.src).href : "";
  const language = (tag) => Object.keys(titles).find((l) => l === String(tag || "").toLowerCase().split(/[-_]/)[0]);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const THEME_MARKS = ["data-theme", "data-md-color-scheme", "data-bs-theme", "data-mode", "data-jp-theme-light", "data-color-mode", "class", "style"];

  // What the page around us looks like, as the common makers of pages mark it; else the colour behind the text.
  function pageTheme() {
    for (const element of [document.documentElement, document.body].filter(Boolean)) {
      for (const name of THEME_MARKS.slice(0, 6)) {
        const value = element.getAttribute(name);
        if (value === null) continue;
        if (name === "data-jp-theme-light") return value === "false" ? "dark" : "light";
        if (/dark|slate|night/i.test(value)) return "dark";
        if (/light|default|day/i.test(value)) return "light";
      }
      if (element.classList.contains("dark")) return "dark";
    }
    for (const element of [document.body, document.documentElement].filter(Boolean)) {
      const rgb = getComputedStyle(element).backgroundColor.match(/[\d.]+/g);
      if (rgb && !(rgb.length > 3 && Number(rgb[3]) < 0.5)) return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] < 128 ? "dark" : "light";
    }
    return /dark/.test(getComputedStyle(document.documentElement).colorScheme) && dark.matches ? "dark" : "light";
  }

  const sheet = () => {
    const made = new CSSStyleSheet();  // not an inline style: a strict policy of the page allows it
    made.replaceSync(":host{display:block;position:relative;overflow:hidden}:host([hidden]){display:none}iframe{position:absolute;inset:0;width:100%;height:100%;border:0;color-scheme:normal;visibility:hidden}" +
      ":host(.ready) iframe{visibility:visible}:host(.ready) slot{visibility:hidden}");
    return made;
  };

  class GpuBudget extends HTMLElement {
    static get observedAttributes() {
      return ["view", "controls", "lang", "theme", "model", "gpu", "method", "scenario", "state", "height", "fixed", "src"];
    }
    #frame = null;
    #ready = false;
    #near = null;
    #marks = null;
    #pending = {};
    #height = 0;
    #listen = (event) => {
      if (this.#frame && event.source === this.#frame.contentWindow && event.data && typeof event.data === "object") this.#hear(event.data);
    };
    #tell = (message) => this.#frame && this.#frame.contentWindow && this.#frame.contentWindow.postMessage(message, "*");
    #theme = () => this.#ready && this.#tell({ type: "gpudget:theme", theme: this.#wantedTheme() });
    #scenario = null;
    estimate = null;
    get scenario() {
      return this.#scenario;
    }
    set scenario(partial) {  // as frameworks write it, an object or the attribute's text
      if (typeof partial === "string") this.setAttribute("scenario", partial);
      else if (partial) this.set(partial);
    }

    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      shadow.adoptedStyleSheets = [sheet()];
      shadow.append(document.createElement("slot"));
    }
    connectedCallback() {
      this.#size();
      addEventListener("message", this.#listen);
      dark.addEventListener("change", this.#theme);
      this.#marks = new MutationObserver(this.#theme);
      for (const element of [document.documentElement, document.body]) this.#marks.observe(element, { attributes: true, attributeFilter: THEME_MARKS });
      if (this.getAttribute("loading") === "eager" || !window.IntersectionObserver) return this.#load();
      this.#near = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && this.#load(), { rootMargin: "400px" });
      this.#near.observe(this);
    }
    disconnectedCallback() {
      removeEventListener("message", this.#listen);
      dark.removeEventListener("change", this.#theme);
      for (const observer of [this.#near, this.#marks]) if (observer) observer.disconnect();
      if (this.#frame) this.#frame.remove();
      if (this.#scenario) this.#pending = this.#scenario;  // moved elsewhere in the page: it goes on where it was
      this.#frame = null;
      this.#ready = false;
      this.classList.remove("ready");
    }
    attributeChangedCallback(name, before, now) {
      if (before === now || !this.isConnected) return;
      if (name === "height" || name === "fixed") return this.#size();
      if (!this.#frame) return;
      if (name === "src" || name === "state") {
        this.#frame.remove();
        this.#frame = null;
        this.#ready = false;
        this.#load();
      } else if (name === "theme") {
        this.#theme();
      } else if (["view", "controls", "lang"].includes(name)) {
        this.#frame.title = titles[this.#language() || "en"];
        this.#tell({ type: "gpudget:options", view: this.getAttribute("view"), controls: this.getAttribute("controls"), lang: this.#language() });
      } else {
        this.set(this.#fromAttributes());
      }
    }
    set(partial) {
      if (this.#ready) this.#tell({ type: "gpudget:set", scenario: partial });
      else this.#pending = { ...this.#pending, ...partial };
    }

    #language() {
      const around = this.parentElement && this.parentElement.closest("[lang]");
      return language(this.getAttribute("lang")) || language(around && around.lang);
    }
    #wantedTheme() {
      const own = this.getAttribute("theme");
      return own === "light" || own === "dark" ? own : pageTheme();
    }
    #size() {
      const kept = Number.parseInt(this.getAttribute("height"), 10);
      const reserved = kept > 0 ? kept : 560;
      if (this.#height <= 0 || this.hasAttribute("fixed")) return void (this.style.height = `${reserved}px`);
      const edge = getComputedStyle(this).boxSizing === "border-box" ? this.offsetHeight - this.clientHeight : 0;  // the page's own border around us
      this.style.height = `${this.#height + edge}px`;
    }
    #fromAttributes() {
      const wanted = {}, model = this.getAttribute("model"), text = this.getAttribute("scenario");
      if (text) {
        try {
          Object.assign(wanted, JSON.parse(text));
        } catch (error) {
          this.#say("error", { path: "", message: `scenario="…": ${error.message}` });
        }
      }
      if (model) wanted.model = /^\d+(\.\d+)?[kmbt]$/i.test(model) ? { params: model } : model;
      for (const name of ["gpu", "method"]) if (this.hasAttribute(name)) wanted[name] = this.getAttribute(name);
      return wanted;
    }
    #load() {
      if (this.#near) this.#near.disconnect();
      if (this.#frame) return;
      let url;
      try {
        url = new URL(this.getAttribute("src") || beside, document.baseURI);
      } catch {
        return this.#say("error", { path: "src", message: "src: an address" });
      }
      url.searchParams.set("embed", "1");
      url.searchParams.set("theme", this.#wantedTheme());
      for (const [name, value] of [["lang", this.#language()], ["view", this.getAttribute("view")], ["controls", this.getAttribute("controls")], ["links", this.getAttribute("links")]])
        if (value) url.searchParams.set(name, value);
      if (this.hasAttribute("state")) url.hash = `s=${this.getAttribute("state").replace(/^#?s=/, "")}`;
      this.#pending = { ...this.#fromAttributes(), ...this.#pending };
      const frame = document.createElement("iframe");
      if (this.hasAttribute("sandbox")) frame.setAttribute("sandbox", this.getAttribute("sandbox") || "allow-scripts");
      frame.allow = "clipboard-write; fullscreen";
      frame.title = titles[this.#language() || "en"];
      frame.src = url.href;
      frame.addEventListener("load", () => this.#tell({ type: "gpudget:hello" }));  // it may have been ready before we listened
      this.#frame = frame;
      this.shadowRoot.append(frame);
    }
    #hear(data) {
      if (data.type === "gpudget:ready") {
        if (this.#ready) return;
        this.#ready = true;
        this.classList.add("ready");
        this.#theme();
        if (Object.keys(this.#pending).length) this.set(this.#pending);
        this.#pending = {};
        this.#say("ready", {});
      } else if (data.type === "gpudget:resize" && data.height > 0 && data.height <= 10000) {
        this.#height = Math.ceil(data.height);
        this.#size();
      } else if (data.type === "gpudget:change") {
        this.#scenario = data.scenario;
        this.estimate = data.estimate;
        this.#say("change", { source: data.source, scenario: data.scenario, estimate: data.estimate });
      } else if (data.type === "gpudget:activity" || data.type === "gpudget:error") {
        const { type, ...rest } = data;
        this.#say(type.slice(8), rest);
      }
    }
    #say(name, detail) {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: name !== "error", composed: true }));
    }
  }
  customElements.define("gpu-budget", GpuBudget);
})();
