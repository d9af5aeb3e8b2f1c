#include "formats/export_json.h"

#include "core/estimate.h"
#include "formats/export.h"
#include "formats/json_text.h"
#include "formats/one_of.h"

namespace gpudget::formats {

Result<std::string> answer_export(const Scenario& s, std::string_view to, std::string_view link) {
  const auto tool = one_of<ExportTool>("to", to);
  if (!tool) return tl::unexpected(tool.error());
  if (s.method == Method::inference) return tl::unexpected(Error{"method", ErrorId::contradiction, "a training configuration", "one of full, lora, qlora", {}});
  const ExportedFile file = export_config(*tool, s, estimate(s), link);
  JsonWriter out;
  out.open('{').field("name", std::string_view(file.name)).field("mime", std::string_view(file.mime)).field("text", std::string_view(file.text));
  return out.field("command", std::string_view(file.command)).close('}').take();
}

}  // namespace gpudget::formats
