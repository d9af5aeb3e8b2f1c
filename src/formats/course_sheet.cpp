#include "formats/course_sheet.h"

#include <algorithm>
#include <array>

#include "course/formulas.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;
using i18n::Msg;

constexpr std::array<std::string_view, 14> kIds{"precision", "worked_float32", "worked_bfloat16", "full_finetune", "reductions",
                                                "zero",      "single_gpu",     "multi_gpu",       "throughput",    "time",
                                                "prices",    "cost",           "estimate_memory", "contradictions"};

struct Maker {
  Language l;
  CourseSheet sheet;

  std::string t(Msg m) const { return std::string(i18n::text(l, m)); }
  std::string id(std::string_view a, std::string_view b = {}) const {
    std::string whole(a);
    whole += b;
    return std::string(i18n::text_or(l, whole, whole));
  }
  std::string size(Bytes b) const { return i18n::size(l, b); }
  std::string gib(Bytes b) const { return i18n::size(l, b, i18n::ByteUnit::gib); }
  // As the chapter prints it: whole GB, tenths of a TB.
  std::string printed(Bytes b) const {
    return b < gb(1000) ? i18n::integer(l, b.in_bytes() / 1'000'000'000) + "\u00A0" + t(Msg::unit_gb)
                        : i18n::decimal(l, static_cast<double>(b.in_bytes()) / 1e12, 1) + "\u00A0" + t(Msg::unit_tb);
  }
  void columns(std::initializer_list<CourseColumn> c) { sheet.columns = c; }
  void row(std::initializer_list<std::string> cells) { sheet.rows.emplace_back(cells); }
  std::string yes(bool fits) const { return fits ? t(Msg::sheet_fits) : t(Msg::sheet_does_not_fit); }

  void precision() {
    columns({{t(Msg::learn_precision), false}, {t(Msg::sheet_bytes_per_parameter), true}, {"7B", true}});
    for (const course::Precision p : course::kPrecisions)
      row({std::string(name(p)), i18n::decimal(l, course::bytes_per_parameter(p), course::bits_per_parameter(p) < 8 ? 1 : 0),
           size(course::memory(course::kWorkedParameters, p, 1))});
  }
  void worked(course::Precision p) {
    const course::Breakdown b = course::full_finetuning(course::kWorkedParameters, p);
    columns({{t(Msg::sheet_component), false}, {t(Msg::sheet_rule), false}, {t(Msg::sheet_memory), true}});
    const std::string each = "7B × " + i18n::integer(l, course::bits_per_parameter(p) / 8) + "\u00A0" + t(Msg::unit_byte);
    row({id("category.weights"), each, size(b.weights)});
    row({id("category.gradients"), each, size(b.gradients)});
    row({id("category.optimizer_states"), "7B × 2 × 4\u00A0" + t(Msg::unit_byte), size(b.optimizer)});
    row({t(Msg::learn_total), "", size(b.total())});
    if (p == course::Precision::bfloat16)
      row({t(Msg::sheet_with_checkpointing), "− " + i18n::percent(l, 0.01 * static_cast<double>(course::kCheckpointingPercentOff)),
           size(course::with_checkpointing(b.total()))});
  }
  void full_finetune() {
    columns({{t(Msg::learn_model_size), false}, {"fp32", true}, {"bf16", true}, {t(Msg::sheet_with_checkpointing), true}});
    for (const course::FullFinetuneRow& r : course::full_finetune())
      row({std::string(r.size), printed(r.printed_fp32), printed(r.printed_bf16), printed(r.printed_checkpointing)});
    sheet.notes.push_back(t(Msg::sheet_rounded));
  }
  void reductions() {
    columns({{t(Msg::sheet_technique), false}, {t(Msg::sheet_setting), false}, {t(Msg::sheet_before), true}, {t(Msg::sheet_after), true}});
    for (const course::Reduction& r : course::reductions())
      row({id("reduction.", r.id), std::string(r.setting), r.before > Bytes{} ? size(r.before) : "–", r.after > Bytes{} ? size(r.after) : "–"});
  }
  void zero() {
    const course::Breakdown whole = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16);
    columns({{t(Msg::sheet_stage), false},
             {t(Msg::sheet_divides), false},
             {i18n::format(l, Msg::sheet_each_of, {{"n", i18n::integer(l, course::kZeroExampleGpus)}}), true}});
    const std::string states = id("category.optimizer_states"), gradients = id("category.gradients"), weights = id("category.weights");
    const std::array<std::string, 4> what{"–", states, states + " + " + gradients, states + " + " + gradients + " + " + weights};
    for (int stage = 0; stage < 4; ++stage)
      row({stage == 0 ? std::string("DDP") : "ZeRO-" + std::to_string(stage), what[static_cast<std::size_t>(stage)],
           size(course::zero_per_gpu(whole, stage, course::kZeroExampleGpus))});
  }
  void single_gpu() {
    columns({{"GPU", false},
             {t(Msg::sheet_memory), true},
             {t(Msg::sheet_max_full), false},
             {t(Msg::sheet_max_efficient), false},
             {t(Msg::sheet_formula_says), false}});
    for (const course::SingleGpuRow& r : course::single_gpu())
      row({std::string(r.gpu), printed(r.vram), std::string(r.max_full), std::string(r.max_efficient),
           std::string(r.max_full) + ": " + size(r.full_needs) + ", " + yes(r.full_fits())});
  }
  void multi_gpu() {
    columns({{t(Msg::sheet_setup), false}, {t(Msg::sheet_memory), true}, {t(Msg::sheet_max_efficient), false}, {t(Msg::sheet_formula_says), false}});
    for (const course::MultiGpuRow& r : course::multi_gpu())
      row({std::string(r.setup), printed(r.vram),
           r.efficient_low == r.efficient_high ? std::string(r.efficient_low) : std::string(r.efficient_low) + " – " + std::string(r.efficient_high),
           std::string(r.efficient_high) + ": " + size(r.needs_low) + " – " + size(r.needs_high)});
  }
  void throughput() {
    columns({{id("field.model"), false}, {"GPU", false}, {id("field.gpus"), true}, {"tokens/s", true}});
    for (const course::ThroughputRow& r : course::throughput())
      row({std::string(r.model), std::string(r.gpu), i18n::integer(l, r.gpus), i18n::integer(l, static_cast<std::int64_t>(r.rate.value()))});
  }
  void time() {
    const course::TimeExample e = course::time_example();
    columns({{"", false}, {t(Msg::sheet_rule), false}, {"", true}});
    row({id("time.dataset"), i18n::integer(l, e.examples) + " × " + i18n::integer(l, e.tokens_per_example), i18n::integer(l, e.total_tokens)});
    row({id("time.training"), "× " + i18n::integer(l, e.epochs), i18n::integer(l, e.training_tokens)});
    row({id("verdict.time"), "÷ " + i18n::rate(l, e.rate), i18n::decimal(l, e.hours(), 1) + "\u00A0" + t(Msg::unit_hour)});
  }
  void prices() {
    columns({{"GPU", false}, {id("choice.price.market.on_demand"), true}, {id("choice.price.market.spot"), true}, {t(Msg::sheet_saving), true}});
    for (const course::PriceRow& r : course::prices())
      row({std::string(r.gpu), i18n::money(l, Usd(r.on_demand.value())), i18n::money(l, Usd(r.spot.value())), i18n::percent(l, r.saving())});
  }
  void cost() {
    const course::CostExample e = course::cost_example();
    columns({{"", false}, {id("choice.price.market.on_demand"), true}, {id("choice.price.market.spot"), true}});
    const std::string hours = i18n::decimal(l, e.hours, 0) + "\u00A0" + t(Msg::unit_hour);
    row({std::string(e.model) + ", " + std::string(e.gpu) + ", " + hours, i18n::money(l, e.on_demand), i18n::money(l, e.spot)});
    row({i18n::format(l, Msg::time_all, {{"runs", i18n::integer(l, e.runs)}}), i18n::money(l, e.runs_on_demand), i18n::money(l, e.runs_spot)});
  }
  void estimate_memory() {
    columns({{t(Msg::sheet_component), false}, {"7B, bf16, 1 × 2048", true}, {"7B, fp32, 8 × 512", true}});
    const auto cases = course::estimate_memory_cases();
    const auto part = [&](std::string_view label, Bytes (*of)(const course::EstimateMemory&)) {
      row({id(label), gib(of(cases[0].result)), gib(of(cases[1].result))});
    };
    part("category.weights", [](const course::EstimateMemory& m) { return m.weights; });
    part("category.gradients", [](const course::EstimateMemory& m) { return m.gradients; });
    part("category.optimizer_states", [](const course::EstimateMemory& m) { return m.optimizer; });
    part("category.activations", [](const course::EstimateMemory& m) { return m.activations; });
    part("learn.total", [](const course::EstimateMemory& m) { return m.total(); });
    sheet.notes.push_back(t(Msg::sheet_gib_note));
  }
  void contradictions() {
    columns({{t(Msg::sheet_contradictions), false}});
    for (const std::string_view c : course::contradictions()) row({id("contradiction.", c)});
  }
};

}  // namespace

