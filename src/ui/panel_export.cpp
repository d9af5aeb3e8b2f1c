// What to take away: a configuration for the tool that trains, a link, a snippet for a page, the answer as a report.
#include <array>
#include <vector>

#include "formats/csv.h"
#include "formats/estimate_json.h"
#include "formats/export.h"
#include "formats/markdown.h"
#include "formats/scenario_json.h"
#include "formats/share.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {

void export_panel(const Frame& f) {
  static constexpr std::array<std::string_view, formats::kExportTools> kNames{"Trainer",   "TRL",     "DeepSpeed",    "Accelerate",
                                                                              "torchtune", "Axolotl", "LLaMA-Factory"};
  const std::string page = f.host.page_address(), link_text = formats::share_link(f.s.scenario, page);
  heading(f, f.text(Msg::export_title));
  std::vector<std::string> names(kNames.begin(), kNames.end());
  const float width = ImGui::GetContentRegionAvail().x;
  if (width > 760)
    segments(f, f.text(Msg::export_title), "tool", names, f.s.export_tool, std::min(width, 760.0F));
  else
    choose(f, f.text(Msg::export_title), "tool", names, f.s.export_tool, width);
  gap(12);
  const formats::ExportedFile file = formats::export_config(static_cast<formats::ExportTool>(f.s.export_tool), f.s.scenario, f.s.estimate, page);
  code_block(f, file.text, "config", 420);
  gap(10);
  if (button(f, f.format(Msg::export_save_as, {{"name", file.name}}), "save config", Look::primary, Icon::download))
    f.host.save(file.name, file.mime, file.text);
  if (!file.command.empty()) {
    gap(16);
    line(f, f.text(Msg::export_run), kSmallType.in(f.c.secondary));
    gap(4);
    code_block(f, file.command, "command");
  }

  heading(f, f.text(Msg::export_share_title));
  if (!page.empty()) {
    line(f, f.text(Msg::export_link), kSmallType.in(f.c.secondary));
    copyable(f, link_text, "link", kBodyType);
    gap(12);
    line(f, f.text(Msg::export_embed), kSmallType.in(f.c.secondary));
    gap(4);
    code_block(f, formats::embed_snippet(f.s.scenario, f.language, page), "embed");
  } else {
    // Without a page there is no link: the scenario itself, which every other gpudget opens.
    code_block(f, formats::write_scenario(f.s.scenario), "scenario", 240);
  }

  heading(f, f.text(Msg::export_report_title));
  struct Report {
    std::string_view label, file, mime;
  };
  constexpr std::array<Report, 3> kReports{
      {{"Markdown", "gpudget.md", "text/markdown"}, {"CSV", "gpudget.csv", "text/csv"}, {"JSON", "gpudget.json", "application/json"}}};
  const float start = ImGui::GetCursorScreenPos().x;
  float x = start, y = ImGui::GetCursorScreenPos().y;
  const auto place = [&](float needed) {
    if (x > start && x + needed > start + width) {
      x = start;
      y += f.target() + 8;
    }
    ImGui::SetCursorScreenPos({x, y});
    x += needed + 8;
  };
  for (const Report& r : kReports) {
    place(button_width(f, r.label, Icon::download));
    if (!button(f, r.label, r.file.data(), Look::quiet, Icon::download)) continue;
    f.host.save(r.file, r.mime,
                r.label == "Markdown" ? formats::write_markdown(f.s.scenario, f.s.estimate, f.s.advice, f.language)
                : r.label == "CSV"    ? formats::write_csv(f.s.scenario, f.s.estimate, f.language)
                                      : formats::write_estimate(f.s.scenario, f.s.estimate, f.s.advice, f.language));
  }
  place(button_width(f, f.text(Msg::export_png), Icon::download));
  if (button(f, f.text(Msg::export_png), "png", Look::quiet, Icon::download)) f.host.save_png("gpudget.png");
  gap(32);
}

}  // namespace gpudget::ui
