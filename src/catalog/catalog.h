// Models, GPUs and prices by name: constant tables made at build time from assets/models.json, gpus.json and prices.json by
// tools/catalog_to_cpp.cpp. Nothing here allocates; views into the tables live as long as the program.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/scenario.h"

namespace gpudget::catalog {

// One provider's price for an hour of one GPU. 0: that market is not offered or its price not known.
struct PriceRow {
  std::string_view gpu;       // catalog id
  std::string_view provider;  // "aws", "lambda", "course"
  UsdPerHour on_demand, spot;
  std::string_view date;    // YYYY-MM-DD, when the source gave it
  std::string_view source;  // URL, or the title of the course's table
  std::string_view note;    // what the price is of ("p4d.24xlarge / 8"); may be empty
};

enum class GpuClass : std::uint8_t { datacenter, workstation, consumer };

// In the order of the lists that people choose from: models by maker and family, then size; GPUs by class, newest and largest first.
std::span<const ModelSpec> models();
std::span<const Gpu> gpus();
std::span<const PriceRow> prices();
std::span<const std::string_view> providers();  // each once, "course" first

// By id, letters compared without case; nullptr where there is none.
const ModelSpec* find_model(std::string_view id);
const Gpu* find_gpu(std::string_view id);
bool has_provider(std::string_view provider);

// Facts that the plain values do not carry; the row must be one of the tables'.
std::string_view source_of(const ModelSpec& model);  // URL of the config.json that the shape comes from
std::string_view source_of(const Gpu& gpu);
std::string_view maker_of(const Gpu& gpu);  // "NVIDIA", "AMD", "Intel", "Google", "AWS"
GpuClass class_of(const Gpu& gpu);
std::int64_t label_gb(const Gpu& gpu);  // the memory on the label, decimal GB as the maker counts; `memory` is what the driver reports

// The provider's newest price for the GPU; without a provider the cheapest in that market ("course" only where nobody else has one).
// Nothing where no row has a price in either market.
std::optional<Quote> quote(std::string_view gpu, std::string_view provider = {}, Market market = Market::on_demand);

// The id that was probably meant; empty where nothing is near.
std::string_view nearest_model(std::string_view typed);
std::string_view nearest_gpu(std::string_view typed);
std::string_view nearest_provider(std::string_view typed);

// Best matches first: every word of the query must be found in the id or the name ("qwen 7", "llama3 8b it", "4090"); a whole number or size
// ("7", "7b") matches a model's size before other digits. An empty query gives the whole list in order. Returns how many were written.
std::size_t search_models(std::string_view query, std::span<const ModelSpec*> out);
std::size_t search_gpus(std::string_view query, std::span<const Gpu*> out);

}  // namespace gpudget::catalog
