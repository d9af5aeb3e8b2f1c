// The text version: the same calculator as an HTML form and tables, made from the schema and the estimate that the program gives, in step with the
// canvas both ways. It is there for screen readers always, and in sight by choice, without WebGL2 and in forced colours.
"use strict";

// program: {schema, catalog, scenario, estimate, message(id, fallback), number(kind, value), set(partial) -> error or null} and what twin_tools.js needs
function gpudgetTwin(program, { form, results, tools: place, verdict }) {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === undefined || value === null) continue;
      if (name === "text") element.textContent = value;
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  };
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  const m = (id, values) => fill(program.message(id, id), values || {});
  const at = (object, path) => path.split(".").reduce((o, k) => (o === null || o === undefined ? undefined : o[k]), object);
  const nested = (path, value) => path.split(".").reverse().reduce((inner, key) => ({ [key]: inner }), value);
  const fields = program.schema(), catalog = program.catalog();
  const controls = new Map();
  let shown = false, language = "", verdictTimer = 0;

  // Form -------------------------------------------------------------------------------------------------------------------------------------------------
  const choiceText = (path, value) => program.message(`choice.${path}.${value}`, value === "null" ? m("page.default") : value);
  function asText(value) {
    if (value === null || value === undefined) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  function control(field, id) {
    const described = { "aria-describedby": `${id}-help ${id}-wrong` };
    if (field.type === "boolean") return make("input", { type: "checkbox", id, ...described });
    if (field.type === "choice" || field.type === "gpu") {
      const select = make("select", { id, ...described });
      if (field.nullable) select.append(make("option", { value: "null", text: choiceText(field.path, "null") }));
      if (field.type === "gpu") for (const [gpu, name] of catalog.gpus) select.append(make("option", { value: gpu, text: name }));
      else for (const name of field.choices) select.append(make("option", { value: name, text: choiceText(field.path, name) }));
      return select;
    }
    const number = field.type === "integer" || field.type === "number";
    return make("input", { type: "text", id, inputmode: number ? (field.type === "integer" ? "numeric" : "decimal") : undefined, autocomplete: "off", spellcheck: "false",
      list: field.type === "model" ? "models" : undefined, placeholder: field.nullable ? choiceText(field.path, "null") : undefined, ...described });
  }
  function read(field, element) {
    if (field.type === "boolean") return element.checked;
    const text = element.value.trim();
    if (field.nullable && (text === "" || text === "null")) return null;
    if (field.type === "integer" || field.type === "number") {
      // Blanks group thousands in every language; a comma is the decimal mark in two of them.
      const plain = text.replace(/[\s\u00a0\u202f]/g, "").replace(/,(?=\d{3}(\D|$))/g, language === "en" ? "" : ",").replace(",", ".");
      const value = Number(plain);
      return plain !== "" && Number.isFinite(value) ? value : text;  // not a number: the program says what would do
    }
    if (field.type === "model") {
      if (text.startsWith("{")) return parse(text);
      return /^\d+([.,]\d+)?\s*[kmbt]$/i.test(text) ? { params: text.replace(/\s/g, "").replace(",", ".") } : text;
    }
    if (field.type === "gpu" || field.type === "modules") {
      if (text.startsWith("{") || text.startsWith("[")) return parse(text);
      if (field.type === "modules" && text.includes(",")) return text.split(",").map((t) => t.trim()).filter(Boolean);
    }
    return text;
  }
  function parse(text) {
    try {
      const value = JSON.parse(text);
      // A config.json pasted as it is.
      return value && typeof value === "object" && !Array.isArray(value) && !value.config && !value.params && value.model_type ? { config: value } : value;
    } catch {
      return text;
    }
  }
  function wrong(path, message) {
    for (const [key, { element, note }] of controls) {
      const here = key === path;
      if (here) element.setAttribute("aria-invalid", "true");
      else element.removeAttribute("aria-invalid");
      note.textContent = here ? message : "";
    }
  }
  function change(field, element) {
    const error = program.set(nested(field.path, read(field, element)));
    if (error) wrong(controls.has(error.path) ? error.path : field.path, error.words);
    else wrong("", "");
  }
  function build() {
    form.textContent = "";
    controls.clear();
    const models = make("datalist", { id: "models" });
    for (const [id, name] of catalog.models) models.append(make("option", { value: id, text: name }));
    form.append(models);
    for (const group of [...new Set(fields.map((f) => f.group))]) {
      const set = make("fieldset", {}, make("legend", { text: m(`group.${group}`) }));
      for (const field of fields.filter((f) => f.group === group)) {
        const id = `field-${field.path.replace(/\W/g, "-")}`, element = control(field, id), check = field.type === "boolean";
        const unit = field.unit ? ` (${program.message(`unit.${field.unit}`, field.unit)})` : "";
        const label = make("label", { for: id, text: m(`field.${field.path}`) + unit });
        let help = program.message(`field.${field.path}.help`, "");
        if (field.type === "integer") help += ` ${m("page.range", { low: program.number("integer", field.minimum), high: program.number("integer", field.maximum) })}.`;
        const note = make("p", { class: "wrong", id: `${id}-wrong` });
        set.append(make("div", { class: check ? "row check" : "row" }, ...(check ? [element, label] : [label, element]),
          make("p", { class: "help", id: `${id}-help`, text: help }), note));
        element.addEventListener("change", () => change(field, element));
        controls.set(field.path, { field, element, note });
      }
      form.append(set);
    }
    reach();
  }
  // Out of sight the controls are out of the Tab order too: nobody lands on what they cannot see. Screen readers still find them.
  function reach() {
    for (const { element } of controls.values()) element.tabIndex = shown ? 0 : -1;
    for (const element of results.querySelectorAll("button, .wide")) element.tabIndex = shown ? 0 : -1;
  }
  function values(scenario) {
    for (const { field, element } of controls.values()) {
      const value = at(scenario, field.path);
      if (element === document.activeElement && element.getAttribute("aria-invalid") === "true") continue;
      if (field.type === "boolean") element.checked = value === true;
      else if (element.tagName === "SELECT") {
        const text = value === null || value === undefined ? "null" : asText(value);
        if (![...element.options].some((o) => o.value === text)) element.append(make("option", { value: text, text: (value && value.name) || text }));
        element.value = text;
      } else if (field.type === "model" && value && typeof value === "object") element.value = value.params || asText(value);
      else element.value = Array.isArray(value) ? value.join(", ") : asText(value);
    }
  }

  // Results -----------------------------------------------------------------------------------------------------------------------------------------------
  const size = (bytes) => program.number("size", bytes);
  function table(caption, head, rows, foot) {
    const cells = (row, tag) => row.map((c, i) => make(i === 0 && tag === "td" ? "th" : tag, { scope: tag === "th" ? "col" : i === 0 ? "row" : undefined,
      class: c && c.number ? "number" : undefined, text: c && c.element ? undefined : c && c.number !== undefined ? c.number : c }, ...(c && c.element ? [c.element] : [])));
    const body = make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells(row, "td"))));
    const whole = make("table", {}, make("caption", { text: caption }));
    if (head) whole.append(make("thead", {}, make("tr", {}, ...cells(head, "th"))));
    whole.append(body);
    if (foot) whole.append(make("tfoot", {}, make("tr", {}, ...cells(foot, "td"))));
    return make("div", { class: "wide", role: "region", "aria-label": caption }, whole);
  }
  const number = (text) => ({ number: text });
  const tools = gpudgetTwinTools(program, place, make, m, table);
  function sentence(estimate) {
    const memory = estimate.memory, gpu = program.gpuName();
    const outcome = !memory.fits ? "over" : memory.headroom < 0.05 * memory.capacity ? "tight" : "fits";
    const word = m(outcome === "over" ? "verdict.does_not_fit" : outcome === "tight" ? "verdict.tight" : "verdict.fits");
    const rest = outcome === "over" ? m("verdict.does_not_fit.sentence", { over: size(-memory.headroom), gpu }) : m("verdict.fits.sentence", { spare: size(memory.headroom), gpu });
    return { outcome, text: `${word}${language === "fr" ? "\u00a0:" : ":"} ${rest} ${m("page.needs", { device: size(memory.per_gpu.device), capacity: size(memory.capacity) })}.` };
  }
  function draw(estimate) {
    const { model, memory, compute, time, cost, advice, problems } = estimate, parts = [];
    const title = make("h2", { text: m("ui.answer") });
    const rows = [[m("page.parameters"), number(program.number("integer", model.parameters))],
      [m("memory.device"), number(size(memory.per_gpu.device))], [m("memory.reserved"), number(size(memory.per_gpu.reserved))],
      [m("memory.allocated"), number(size(memory.per_gpu.allocated))], [fill(m("verdict.capacity"), { capacity: "" }).trim(), number(size(memory.capacity))]];
    if (time.seconds > 0) rows.push([m("verdict.time"), number(program.number("duration", time.seconds))], [m("verdict.throughput"), number(program.number("rate", compute.tokens_per_second))]);
    if (time.steps > 0) rows.push([m("time.steps"), number(program.number("integer", time.steps))]);
    if (cost.usd > 0) rows.push([m("verdict.cost"), number(program.number("money", cost.usd))]);
    parts.push(title, table(m("ui.answer"), null, rows));
    const foot = [m("page.total"), number(size(memory.per_gpu.device))];
    parts.push(table(m("page.peak_categories"), [m("page.what"), number(m("page.size"))],
      Object.entries(memory.categories).filter(([, v]) => v > 0).map(([k, v]) => [m(`category.${k}`), number(size(v))]), foot));
    parts.push(table(m("page.phases"), [m("page.what"), number(m("page.size"))], memory.phases.map((p) => [m(`phase.${p.phase}`), number(size(p.bytes))])));
    parts.push(table(m("memory.ledger_title"), [m("page.what"), number(m("page.size")), m("page.alive"), m("page.why")], memory.ledger.map((entry) => [
      program.message(`ledger.${entry.id}`, entry.id), number(size(entry.bytes)), m("page.from_to", { from: m(`phase.${entry.from}`), to: m(`phase.${entry.to}`) }), entry.formula || ""])));
    const helpful = (advice || []).filter((a) => !a.enabled && a.scenario_patch && Object.keys(a.scenario_patch).length > 0);
    if (helpful.length) {
      const list = make("ul");
      for (const a of helpful) {
        const name = program.message(`advice.${a.id}`, a.id);
        const button = make("button", { type: "button", text: m("ui.apply") + m("word.colon") + name });
        button.addEventListener("click", () => program.set(a.scenario_patch));
        list.append(make("li", {}, `${a.saves_bytes > 0 ? m("verdict.change.saves", { change: name, saves: size(a.saves_bytes) }) : name} `, button));
      }
      parts.push(make("h2", { text: m("page.changes") }), list);
    }
    if (problems.length) {
      const list = make("ul");
      for (const p of problems) list.append(make("li", { text: m(`severity.${p.severity}`) + m("word.colon") + p.message }));
      parts.push(make("h2", { text: m("page.problems") }), list);
    }
    const focused = results.contains(document.activeElement) ? document.activeElement.textContent : null;
    results.replaceChildren(...parts);
    reach();
    if (focused !== null) {
      const same = [...results.querySelectorAll("button")].find((b) => b.textContent === focused) || results.querySelector("h2");
      if (same.tagName === "H2") same.tabIndex = -1;
      same.focus();
    }
  }

  return {
    // After every change of scenario, language or sight.
    refresh(now) {
      if (now !== language) {
        language = now;
        build();
        tools.build();
      }
      values(program.scenario());
      tools.changed();
      const estimate = program.estimate();
      draw(estimate);
      const { outcome, text } = sentence(estimate);
      clearTimeout(verdictTimer);
      const say = () => {
        if (verdict.textContent !== text) verdict.textContent = text;
        verdict.dataset.outcome = outcome;
      };
      if (verdict.textContent === "") say();
      else verdictTimer = setTimeout(say, 500);  // a screen reader hears where it came to rest
    },
    show(on) {
      shown = on;
      reach();
      tools.show(on);
    },
  };
}