std::span<const std::string_view> course_sheet_ids() { return kIds; }

CourseSheet course_sheet(Language language, std::string_view id) {
  Maker m{language, {}};
  if (std::find(kIds.begin(), kIds.end(), id) == kIds.end()) return {};
  m.sheet.title = m.id("sheet.title.", id);
  if (id == "precision")
    m.precision();
  else if (id == "worked_float32")
    m.worked(course::Precision::float32);
  else if (id == "worked_bfloat16")
    m.worked(course::Precision::bfloat16);
  else if (id == "full_finetune")
    m.full_finetune();
  else if (id == "reductions")
    m.reductions();
  else if (id == "zero")
    m.zero();
  else if (id == "single_gpu")
    m.single_gpu();
  else if (id == "multi_gpu")
    m.multi_gpu();
  else if (id == "throughput")
    m.throughput();
  else if (id == "time")
    m.time();
  else if (id == "prices")
    m.prices();
  else if (id == "cost")
    m.cost();
  else if (id == "estimate_memory")
    m.estimate_memory();
  else
    m.contradictions();
  return m.sheet;
}

namespace {

// Width on a terminal: one column a code point.
std::size_t columns_of(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return n;
}

void append_sheet(std::string& out, const CourseSheet& s) {
  out += s.title + "\n";
  std::vector<std::size_t> widths(s.columns.size(), 0);
  for (std::size_t c = 0; c < s.columns.size(); ++c) {
    widths[c] = columns_of(s.columns[c].header);
    for (const auto& row : s.rows)
      if (c < row.size()) widths[c] = std::max(widths[c], columns_of(row[c]));
  }
  const auto cells = [&](auto text_of) {
    std::string row;
    for (std::size_t c = 0; c < s.columns.size(); ++c) {
      const std::string_view text = text_of(c);
      const std::string pad(widths[c] - columns_of(text), ' ');
      row += "  ";
      row += s.columns[c].numeric ? pad + std::string(text) : std::string(text) + pad;
    }
    while (!row.empty() && row.back() == ' ') row.pop_back();
    out += row + "\n";
  };
  cells([&](std::size_t c) { return std::string_view(s.columns[c].header); });
  for (const auto& row : s.rows) cells([&](std::size_t c) { return c < row.size() ? std::string_view(row[c]) : std::string_view(); });
  for (const std::string& note : s.notes) out += "  " + note + "\n";
}

}  // namespace

std::string course_text(Language language, std::optional<course::Table> table) {
  std::string out;
  if (table) {
    append_sheet(out, course_sheet(language, name(*table)));
    return out;
  }
  for (const std::string_view id : kIds) {
    if (!out.empty()) out += '\n';
    append_sheet(out, course_sheet(language, id));
  }
  return out;
}

}  // namespace gpudget::formats
