#include "formats/limit_json.h"

#include <fmt/format.h>

#include "core/estimate.h"
#include "formats/json_text.h"
#include "formats/one_of.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {

std::string write_limit(const Scenario& asked, LimitOf of, const std::optional<Limit>& limit) {
  JsonWriter out;
  out.open('{').field("of", name(of)).key("value");
  if (!limit) return out.null().close('}').take();
  const Estimate e = estimate(limit->scenario);
  out.value(limit->value).key("scenario_patch").raw(write_difference(asked, limit->scenario));
  out.key("memory").open('{').field("device", e.memory.device.in_bytes()).field("capacity", e.memory.capacity.in_bytes());
  out.field("headroom", e.memory.headroom.in_bytes()).close('}');
  return out.close('}').take();
}

Result<std::string> answer_limit(const Scenario& asked, std::string_view of) {
  const auto which = one_of<LimitOf>("of", of);
  if (!which) return tl::unexpected(which.error());
  if (*which == LimitOf::lora_r && asked.method != Method::lora && asked.method != Method::qlora)
    return tl::unexpected(Error{"of", ErrorId::contradiction, fmt::format("method {}, which has no lora.r", name(asked.method)), "method lora or qlora", {}});
  return write_limit(asked, *which, limit(asked, *which));
}

}  // namespace gpudget::formats
