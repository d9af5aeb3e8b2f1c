// The memory model against the oracle's rows (tests/data/README.md). GPUDGET_ORACLE_TABLE=1 prints every row: predicted / oracle at the peak and a phase.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "formats/validation.h"

TEST_CASE("the memory model is no worse against the oracle than it has been") {
  using namespace gpudget;
  const formats::Validation v = formats::validate_memory();
  CHECK(v.rows.size() == 605);  // every row could be read
  if (std::getenv("GPUDGET_ORACLE_TABLE") != nullptr)
    for (const formats::MemoryRow& r : v.rows)
      std::printf("%8.4f %s %s %s b%lld s%lld r%lld | %.4f %.4f %.4f | %lld\n", 1 + r.error(), r.id.c_str(), r.family.c_str(), r.kind.c_str(),
                  static_cast<long long>(r.scenario.per_device_train_batch_size), static_cast<long long>(r.scenario.max_length),
                  static_cast<long long>(r.scenario.lora.r), 1 + r.phase_error(0), 1 + r.phase_error(1), 1 + r.phase_error(2),
                  static_cast<long long>(r.predicted - r.measured));
  struct Limit {
    const formats::MemoryErrors& errors;
    double median, p90, worst, phase_p90;
  };
  for (const Limit& l : {Limit{v.first, 0.00001, 0.0002, 0.0195, 0.0003}, Limit{v.other, 0.00005, 0.0025, 0.016, 0.002},
                         Limit{v.held_out_first, 0.00001, 0.0002, 0.02, 0.0003}, Limit{v.held_out_other, 0.00005, 0.003, 0.019, 0.003}}) {
    INFO(l.errors.group, " median ", l.errors.median, " p90 ", l.errors.p90, " worst ", l.errors.worst, " phases ", l.errors.phase_p90, " names ",
         l.errors.phase_name_right);
    MESSAGE(l.errors.group, " median ", l.errors.median, " p90 ", l.errors.p90, " worst ", l.errors.worst);
    CHECK(l.errors.median <= l.median);
    CHECK(l.errors.p90 <= l.p90);
    CHECK(l.errors.worst <= l.worst);
    CHECK(l.errors.phase_p90 <= l.phase_p90);
    CHECK(l.errors.phase_name_right >= 0.98);
  }
  CHECK(v.worst.size() == 10);
}
