// What the text version does beyond form and answer: find the largest that fits, look for ways to do it, take a configuration, a report or a link away,
// open a file, read the chapter and answer its quiz. Each stands in a <details>, made when it is opened.
"use strict";

// program: {ask(what, argument) -> answer or {error}, set(partial) -> error or null, open(name, text) -> promise of an error or null, imported() -> what was
// read of it or null, undo(redo), copy(text), save(name, mime, text), language(code), answered(id, right), revision(), scenario(), message(id, fallback),
// number(kind, value)}; make(tag, attributes, …children): an element.
function gpudgetTwinTools(program, root, make, m, table) {
  const LARGEST = 64 << 20;  // bytes of a file; the program's own readers refuse more, and say so
  let shown = false, parts = [], sequence = 0;

  const unique = (word) => `tool-${word}-${++sequence}`;
  const say = (text) => make("p", { role: "status", class: "said", text: text || "" });
  function button(text, press, name) {
    const made = make("button", { type: "button", text, "aria-label": name });
    made.addEventListener("click", press);
    return made;
  }
  function labelled(text, control) {
    control.id = control.id || unique("field");
    return make("div", { class: "row" }, make("label", { for: control.id, text }), control);
  }
  function choice(text, options) {
    const select = make("select", {}, ...options.map(([value, name]) => make("option", { value, text: name })));
    return { row: labelled(text, select), select };
  }
  // Out of sight nothing here is in the Tab order.
  function reach() {
    for (const one of root.querySelectorAll("summary, button, select, input, textarea, a, .wide, pre")) one.tabIndex = shown ? 0 : -1;
  }
  // An answer stands for the scenario that it was asked about, and for what its own Apply made of it; cleared when another takes its place.
  function standing(clear) {
    let revision = -1;
    return {
      here: () => (revision = program.revision()),
      refresh: () => {
        if (revision !== program.revision()) clear();
      },
    };
  }
  function apply(partial, said, answer) {
    const error = program.set(partial);
    if (answer) answer.here();
    said.textContent = error ? error.words : m("page.applied");
  }
  function failed(answer, said) {
    if (answer.error) said.textContent = answer.error.words;
    return Boolean(answer.error);
  }
  const number = (input, fallback) => {
    const text = input.value.trim().replace(/[\s\u00a0\u202f]/g, "").replace(",", ".");
    return text === "" ? fallback : Number.isFinite(Number(text)) ? Number(text) : text;  // the program says what is wrong with it
  };

  // Each part: a heading and what fills it; refresh (optional) after a change of the scenario.
  function largest(body) {
    const { row, select } = choice(m("page.what"), [["per_device_train_batch_size", m("field.per_device_train_batch_size")], ["max_length", m("field.max_length")], ["lora.r", m("field.lora.r")],
      ["params", m("page.parameters")]]);
    const said = say(), place = make("p"), kept = standing(() => {
      said.textContent = "";
      place.replaceChildren();
    });
    body.append(row, button(m("page.find"), () => {
      const answer = program.ask("limit", select.value);
      kept.here();
      place.replaceChildren();
      if (failed(answer, said)) return;
      if (answer.value === null) return void (said.textContent = m("page.largest_none"));
      said.textContent = m("page.largest_is", { n: program.number(select.value === "params" ? "count" : "integer", answer.value), device: program.number("size", answer.memory.device),
        capacity: program.number("size", answer.memory.capacity) });
      place.append(button(m("ui.apply"), () => apply(answer.scenario_patch, said, kept)));
      reach();
    }), said, place);
    return kept.refresh;
  }
  function plan(body) {
    const text = (label, value) => {
      const input = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", value, placeholder: m("plan.any") });
      return { row: labelled(label, input), input };
    };
    const hardware = choice(m("plan.hardware"), [["all", m("plan.all_gpus")], ["this", m("plan.this_gpu")]]), method = choice(m("plan.method"), [["any", m("plan.all_methods")], ["kept", m("plan.this_method")]]);
    const market = choice(m("plan.market"), [["on_demand", m("choice.price.market.on_demand")], ["spot", m("choice.price.market.spot")]]);
    const deadline = text(m("plan.deadline"), ""), budget = text(m("plan.budget"), ""), most = text(m("page.most_gpus"), "8");
    const said = say(), place = make("div"), kept = standing(() => {
      said.textContent = "";
      place.replaceChildren();
    });
    const fields = make("div", { class: "fields" }, ...[hardware, method, market, deadline, budget, most].map((f) => f.row));
    body.append(fields, button(m("page.look_for_ways"), () => {
      const hours = number(deadline.input), options = { market: market.select.value, methods: method.select.value };
      if (hours !== undefined) options.deadline = typeof hours === "number" ? hours * 3600 : hours;
      if (number(budget.input) !== undefined) options.budget = number(budget.input);
      if (number(most.input) !== undefined) options.max_gpus = number(most.input);
      const answer = program.ask(hardware.select.value === "this" ? "plan_here" : "plan", JSON.stringify(options));
      kept.here();
      place.replaceChildren();
      if (failed(answer, said)) return;
      said.textContent = answer.nothing || answer.counted;
      if (!answer.rows.length) return;
      place.append(table(m("plan.title"), [m("plan.hardware"), { number: m("verdict.time") }, { number: m("verdict.cost") }, m("ui.apply"), m("plan.method"), m("page.reason")],
        answer.rows.map((row) => [row.what, { number: row.time }, { number: row.cost },
          { element: button(m("ui.apply"), () => apply(row.scenario, said, kept), m("ui.apply") + m("word.colon") + row.what) }, row.how, row.why])));
      reach();
    }), said, place);
    return kept.refresh;
  }
  // A text to take away.
  function takeaway(place, name, mime, text, lines) {
    const area = make("textarea", { readonly: true, rows: String(lines), spellcheck: "false", "aria-label": name }), said = say();
    area.value = text;
    const buttons = [button(m("ui.copy"), () => {
      program.copy(text);
      said.textContent = m("ui.copied");
    })];
    if (mime) buttons.push(button(m("export.save_as", { name }), () => program.save(name, mime, text)));
    place.append(area, make("p", { class: "buttons" }, ...buttons), said);
  }
  function configuration(body) {
    const tools = [["trainer", "Trainer"], ["trl", "TRL"], ["deepspeed", "DeepSpeed"], ["accelerate", "Accelerate"], ["torchtune", "torchtune"], ["axolotl", "Axolotl"], ["llamafactory", "LLaMA-Factory"]];
    const { row, select } = choice(m("export.title"), tools), place = make("div"), said = say();
    const show = () => {
      const answer = program.ask("export", select.value);
      place.replaceChildren();
      said.textContent = "";
      if (failed(answer, said)) return;
      takeaway(place, answer.name, answer.mime, answer.text, 16);
      if (answer.command) {
        place.append(make("h3", { text: m("export.run") }));
        takeaway(place, m("export.run"), "", answer.command, 2);
      }
      reach();
    };
    select.addEventListener("change", show);
    body.append(row, said, place);
    show();
    return show;
  }
  function share(body) {
    const place = make("div");
    const show = () => {
      const { link, embed } = program.ask("link", "");
      place.replaceChildren();
      takeaway(place, m("export.link"), "", link, 2);
      place.append(make("h3", { text: m("export.embed") }));
      takeaway(place, m("export.embed"), "", embed, 4);
      place.append(make("h3", { text: m("export.report_title") }), make("p", { class: "buttons" }, ...[["markdown", "Markdown"], ["csv", "CSV"], ["json", "JSON"], ["html", "HTML"]].map(([kind, name]) => button(name, () => {
        const answer = program.ask("report", kind);
        program.save(answer.name, answer.mime, answer.text);
      }))));
      reach();
    };
    body.append(place);
    show();
    return show;
  }
  function openFile(body) {
    const lists = make("div"), chosen = make("input", { type: "file" }), pasted = make("textarea", { rows: "6", spellcheck: "false", autocomplete: "off" }), said = say();
    const open = async (name, text) => {
      const error = await program.open(name, text);
      said.textContent = error ? [error.path, error.words].filter(Boolean).join(m("word.colon")) : m("page.opened", { name: name || m("page.pasted") });
      const file = error ? null : program.imported();
      lists.replaceChildren();
      if (!file) return;
      for (const [title, lines] of [[m("import.read"), file.read], [m("import.assumed"), file.assumed], [m("import.ignored"), file.ignored]]) {
        if (lines.length) lists.append(make("h3", { text: title }), make("ul", { class: "help" }, ...lines.map((text) => make("li", { text }))));
      }
    };
    chosen.addEventListener("change", async () => {
      const [file] = chosen.files;
      if (file) open(file.name, file.size > LARGEST ? "" : await file.text());
    });
    body.append(labelled(m("page.open_file"), chosen), labelled(m("page.paste_here"), pasted), button(m("page.open"), () => open("", pasted.value)), said, lists);
  }
  function quiz(block) {
    const made = make("div"), score = say(), results = [];
    block.questions.forEach((q, n) => {
      const name = unique("quiz"), said = say(), set = make("fieldset", { class: "question" }, make("legend", { text: `${n + 1}. ${q.question}` }));
      q.options.forEach((option, i) => {
        const id = unique("answer"), radio = make("input", { type: "radio", name, id });
        radio.addEventListener("change", () => {
          if (results[n] !== undefined) return;
          results[n] = i === q.answer;
          set.querySelectorAll("input").forEach((one) => (one.disabled = !one.checked));
          said.textContent = `${results[n] ? m("learn.right") : m("learn.wrong", { answer: q.options[q.answer] })} ${q.why}`;
          program.answered(`quiz/${n + 1}`, results[n]);
          score.textContent = m("learn.score", { right: program.number("integer", results.filter(Boolean).length), all: program.number("integer", block.questions.length) });
          if (q.scenario) set.append(button(m("learn.show_in_calculator"), () => apply(q.scenario, said)));
        });
        set.append(make("div", { class: "row check" }, radio, make("label", { for: id, text: option })));
      });
      set.append(said);
      made.append(set);
    });
    made.append(score, button(m("learn.again"), () => {
      made.replaceWith(quiz(block));
      reach();
    }));
    return made;
  }
  function learn(body) {
    for (const section of program.ask("learn", "").sections) {
      body.append(make("h3", { text: section.title }));
      let list = null;
      for (const block of section.blocks) {
        if (block.kind !== "bullet") list = null;
        if (block.kind === "paragraph") body.append(make("p", {}, ...strong(block.text)));
        else if (block.kind === "formula") body.append(make("p", { class: "formula" }, ...strong(block.text)));
        else if (block.kind === "code") body.append(make("pre", {}, make("code", { text: block.text })));
        else if (block.kind === "quiz") body.append(quiz(block));
        else if (block.kind === "bullet") {
          if (!list) body.append((list = make("ul")));
          list.append(make("li", {}, ...strong(block.text)));
        } else if (block.kind === "table") {
          body.append(table(block.title || section.title, block.columns.map((c) => (c.numeric ? { number: c.header } : c.header)), block.rows.map((row) => row.map((cell, i) => (block.columns[i].numeric && i > 0 ? { number: cell } : cell)))));
          for (const note of [block.rule, ...block.notes].filter(Boolean)) body.append(make("p", { class: "help", text: note }));
        }
      }
    }
  }
  // **Words** in bold, as the drawn page has them.
  const strong = (text) => text.split("**").map((piece, i) => (i % 2 ? make("strong", { text: piece }) : piece)).filter((piece) => piece !== "");

  function build() {
    const was = parts.filter((p) => p.details.open).map((p) => p.id);
    const languages = choice(m("ui.language"), [["en", "English"], ["pt", "Português"], ["fr", "Français"]]);
    languages.select.value = document.documentElement.lang.slice(0, 2);
    languages.select.addEventListener("change", () => program.language(languages.select.value));
    const history = make("div", { class: "buttons" }, button(m("ui.undo"), () => program.undo(false)), button(m("ui.redo"), () => program.undo(true)));
    parts = [["largest", m("page.largest"), largest], ["plan", m("view.plan"), plan], ["export", m("view.export"), configuration], ["share", m("export.share_title"), share], ["open", m("page.open_title"), openFile],
      ["learn", m("view.learn"), learn]].map(([id, title, fill]) => {
      const body = make("div", { class: "body" }), details = make("details", { "data-tool": id }, make("summary", {}, make("h2", { text: title })), body);
      const part = { id, details, refresh: null, filled: false };
      part.open = () => {
        if (!details.open || part.filled) return;
        part.filled = true;
        part.refresh = fill(body) || null;
        reach();
      };
      details.addEventListener("toggle", part.open);
      details.open = was.includes(id);
      return part;
    });
    root.replaceChildren(languages.row, history, ...parts.map((p) => p.details));
    reach();
  }

  return {
    build,
    changed() {
      for (const part of parts) if (part.filled && part.refresh && part.details.open) part.refresh();
    },
    show(on) {
      shown = on;
      reach();
    },
  };
}
