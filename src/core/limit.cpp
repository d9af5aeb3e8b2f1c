#include "core/limit.h"

#include "core/architecture_presets.h"
#include "core/memory.h"

namespace gpudget {
namespace {

struct Range {
  std::int64_t low, high;
};

// The ranges that the schema accepts; a table of learned positions ends the length.
Range range_of(const Scenario& s, LimitOf of) {
  switch (of) {
    case LimitOf::params: return {kMinLlamaLike, kMaxLlamaLike};
    case LimitOf::per_device_train_batch_size: return {1, 1'000'000};
    case LimitOf::max_length: {
      const Architecture& a = s.model.architecture;
      const bool table = a.positions == Positions::learned && a.max_position_embeddings > 0;
      return {1, table ? a.max_position_embeddings : 100'000'000};
    }
    case LimitOf::lora_r: return {1, 65'536};
  }
  return {1, 1};
}

void set(Scenario& s, LimitOf of, std::int64_t value) {
  switch (of) {
    case LimitOf::params:
      s.model = {};
      s.model.source = ModelSpec::Source::params;
      s.model.architecture = llama_like(value);
      return;
    case LimitOf::per_device_train_batch_size: s.per_device_train_batch_size = value; return;
    case LimitOf::max_length: s.max_length = value; return;
    case LimitOf::lora_r: s.lora.r = value; return;
  }
}

int errors_beside_size(const Estimate& e) {
  int n = 0;
  for (const Problem& p : e.problems.view())
    if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) ++n;
  return n;
}

// "8030261248", or "8B" where it is a whole number of millions or billions: what {"params": …} reads back as the same size.
Text<96> size_text(std::int64_t n) {
  char buffer[24];
  std::size_t end = sizeof buffer, begin = end;
  const char* unit = "";
  if (n % 1'000'000'000 == 0) {
    n /= 1'000'000'000, unit = "B";
  } else if (n % 1'000'000 == 0) {
    n /= 1'000'000, unit = "M";
  }
  if (*unit != 0) buffer[--begin] = *unit;
  do buffer[--begin] = static_cast<char>('0' + n % 10);
  while ((n /= 10) > 0);
  return Text<96>(std::string_view(buffer + begin, end - begin));
}

}  // namespace

std::optional<Limit> limit(const Scenario& scenario, LimitOf of) {
  const Range range = range_of(scenario, of);
  Scenario s = scenario;
  Estimate e;
  e.memory.ledger.keep_only_totals();
  const int known = of == LimitOf::params ? 0 : (estimate_memory(scenario, e), errors_beside_size(e));
  const auto fits = [&](std::int64_t value) {
    set(s, of, value);
    e.problems = {};
    estimate_memory(s, e);
    return e.memory.fits && errors_beside_size(e) <= known;
  };
  if (!fits(range.low)) return std::nullopt;
  // Doubling finds a value that does not fit, bisection the last one below it that does. `low` fits at every moment and `high` does not.
  std::int64_t low = range.low, high = range.low;
  while (high < range.high) {
    high = high > range.high / 2 ? range.high : high * 2;
    if (!fits(high)) break;
    low = high;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  set(s, of, low);
  if (of == LimitOf::params) s.model.id = s.model.name = size_text(low);
  return Limit{low, s};
}

}  // namespace gpudget
