// gpudget list models|gpus|prices|optimizers: the catalog.
#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
#include "catalog/catalog.h"
#include "core/parameters.h"
#include "formats/list_json.h"
#include "i18n/numbers.h"

namespace gpudget::cli {
namespace {

using formats::ListKind;
using i18n::Language;

std::string price(double usd) { return usd > 0 ? fmt::format("{:.2f}", usd) : std::string("-"); }

std::string text(ListKind kind) {
  constexpr Language l = Language::en;
  switch (kind) {
    case ListKind::models: {
      Table t({"ID", "PARAMETERS", "ACTIVE", "LAYERS", "HIDDEN", "CONTEXT", "FAMILY"}, {false, true, true, true, true, true, false});
      for (const ModelSpec& m : catalog::models()) {
        const ParameterCount n = count_parameters(m.architecture);
        t.row({std::string(m.id.view()), i18n::count_short(l, n.total), n.active == n.total ? "" : i18n::count_short(l, n.active),
               fmt::format("{}", m.architecture.num_hidden_layers), fmt::format("{}", m.architecture.hidden_size),
               fmt::format("{}", m.architecture.max_position_embeddings), std::string(name(m.architecture.family))});
      }
      return t.text();
    }
    case ListKind::gpus: {
      Table t({"ID", "NAME", "GIB", "BF16 TFLOPS", "GB/S", "USD/H", "SPOT"}, {false, false, true, true, true, true, true});
      for (const Gpu& g : catalog::gpus()) {
        const auto on_demand = catalog::quote(g.id.view()), spot = catalog::quote(g.id.view(), {}, Market::spot);
        t.row({std::string(g.id.view()), std::string(g.name.view()), fmt::format("{:.1f}", g.memory.in_gib()),
               g.bf16_tflops > 0 ? fmt::format("{:.0f}", g.bf16_tflops) : "-", fmt::format("{:.0f}", g.memory_bandwidth_gb_s),
               on_demand ? price(on_demand->on_demand.value()) : "-", spot ? price(spot->spot.value()) : "-"});
      }
      return t.text();
    }
    case ListKind::prices: {
      Table t({"GPU", "PROVIDER", "USD/H", "SPOT", "DATE", "SOURCE"}, {false, false, true, true, false, false});
      for (const catalog::PriceRow& p : catalog::prices())
        t.row({std::string(p.gpu), std::string(p.provider), price(p.on_demand.value()), price(p.spot.value()), std::string(p.date), std::string(p.source)});
      return t.text();
    }
    case ListKind::optimizers: {
      Table t({"OPTIM", ""});
      for (const std::string_view optim : names<Optimizer>())
        t.row({std::string(optim), std::string(i18n::text_or(l, fmt::format("choice.optim.{}", optim), ""))});
      return t.text();
    }
  }
  return {};
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("list", "the catalog: models, gpus, prices, optimizers");
  struct Options {
    std::string kind;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::Option* kinds = call->add_option("KIND", options->kind, "models, gpus, prices or optimizers")->required();
  context.words[kinds] = {"gpus", "models", "optimizers", "prices"};
  call->add_flag("--json", options->json, "all that is known of each, as JSON");
  call->callback([options, &context] {
    context.run = [options, &context] {
      const auto kind = from_name<ListKind>(options->kind);
      if (!kind) throw Failure{"KIND", fmt::format("'{}' is not known (one of models, gpus, prices, optimizers)", options->kind)};
      context.out = options->json ? formats::write_list(*kind) + "\n" : text(*kind);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
