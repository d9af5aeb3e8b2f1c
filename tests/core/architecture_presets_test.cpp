#include "core/architecture_presets.h"

#include <doctest/doctest.h>

#include "core/parameters.h"

using namespace gpudget;

TEST_CASE("a shape of a size has at most that many parameters and hardly fewer") {
  for (const std::int64_t n : {1'000'000LL, 20'000'000LL, 350'000'000LL, 1'000'000'000LL, 7'000'000'000LL, 13'000'000'000LL, 70'000'000'000LL,
                               405'000'000'000LL, 100'000'000'000'000LL}) {
    CAPTURE(n);
    const std::int64_t counted = count_parameters(llama_like(n)).total;
    CHECK(counted <= n);
    CHECK(static_cast<double>(n - counted) <= 0.001 * static_cast<double>(n));
  }
}

TEST_CASE("8.03B is Llama 3.1 8B itself") {
  const Architecture a = llama_like(8'030'261'248);
  CHECK(a.hidden_size == 4096);
  CHECK(a.num_hidden_layers == 32);
  CHECK(a.intermediate_size == 14'336);
  CHECK(a.num_attention_heads == 32);
  CHECK(a.num_key_value_heads == 8);
  CHECK(count_parameters(a).total == 8'030'261'248);
}

TEST_CASE("sizes never shrink as the wish grows, and stay inside their range") {
  std::int64_t last = 0;
  for (std::int64_t n = kMinLlamaLike; n < kMaxLlamaLike; n += n / 97) {
    const Architecture a = llama_like(n);
    const std::int64_t counted = count_parameters(a).total;
    REQUIRE(counted >= last);
    REQUIRE(a.num_attention_heads % a.num_key_value_heads == 0);
    last = counted;
  }
  CHECK(llama_like(1) == llama_like(kMinLlamaLike));
  CHECK(llama_like(kMaxBytes) == llama_like(kMaxLlamaLike));
}
