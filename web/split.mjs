// The page's program in two: what the first sight needs, and the rest, which web/page.js brings once the page stands. The rest are the functions named here
// and whatever nothing else calls. Both halves are one program: Binaryen's wasm-split makes a call into the rest go through the table, where page.js waits.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// C++ functions (namespace::function) and exports: views that are opened later, other tools' files, configurations, reports, the chapter, searches for the text version.
const later = ["gp_ask", "gp_open", "gp_imported", "gp_accuracy",
  "gpudget::ui::accuracy_panel", "gpudget::ui::learn_panel", "gpudget::ui::plan_panel", "gpudget::ui::export_panel", "gpudget::ui::checklist_panel", "gpudget::ui::compare_panel",
  "gpudget::ui::use_config", "gpudget::formats::import_files", "gpudget::formats::import_kind", "gpudget::formats::export_config",
  "gpudget::formats::inspect_hf_config", "gpudget::formats::inspect_hf_object", "gpudget::formats::read_hf_config", "gpudget::formats::course_sheet", "gpudget::formats::html_report",
  "ImGui::EndTable"];  // ours draw no tables
// Types of theirs: what takes one is theirs too, also where it is called through a table.
const types = ["HfFields", "ImportFields", "ImportState", "ExportContext", "GgufHeader", "MeasurementRow", "ThroughputRow", "MemoryRow", "CourseSheet"];
// As names stand in the program: mangled (gpudget::ui::f is _ZN7gpudget2ui1fE…).
const mangled = (name) => name.split("::").map((part) => part.length + part).join("");
const prefixes = later.filter((name) => name.includes("::")).map((name) => `_ZN${mangled(name)}E`);
const isLater = (name) => later.includes(name) || prefixes.some((p) => name.startsWith(p)) || (/^_ZZ?NK?7gpudget/.test(name) && types.some((type) => name.includes(mangled(type))));

// wasm: a program with its functions' names; tools: where wasm-opt and wasm-split are. Writes `first` and `rest`, without names.
export function split(wasm, first, rest, tools) {
  const graph = execFileSync(join(tools, "wasm-opt"), [wasm, "--print-call-graph", "-o", "/dev/null"], { encoding: "utf8", maxBuffer: 1 << 28 });
  const calls = new Map(), roots = [], imported = new Set();
  for (const line of graph.split("\n")) {
    const edge = line.match(/^  "([^"]+)" -> "([^"]+)";/), node = line.match(/^  "([^"]+)" \[style="([^"]*)"(?:, fillcolor="(\w+)")?\];/);
    if (edge) calls.get(edge[1]).push(edge[2]);
    if (!node) continue;
    if (!calls.has(node[1])) calls.set(node[1], []);
    if (node[3] === "turquoise") imported.add(node[1]);
    else if (node[3] === "gray" || node[2].includes("rounded")) roots.push(node[1]);  // exported, or in the table
  }
  const needed = new Set(), next = roots;
  while (next.length) {
    const name = next.pop();
    if (needed.has(name) || isLater(name)) continue;
    needed.add(name);
    next.push(...calls.get(name));
  }
  const moved = [...calls.keys()].filter((name) => !needed.has(name) && !imported.has(name));
  if (!moved.some(isLater)) throw new Error(`${wasm}: none of the functions that come later is there: has the program its names?`);
  writeFileSync(`${rest}.txt`, moved.join("\n"));
  execFileSync(join(tools, "wasm-split"), ["--split", wasm, `--split-funcs=@${rest}.txt`, "-o1", first, "-o2", rest, "--import-namespace=primary", "--placeholder-namespace=placeholder", "--export-prefix=%", "--enable-mutable-globals"]);
}
