#include "core/limit.h"

#include <array>
#include <string_view>

#include "core/architecture_presets.h"
#include "core/estimate.h"

namespace gpudget {
namespace {

struct Range {
  std::int64_t low, high;
};
constexpr Range range_of(LimitOf of) {
  switch (of) {
    case LimitOf::params: return {kMinLlamaLike, kMaxLlamaLike};
    case LimitOf::per_device_train_batch_size: return {1, 1'000'000};
    case LimitOf::max_length: return {1, 100'000'000};
    case LimitOf::lora_r: return {1, 65'536};
  }
  return {1, 1};
}

// A size in words that the model field reads: its digits.
Text<96> digits(std::int64_t n) {
  std::array<char, 20> text{};
  std::size_t at = text.size();
  do {
    text[--at] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n > 0);
  return Text<96>(std::string_view(text.data() + at, text.size() - at));
}

void set(Scenario& s, LimitOf of, std::int64_t value) {
  switch (of) {
    case LimitOf::params:
      s.model = {};
      s.model.source = ModelSpec::Source::params;
      s.model.id = s.model.name = digits(value);
      s.model.architecture = llama_like(value);
      break;
    case LimitOf::per_device_train_batch_size: s.per_device_train_batch_size = value; break;
    case LimitOf::max_length: s.max_length = value; break;
    case LimitOf::lora_r: s.lora.r = value; break;
  }
}

}  // namespace

std::optional<Limit> limit(const Scenario& scenario, LimitOf of) {
  Limit out;
  Estimate e;
  const auto fits = [&](std::int64_t value) {
    out.scenario = scenario;
    set(out.scenario, of, value);
    estimate(out.scenario, e);
    return e.memory.fits;
  };
  Range r = range_of(of);
  if (!fits(r.low)) return std::nullopt;
  if (!fits(r.high)) {
    while (r.high - r.low > 1) {  // low fits, high does not
      const std::int64_t middle = r.low + (r.high - r.low) / 2;
      (fits(middle) ? r.low : r.high) = middle;
    }
  } else {
    r.low = r.high;
  }
  out.value = r.low;
  out.scenario = scenario;
  set(out.scenario, of, r.low);
  return out;
}

}  // namespace gpudget
