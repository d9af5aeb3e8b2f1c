// gpudget validate: memory against the oracle's rows, and the published training runs that ship with the program, measured and predicted side by side, with the
// error statistics.
#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
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
  Table worst({word(Msg::validate_worst), "", word(Msg::accuracy_measured), word(Msg::accuracy_predicted), ""}, {false, false, true, true, true});
  for (const std::size_t i : v.worst) {
    const formats::MemoryRow& r = v.rows[i];
    worst.row({r.id, r.family + " " + r.kind, i18n::integer(l, r.measured), i18n::integer(l, r.predicted), signed_percent(l, r.error())});
  }
  return i18n::format(l, Msg::validate_memory_lead, {{"rows", i18n::integer(l, static_cast<std::int64_t>(v.rows.size()))}}) + "\n\n" + groups.text() + "\n" +
         worst.text();
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
      if (options->json)
        context.out = formats::write_validation(formats::validation_json(memory), speed, options->language.code.empty() ? Language::en : l) + "\n";
      else
        context.out = text(memory, l) + "\n" + text(speed, l);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
