#include <doctest/doctest.h>

#include "ui/charts/scale.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/timeline.h"
#include "ui/number_text.h"

using namespace gpudget;
using namespace gpudget::ui;

namespace {
BarInput input(std::initializer_list<std::int64_t> gbs, std::int64_t capacity) {
  BarInput in;
  std::size_t i = 0;
  for (const std::int64_t n : gbs) {
    in.parts.push_back({static_cast<Category>(i++), gb(n), "a name of a part", "12.3 GB"});
    in.total += gb(n);
  }
  in.capacity = gb(capacity);
  in.width = 800;
  in.measure = [](std::string_view t) { return static_cast<float>(t.size()) * 7; };
  return in;
}
}  // namespace

TEST_CASE("parts of the bar stand in order without gaps and the capacity is to scale") {
  const BarInput in = input({16, 16, 32, 13, 2}, 85);
  const BarMarks m = layout_bar(in);
  float last = 0;
  for (const BarMark& p : m.parts) {
    CHECK(p.from == doctest::Approx(last));
    CHECK(p.to > p.from);
    last = p.to;
  }
  CHECK(m.end / m.capacity == doctest::Approx(79.0 / 85).epsilon(0.001));
}

TEST_CASE("labels of the bar never overlap and stay inside, whatever the parts") {
  for (const auto& gbs : {std::initializer_list<std::int64_t>{1, 1, 1, 1, 1, 1, 1, 1}, {80, 1, 1, 1}, {1, 1, 90}, {500, 1, 1, 1, 1}})
    for (const std::int64_t capacity : {10, 80, 1000})
      for (const float width : {200.0F, 360.0F, 800.0F, 1100.0F}) {
        BarInput in = input(gbs, capacity);
        in.width = width;
        const BarMarks m = layout_bar(in);
        std::size_t named = 0;
        for (const ui::BarPart& part : in.parts) named += part.size.in_bytes() >= in.total.in_bytes() / 2000 ? 1 : 0;
        CHECK(m.labels.size() == named);
        for (std::size_t i = 0; i < m.labels.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) {
            const BarLabel &a = m.labels[i], &b = m.labels[j];
            if (a.inside != b.inside || (!a.inside && a.row != b.row)) continue;
            CHECK((a.x + a.width <= b.x + 0.01F || b.x + b.width <= a.x + 0.01F));
          }
        for (const BarLabel& l : m.labels) {
          CHECK(l.x >= 0);
          CHECK(l.x + (m.listed ? 0 : l.width) <= width + 0.01F);
        }
      }
}

TEST_CASE("a bar of nothing, or of a thousand times the capacity, stays inside its width") {
  const BarMarks none = layout_bar(input({}, 80));
  CHECK(none.parts.empty());
  BarInput in = input({80'000}, 80);
  in.scale = gb(160);
  const BarMarks m = layout_bar(in);
  CHECK(m.clipped);
  CHECK(m.end <= in.width);
}

TEST_CASE("the timeline's bands stack without gaps and the peak is the largest phase") {
  const auto e = [] {
    MemoryEstimate m;
    m.capacity = gb(80);
    m.ledger.add(EntryId::weights, Category::weights, gb(16), Phase::load, Phase::step, Formula());
    m.ledger.add(EntryId::gradients, Category::gradients, gb(16), Phase::backward, Phase::step, Formula());
    m.ledger.add(EntryId::logits, Category::logits, gb(4), Phase::loss, Phase::backward, Formula());
    for (std::size_t p = 0; p < kPhases; ++p)
      if (static_cast<Phase>(p) != Phase::decode) m.phases[p] = m.ledger.phase_total(static_cast<Phase>(p));
    m.peak_phase = Phase::backward;
    return m;
  }();
  const TimelineMarks marks = layout_timeline(e, 1e9);
  REQUIRE(marks.phases.size() == 5);
  CHECK(marks.phases[marks.peak] == Phase::backward);
  REQUIRE(marks.bands.size() == 3);
  for (std::size_t p = 0; p < marks.phases.size(); ++p) {
    CHECK(marks.bands[0].low[p] == 0);
    for (std::size_t b = 1; b < marks.bands.size(); ++b) CHECK(marks.bands[b].low[p] == doctest::Approx(marks.bands[b - 1].high[p]));
    CHECK(marks.bands.back().high[p] <= marks.bands.back().high[marks.peak]);
  }
}

TEST_CASE("axis steps are 1, 2 or 5 times a power of ten") {
  CHECK(nice_ticks(0, 85, 5) == std::vector<double>{0, 20, 40, 60, 80});
  CHECK(nice_ticks(0, 0, 5).empty());
  CHECK(decades(0.5, 20) == std::vector<double>{0.5, 1, 2, 5, 10, 20});
}

TEST_CASE("numbers are read as any of the three languages writes them") {
  CHECK(read_number("2 048", true) == 2048);
  CHECK(read_number("2,048", true) == 2048);
  CHECK(read_number("2.048", true) == 2048);
  CHECK(read_number("2\u202F048", true) == 2048);
  CHECK(read_number("1.234.567", true) == 1234567);
  CHECK(read_number("0,05", false) == doctest::Approx(0.05));
  CHECK(read_number("1.234,5", false) == doctest::Approx(1234.5));
  CHECK(read_number("1,234.5", false) == doctest::Approx(1234.5));
  CHECK_FALSE(read_number("abc", false).has_value());
  CHECK_FALSE(read_number("", true).has_value());
  CHECK_FALSE(read_number("1.5", true).has_value());
}
