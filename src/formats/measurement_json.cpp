#include "formats/measurement_json.h"

#include "formats/json_text.h"
#include "formats/measurement_left_out.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

void write_errors(JsonWriter& out, const MeasurementErrors& e) {
  out.open('{').field("group", e.group).field("kind", measurement_kind_name(e.kind)).field("rows", static_cast<std::int64_t>(e.rows));
  out.field("median", e.median).field("p90", e.p90).field("worst", e.worst).field("bias", e.bias).field("within_range", e.within_range).close('}');
}

void write_cause(JsonWriter& out, std::string_view cause, i18n::Language language) {
  out.key("cause");
  cause.empty() ? out.null() : out.value(i18n::text_or(language, cause, cause));
}

void write_row(JsonWriter& out, const MeasurementRow& r, i18n::Language language) {
  out.open('{').field("id", r.id).field("kind", measurement_kind_name(r.kind)).field("model", r.model).field("stack", r.stack).field("versions", r.version);
  if (r.kind == MeasurementKind::limit)
    out.field("ran", r.ran).field("predicted_to_run", r.predicted_to_run);
  else
    out.field("measured", r.measured).field("error", r.error());
  out.field("predicted", r.predicted).key("range").open('{').field("low", r.low).field("high", r.high).close('}');
  out.field("confidence", name(r.confidence)).field("source", r.url).key("scenario").raw(write_scenario_compact(r.scenario));
  write_cause(out, r.cause, language);
  out.close('}');
}

}  // namespace

std::string measurements_json(const MeasurementValidation& v, i18n::Language language) {
  JsonWriter out;
  out.open('{').key("by_kind").open('[');
  for (const MeasurementErrors& e : v.by_kind) write_errors(out, e);
  out.close(']').key("without_cause").open('[');
  for (const MeasurementErrors& e : v.without_cause) write_errors(out, e);
  out.close(']').key("by_source").open('[');
  for (const MeasurementErrors& e : v.by_stack) write_errors(out, e);
  out.close(']').key("limits").open('{').field("rows", static_cast<std::int64_t>(v.limits.rows)).field("right", static_cast<std::int64_t>(v.limits.right));
  out.field("within_range", static_cast<std::int64_t>(v.limits.within_range)).field("wrong", static_cast<std::int64_t>(v.limits.wrong)).close('}');
  out.key("worst").open('{');
  for (std::size_t k = 0; k < kMeasurementKinds; ++k) {
    out.key(measurement_kind_name(static_cast<MeasurementKind>(k))).open('[');
    for (const std::size_t i : v.worst[k]) {
      out.open('{').field("id", v.rows[i].id).field("error", v.rows[i].error());
      write_cause(out, v.rows[i].cause, language);
      out.close('}');
    }
    out.close(']');
  }
  out.close('}').key("left_out").open('[');
  for (const LeftOutRows& l : v.left_out) {
    out.open('{').field("reason", l.reason).field("rows", static_cast<std::int64_t>(l.rows)).key("ids").open('[');
    for (const measurement_table::LeftOutRow& row : measurement_table::kLeftOutRows)
      if (l.reason == row.why) out.value(row.id);
    out.close(']').close('}');
  }
  out.close(']').key("rows").open('[');
  for (const MeasurementRow& r : v.rows) write_row(out, r, language);
  return out.close(']').close('}').take();
}

}  // namespace gpudget::formats
