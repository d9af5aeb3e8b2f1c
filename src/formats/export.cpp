#include "formats/export.h"

#include "formats/export_common.h"

namespace gpudget::formats {

ExportedFile export_config(ExportTool tool, const Scenario& s, const Estimate& e, std::string_view link) {
  ExportContext c = make_export_context(s, e, link);
  const auto made = [&]() -> ExportedFile {
    switch (tool) {
      case ExportTool::trainer: return export_python(c, false);
      case ExportTool::trl: return export_python(c, true);
      case ExportTool::deepspeed: return export_deepspeed(c);
      case ExportTool::accelerate: return export_accelerate(c);
      case ExportTool::torchtune: return export_torchtune(c);
      case ExportTool::axolotl: return export_axolotl(c);
      case ExportTool::llamafactory: return export_llamafactory(c);
    }
    return {};
  };
  ExportedFile file = made();
  file.left_out = std::move(c.fields);
  return file;
}

}  // namespace gpudget::formats
