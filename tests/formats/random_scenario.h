// Scenarios made at random from the schema: every field may take any value that its row allows. The same seed gives the same scenario everywhere.
#pragma once
#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "catalog/catalog.h"
#include "formats/schema.h"

namespace gpudget::tests {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t next() {  // xorshift64*
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 0x2545F4914F6CDD1DU;
  }
  std::uint64_t below(std::uint64_t n) { return (next() >> 11U) % n; }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(below(size)); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  double unit() { return static_cast<double>(next() >> 11U) / 9007199254740992.0; }

 private:
  std::uint64_t state_;
};

inline std::string random_model(Random& r) {
  switch (r.below(4)) {
    case 0: return fmt::format(R"({{"params":"{}.{}B"}})", r.below(400) + 1, r.below(10));
    case 1:
      return fmt::format(
          R"({{"config":{{"model_type":"llama","_name_or_path":"some/model-{}","hidden_size":{},"num_hidden_layers":{},"num_attention_heads":{},"num_key_value_heads":8,"intermediate_size":{},"vocab_size":{}}}}})",
          r.below(100), 1024 * (r.below(8) + 1), r.below(90) + 1, 8 << r.below(3), 128 * (r.below(200) + 1), r.below(200'000) + 1000);
    default: {
      const auto models = catalog::models();
      return std::string(models[r.index(models.size())].id.view());
    }
  }
}

inline std::string random_gpu(Random& r) {
  if (r.one_in(4))
    return fmt::format(R"({{"name":"Card {}","memory_gib":{},"bf16_tflops":{},"memory_bandwidth_gb_s":{},"supports_bf16":{}}})", r.below(100), r.below(200) + 1,
                       static_cast<double>(r.below(20000)) / 8, r.below(8000) + 1, r.one_in(2));
  const auto gpus = catalog::gpus();
  return std::string(gpus[r.index(gpus.size())].id.view());
}

inline formats::Value random_value(const formats::Field& f, Random& r) {
  using formats::FieldType;
  if (f.nullable && r.one_in(3)) return {};
  switch (f.type) {
    case FieldType::boolean: return r.one_in(2);
    case FieldType::integer: {
      const double span = f.maximum - f.minimum;
      const double most = r.one_in(8) ? span : span < 64 ? span : r.one_in(2) ? 64 : 8192;
      return static_cast<std::int64_t>(f.minimum) + static_cast<std::int64_t>(r.unit() * (most < span ? most : span));
    }
    case FieldType::number: return f.minimum + r.unit() * (r.one_in(8) || f.maximum < 100 ? f.maximum - f.minimum : 100.0);
    case FieldType::choice: return std::string(f.choices[r.index(f.choices.size())]);
    case FieldType::model: return random_model(r);
    case FieldType::gpu: return random_gpu(r);
    case FieldType::modules: return std::string(r.one_in(3) ? "all-linear" : r.one_in(2) ? "attention" : R"(["q_proj","v_proj","down_proj"])");
    case FieldType::text: {
      const auto all = catalog::providers();
      return std::string(all[r.index(all.size())]);
    }
  }
  return {};
}

// About `share` of all fields differ from the defaults.
inline Scenario random_scenario(std::uint64_t seed, double share = 0.4) {
  Random r(seed);
  for (int i = 0; i < 8; ++i) r.next();
  Scenario s = formats::default_scenario();
  for (const formats::Field& f : formats::fields()) {
    if (r.unit() > share) continue;
    const formats::Value v = random_value(f, r);
    const auto done = formats::set_field(s, f.path, v);
    if (!done) FAIL_CHECK(std::string(f.path) << ": " << done.error().message());
  }
  return s;
}

}  // namespace gpudget::tests
