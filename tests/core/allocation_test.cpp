#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "core/advice.h"
#include "core/architecture_presets.h"
#include "core/estimate.h"
#include "core/limit.h"

namespace {
long allocations = 0;
}
// The whole program's: counts, and otherwise does what the library's does. Not inlined: GCC would warn of a free() without its malloc().
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n > 0 ? n : 1)) return p;
  std::abort();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace gpudget;

TEST_CASE("estimate, advise and limit allocate nothing") {
  Scenario s;
  s.model.architecture = llama_like(8'000'000'000);
  s.gpu.memory = gib(80);
  s.gpu.bf16_tflops = 312, s.gpu.memory_bandwidth_gb_s = 2000;
  s.per_device_train_batch_size = 4;
  Estimate e;
  for (const Method m : {Method::full, Method::lora, Method::qlora, Method::inference}) {
    s.method = m;
    const long before = allocations;
    estimate(s, e);
    const AdviceList list = advise(s, e);
    const auto most = limit(s, LimitOf::max_length);
    CHECK(allocations - before == 0);
    CHECK(list.size == kAdvice);
    CHECK((most.has_value() || !e.memory.fits));
  }
  const long before = allocations;
  ::operator delete(::operator new(1));
  CHECK(allocations == before + 1);  // the counter counts
}
