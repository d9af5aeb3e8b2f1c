#include "catalog/catalog.h"

#include <array>
#include <iterator>

#include "catalog/tables.h"
#include "core/edit_distance.h"

namespace gpudget::catalog {
namespace {

constexpr std::string_view kCourse = "course";

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

template <class T>
const T* find(std::span<const T> rows, std::string_view id) {
  for (const T& row : rows)
    if (same(row.id.view(), id)) return &row;
  return nullptr;
}

// The id itself counts, and the part after the owner's name: "Llama-3.1-8B" is near "meta-llama/Llama-3.1-8B".
std::size_t distance(std::string_view typed, std::string_view id) {
  const std::size_t slash = id.rfind('/');
  std::size_t d = 2 * edit_distance(typed, id);
  if (slash != std::string_view::npos && typed.find('/') == std::string_view::npos) {
    const std::size_t short_distance = 2 * edit_distance(typed, id.substr(slash + 1)) + 1;
    d = short_distance < d ? short_distance : d;
  }
  return d;
}

// `doubled`: twice the edit distance. Half the letters wrong is no longer a slip of the hand; edit_distance sees the first 96 bytes of a longer text.
bool near_enough(std::string_view typed, std::size_t doubled) { return !typed.empty() && doubled <= (typed.size() < 96 ? typed.size() : 96); }

template <class T>
std::string_view nearest(std::span<const T> rows, std::string_view typed) {
  std::string_view best;
  std::size_t best_distance = 0;
  for (const T& row : rows) {
    const std::string_view id = row.id.view();
    const std::size_t d = distance(typed, id);
    if (best.empty() || d < best_distance) best = id, best_distance = d;
  }
  return near_enough(typed, best_distance) ? best : std::string_view{};
}

// One GPU's rows, gathered once: few have more than ten.
class PricesOf {
 public:
  explicit PricesOf(std::string_view gpu) {
    for (const PriceRow& row : kPrices)
      if (size_ < rows_.size() && same(row.gpu, gpu)) rows_[size_++] = &row;
  }
  const PriceRow* newest(std::string_view provider) const {
    const PriceRow* best = nullptr;
    for (std::size_t i = 0; i < size_; ++i)
      if (same(rows_[i]->provider, provider) && (best == nullptr || rows_[i]->date > best->date)) best = rows_[i];
    return best;
  }

 private:
  std::array<const PriceRow*, std::size(kPrices)> rows_;
  std::size_t size_ = 0;
};

}  // namespace

std::span<const ModelSpec> models() { return kModels; }
std::span<const Gpu> gpus() { return kGpus; }
std::span<const PriceRow> prices() { return kPrices; }
std::span<const std::string_view> providers() { return kProviders; }

const ModelSpec* find_model(std::string_view id) { return find(models(), id); }
const Gpu* find_gpu(std::string_view id) { return find(gpus(), id); }
bool has_provider(std::string_view provider) {
  for (std::string_view p : kProviders)
    if (same(p, provider)) return true;
  return false;
}

std::string_view source_of(const ModelSpec& model) { return kModelSources[&model - kModels]; }
std::string_view source_of(const Gpu& gpu) { return kGpuFacts[&gpu - kGpus].source; }
std::string_view maker_of(const Gpu& gpu) { return kGpuFacts[&gpu - kGpus].maker; }
GpuClass class_of(const Gpu& gpu) { return kGpuFacts[&gpu - kGpus].kind; }
std::int64_t label_gb(const Gpu& gpu) { return kGpuFacts[&gpu - kGpus].label_gb; }

std::optional<Quote> quote(std::string_view gpu, std::string_view provider, Market market) {
  const PriceRow* chosen = nullptr;
  const PricesOf prices(gpu);
  if (!provider.empty()) {
    chosen = prices.newest(provider);
  } else {
    const auto price = [market](const PriceRow& row) { return market == Market::spot ? row.spot : row.on_demand; };
    for (std::string_view p : kProviders) {
      const PriceRow* row = p == kCourse ? nullptr : prices.newest(p);
      if (row != nullptr && price(*row) > UsdPerHour(0) && (chosen == nullptr || price(*row) < price(*chosen))) chosen = row;
    }
    if (chosen == nullptr) chosen = prices.newest(kCourse);
    if (chosen == nullptr)  // somebody has it in the other market
      for (std::string_view p : kProviders)
        if (chosen == nullptr) chosen = prices.newest(p);
  }
  if (chosen == nullptr) return std::nullopt;
  return Quote{chosen->on_demand, chosen->spot, chosen->provider, chosen->date, chosen->source};
}

std::string_view nearest_model(std::string_view typed) { return nearest(models(), typed); }
std::string_view nearest_gpu(std::string_view typed) { return nearest(gpus(), typed); }
std::string_view nearest_provider(std::string_view typed) {
  std::string_view best;
  std::size_t best_distance = 0;
  for (std::string_view p : kProviders) {
    const std::size_t d = 2 * edit_distance(typed, p);
    if (best.empty() || d < best_distance) best = p, best_distance = d;
  }
  return near_enough(typed, best_distance) ? best : std::string_view{};
}

}  // namespace gpudget::catalog
