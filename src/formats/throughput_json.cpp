#include "formats/throughput_json.h"

#include "formats/json_text.h"

namespace gpudget::formats {
namespace {

void write_errors(JsonWriter& out, const ThroughputErrors& e) {
  out.open('{').field("group", e.group).field("rows", static_cast<std::int64_t>(e.rows)).field("median", e.median).field("p90", e.p90).field("bias", e.bias);
  out.field("median_in_force", e.median_in_force).field("p90_in_force", e.p90_in_force).field("bias_in_force", e.bias_in_force);
  out.field("within_range", e.within_range).close('}');
}

void write_groups(JsonWriter& out, std::string_view key, const std::vector<ThroughputErrors>& groups) {
  out.key(key).open('[');
  for (const ThroughputErrors& e : groups) write_errors(out, e);
  out.close(']');
}

}  // namespace

std::string write_validation(const std::string& memory, const ThroughputValidation& v, i18n::Language language) {
  JsonWriter out;
  out.open('{').key("memory").raw(memory).key("throughput").open('{').key("all");
  write_errors(out, v.all);
  write_groups(out, "by_gpu", v.by_gpu);
  write_groups(out, "by_method", v.by_method);
  write_groups(out, "by_source", v.by_source);
  out.key("rows").open('[');
  for (const ThroughputRow& r : v.rows) {
    out.open('{').field("id", r.id).field("model", r.model).field("gpu", r.gpu).field("gpus", r.gpus).field("method", r.method);
    out.field("per_device_train_batch_size", r.micro_batch).field("max_length", r.max_length).field("gradient_accumulation_steps", r.accumulation);
    out.field("gradient_checkpointing", r.checkpointing).field("kernels", r.kernels).field("judged", r.in_goal);
    out.field("measured", r.measured).field("predicted", r.predicted).field("left_out", r.left_out);
    out.key("range").open('{').field("low", r.low).field("high", r.high).close('}');
    out.field("source", r.source).field("url", r.url).key("why");
    r.why.empty() ? out.null() : out.value(i18n::text_or(language, r.why, r.why));
    out.close('}');
  }
  return out.close(']').close('}').close('}').take();
}

}  // namespace gpudget::formats
