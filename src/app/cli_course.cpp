// gpudget course: the chapter's tables, computed by its formulas.
#include <fmt/format.h>

#include "app/cli.h"
#include "formats/course_json.h"
#include "formats/course_sheet.h"

namespace gpudget::cli {

void add_course(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("course", "the chapter's tables, computed by its formulas");
  struct Options {
    std::string table;
    bool json = false;
    LanguageOption language;
  };
  auto options = std::make_shared<Options>();
  CLI::Option* place =
      call->add_option("TABLE", options->table, "full_finetune, single_gpu, multi_gpu, throughput, time, prices, cost or estimate_memory; none: all");
  for (const std::string_view each : names<course::Table>()) context.words[place].emplace_back(each);
  call->add_flag("--json", options->json, "as JSON");
  options->language.add(*call, context);
  call->callback([options, &context] {
    context.run = [options, &context] {
      std::optional<course::Table> table;
      if (!options->table.empty()) {
        table = from_name<course::Table>(options->table);
        const auto all = names<course::Table>();
        if (!table) throw Failure{"TABLE", fmt::format("'{}' is not known (one of {})", options->table, fmt::join(all.begin(), all.end(), ", "))};
      }
      const i18n::Language l = options->language.get();
      context.out =
          options->json ? formats::write_course(table, options->language.code.empty() ? i18n::Language::en : l) + "\n" : formats::course_text(l, table);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
