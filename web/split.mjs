// A program in two: what is needed first, and the rest, which is brought when it is wanted. The rest are the functions named and whatever nothing else calls.
// Both halves are one program: Binaryen's wasm-split makes a call into the rest go through the table, where web/page.js waits.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Of the page, C++ functions (namespace::function) and exports: views that are opened later, other tools' files, configurations, reports, the chapter, what
// the text version searches for. `types` of theirs: what takes one is theirs too, also where it is called through a table.
export const page = {
  functions: ["gp_ask", "gp_open", "gp_imported", "gp_accuracy", "gp_refuse",
    "gpudget::ui::accuracy_panel", "gpudget::ui::learn_panel", "gpudget::ui::plan_panel", "gpudget::ui::export_panel", "gpudget::ui::checklist_panel",
    "gpudget::ui::compare_panel", "gpudget::ui::use_config", "gpudget::formats::import_files", "gpudget::formats::import_kind",
    "gpudget::formats::export_config", "gpudget::formats::inspect_hf_config", "gpudget::formats::inspect_hf_object", "gpudget::formats::read_hf_config",
    "gpudget::formats::course_sheet", "gpudget::formats::html_report", "ImGui::EndTable"],  // of ImGui's, for tables that we do not draw
  types: ["HfFields", "ImportFields", "ImportState", "ExportContext", "GgufHeader", "MeasurementRow", "ThroughputRow", "MemoryRow", "CourseSheet"],
};
// Of the JavaScript module: other tools' files, which it reads in a call that may wait.
export const module = { functions: ["gpudget_import"], types: ["ImportFields", "ImportState", "GgufHeader"] };

// As names stand in the program: mangled (gpudget::ui::f is _ZN7gpudget2ui1fE…).
const mangled = (name) => name.split("::").map((part) => part.length + part).join("");
function laterOf({ functions, types }) {
  const prefixes = functions.filter((name) => name.includes("::")).map((name) => `_ZN${mangled(name)}E`), taken = types.map(mangled);
  const ours = /^_ZZ?NK?7gpudget/;
  return (name) => functions.includes(name) || prefixes.some((p) => name.startsWith(p)) || (ours.test(name) && taken.some((type) => name.includes(type)));
}

// wasm: a program with its functions' names; tools: where wasm-opt and wasm-split are. Writes `first` and `rest`, without names.
export function split(wasm, first, rest, later, tools) {
  const isLater = laterOf(later);
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
  execFileSync(join(tools, "wasm-split"), ["--split", wasm, `--split-funcs=@${rest}.txt`, "-o1", first, "-o2", rest, "--import-namespace=primary",
    "--placeholder-namespace=placeholder", "--export-prefix=%", "--enable-mutable-globals"]);
}
