// gpudget validate: the published training runs that ship with the program, measured and predicted side by side, with the error statistics.
#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
#include "formats/throughput_json.h"
#include "formats/throughput_validation.h"
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

}  // namespace

void add_validate(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("validate", "published training speeds, measured and predicted side by side, with the error statistics");
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
      const formats::ThroughputValidation v = formats::validate_throughput();
      context.out = options->json ? formats::write_validation(v, options->language.code.empty() ? Language::en : l) + "\n" : text(v, l);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
