// gpudget validate: memory against the oracle's rows and against published measurements, and the published training runs that ship with the program, measured
// and predicted side by side, with the error statistics.
#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
#include "formats/measurement_json.h"
#include "formats/measurement_validation.h"
#include "formats/throughput_json.h"
#include "formats/throughput_validation.h"
#include "formats/validation.h"
#include "i18n/numbers.h"

namespace gpudget::cli {
namespace {

using formats::ThroughputErrors;
using formats::ThroughputRow;
using i18n::Language;
using i18n::Msg;

std::string signed_percent(Language l, double v) { return (v < 0 ? "−" : "+") + i18n::percent(l, v < 0 ? -v : v); }

std::string text(const formats::ThroughputValidation& v, Language l) {
  const auto word = [l](Msg m) { return std::string(i18n::text(l, m)); };
  Table rows({"GPU", "", word(Msg::accuracy_measured), word(Msg::accuracy_predicted), "", ""}, {false, true, true, true, true, false});
  for (const ThroughputRow& r : v.rows)
    rows.row({fmt::format("{} × {}", r.gpus, r.gpu),
              i18n::format(l, Msg::accuracy_tokens, {{"batch", i18n::integer(l, r.micro_batch)}, {"length", i18n::integer(l, r.max_length)}}),
              i18n::integer(l, static_cast<std::int64_t>(r.measured + 0.5)), i18n::integer(l, static_cast<std::int64_t>(r.left_out + 0.5)),
              coloured(signed_percent(l, r.left_out_error()), r.in_goal ? Colour::plain : Colour::dim), fmt::format("{}, {}", r.model, r.method)});
  Table groups({word(Msg::accuracy_groups), word(Msg::accuracy_rows), word(Msg::accuracy_median), word(Msg::accuracy_p90), word(Msg::accuracy_bias),
                word(Msg::accuracy_within)},
               {false, true, true, true, true, true});
  const auto group = [&](const ThroughputErrors& e) {
    groups.row({std::string(e.group), i18n::integer(l, static_cast<std::int64_t>(e.rows)), i18n::percent(l, e.median), i18n::percent(l, e.p90),
                signed_percent(l, e.bias), i18n::percent(l, e.within_range)});
  };
  group(v.all);
  for (const auto* list : {&v.by_method, &v.by_gpu, &v.by_source})
    for (const ThroughputErrors& e : *list) group(e);
  return i18n::format(l, Msg::accuracy_speed_lead, {{"rows", i18n::integer(l, static_cast<std::int64_t>(v.rows.size()))}}) + " (" +
         word(Msg::accuracy_per_gpu) + ")\n\n" + rows.text() + "\n" + groups.text();
}

std::string text(const formats::Validation& v, Language l) {
  const auto word = [l](Msg m) { return std::string(i18n::text(l, m)); };
  Table groups({word(Msg::accuracy_groups), word(Msg::accuracy_rows), word(Msg::accuracy_median), word(Msg::accuracy_p90), word(Msg::validate_worst),
                word(Msg::validate_phase_right)},
               {false, true, true, true, true, true});
  const auto group = [&](const formats::MemoryErrors& e, std::string name) {
    const auto percent = [](double x) { return fmt::format("{:.2f} %", 100 * x); };
    groups.row({std::move(name), i18n::integer(l, static_cast<std::int64_t>(e.rows)), percent(e.median), percent(e.p90), percent(e.worst),
                percent(e.phase_name_right)});
  };
  for (const formats::MemoryErrors* e : {&v.first, &v.other, &v.held_out_first, &v.held_out_other})
    group(*e, std::string(i18n::text_or(l, "validate.group." + e->group, e->group)));
  for (const auto* list : {&v.by_method, &v.by_family})
    for (const formats::MemoryErrors& e : *list) group(e, e.group);
  Table worst({word(Msg::validate_worst), "", word(Msg::accuracy_measured), word(Msg::accuracy_predicted), "", word(Msg::validate_cause)},
              {false, false, true, true, true, false});
  for (const std::size_t i : v.worst) {
    const formats::MemoryRow& r = v.rows[i];
    worst.row({r.id, r.family + " " + r.kind, i18n::integer(l, r.measured), i18n::integer(l, r.predicted), signed_percent(l, r.error()),
               r.cause.empty() ? word(Msg::validate_unexplained) : std::string(i18n::text_or(l, r.cause, r.cause))});
  }
  return i18n::format(l, Msg::validate_memory_lead, {{"rows", i18n::integer(l, static_cast<std::int64_t>(v.rows.size()))}}) + "\n\n" + groups.text() + "\n" +
         worst.text();
}

std::string kind_name(Language l, formats::MeasurementKind kind) {
  const std::string_view id = formats::measurement_kind_name(kind);
  return std::string(i18n::text_or(l, "validate.kind." + std::string(id), id));
}

// The configuration in short: "2 × A100 80GB, QLoRA, 4 × 4,096".
std::string configuration(Language l, const formats::MeasurementRow& r) {
  const Scenario& s = r.scenario;
  return fmt::format("{} × {}, {}, {} × {}", s.gpus, s.gpu.name.view(), name(s.method), i18n::integer(l, s.per_device_train_batch_size),
                     i18n::integer(l, s.max_length));
}

std::string text(const formats::MeasurementValidation& v, Language l) {
  const auto word = [l](Msg m) { return std::string(i18n::text(l, m)); };
  const auto count = [l](std::size_t n) { return i18n::integer(l, static_cast<std::int64_t>(n)); };
  Table groups({word(Msg::accuracy_groups), word(Msg::accuracy_rows), word(Msg::accuracy_median), word(Msg::accuracy_p90), word(Msg::validate_worst),
                word(Msg::accuracy_bias), word(Msg::accuracy_within)},
               {false, true, true, true, true, true, true});
  const auto group = [&](const formats::MeasurementErrors& e, std::string name) {
    if (e.rows > 0)
      groups.row({std::move(name), count(e.rows), i18n::percent(l, e.median), i18n::percent(l, e.p90), i18n::percent(l, e.worst), signed_percent(l, e.bias),
                  i18n::percent(l, e.within_range)});
  };
  for (const formats::MeasurementErrors& e : v.by_kind) group(e, kind_name(l, e.kind));
  for (const formats::MeasurementErrors& e : v.without_cause) group(e, i18n::format(l, Msg::validate_no_cause_group, {{"kind", kind_name(l, e.kind)}}));
  for (const formats::MeasurementErrors& e : v.by_stack) group(e, std::string(e.group) + ", " + kind_name(l, e.kind));
  std::string out = i18n::format(l, Msg::validate_memory_gpu_lead, {{"rows", count(v.rows.size())}}) + "\n\n" + groups.text() + "\n";
  for (std::size_t k = 0; k < formats::kMeasurementKinds; ++k) {
    Table worst({word(Msg::validate_worst) + ", " + kind_name(l, static_cast<formats::MeasurementKind>(k)), "", word(Msg::accuracy_measured),
                 word(Msg::accuracy_predicted), "", word(Msg::validate_cause)},
                {false, false, true, true, true, false});
    for (const std::size_t i : v.worst[k]) {
      const formats::MeasurementRow& r = v.rows[i];
      worst.row({std::string(r.model), configuration(l, r), i18n::size(l, bytes(r.measured)), i18n::size(l, bytes(r.predicted)), signed_percent(l, r.error()),
                 r.cause.empty() ? word(Msg::validate_unexplained) : std::string(i18n::text_or(l, r.cause, r.cause))});
    }
    out += worst.text() + "\n";
  }
  out += i18n::format(
             l, Msg::validate_limits,
             {{"rows", count(v.limits.rows)}, {"right", count(v.limits.right)}, {"within", count(v.limits.within_range)}, {"wrong", count(v.limits.wrong)}}) +
         "\n";
  Table wrong({"", "", word(Msg::accuracy_predicted), "", word(Msg::validate_cause)}, {false, false, true, true, false});
  for (const std::size_t i : v.wrong_limits) {
    const formats::MeasurementRow& r = v.rows[i];
    wrong.row({std::string(r.id), configuration(l, r), i18n::size(l, bytes(r.predicted)), "/ " + i18n::size(l, r.scenario.gpu.memory),
               r.cause.empty() ? word(Msg::validate_unexplained) : std::string(i18n::text_or(l, r.cause, r.cause))});
  }
  if (!wrong.empty()) out += wrong.text();
  std::size_t all = 0;
  Table left({"", ""}, {true, false});
  for (const formats::LeftOutRows& row : v.left_out) {
    all += row.rows;
    left.row({count(row.rows), std::string(i18n::text_or(l, "validate.left_out." + std::string(row.reason), row.reason))});
  }
  return out + "\n" + i18n::format(l, Msg::validate_left_out, {{"rows", count(all)}}) + "\n" + left.text();
}

}  // namespace

void add_validate(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("validate", "memory and published training speeds, measured and predicted side by side, with the error statistics");
  struct Options {
    bool json = false;
    LanguageOption language;
  };
  auto options = std::make_shared<Options>();
  call->add_flag("--json", options->json, "as JSON, with the source of each");
  options->language.add(*call, context);
  call->callback([options, &context] {
    context.run = [options, &context] {
      const Language l = options->language.get();
      const formats::ThroughputValidation speed = formats::validate_throughput();
      const formats::Validation memory = formats::validate_memory();
      const formats::MeasurementValidation measured = formats::validate_measurements();
      if (options->json) {
        const Language words = options->language.code.empty() ? Language::en : l;
        std::string all = formats::write_validation(formats::validation_json(memory), speed, words);
        all.insert(all.size() - 1, ",\"measurements\":" + formats::measurements_json(measured, words));
        context.out = all + "\n";
      } else {
        context.out = text(memory, l) + "\n" + text(measured, l) + "\n" + text(speed, l);
      }
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
