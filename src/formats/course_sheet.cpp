#include "formats/course_sheet.h"

#include <algorithm>
#include <array>

#include "course/formulas.h"
#include "formats/course_figures.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;
using i18n::Msg;

constexpr std::array<std::string_view, 14> kIds{"precision", "worked_float32", "worked_bfloat16", "full_finetune", "reductions",
                                                "zero",      "single_gpu",     "multi_gpu",       "throughput",    "time",
                                                "prices",    "cost",           "estimate_memory", "contradictions"};

// Fills one sheet; a function a table.
struct Maker {
  Language l;
  CourseSheet sheet;

  std::string t(Msg m) const { return std::string(i18n::text(l, m)); }
  std::string id(std::string_view a, std::string_view b = {}) const {
    std::string whole(a);
    whole += b;
    return std::string(i18n::text_or(l, whole, whole));
  }
  std::string size(Bytes b) const { return course_size(l, b); }
  std::string gib(Bytes b) const { return i18n::size(l, b, i18n::ByteUnit::gib); }
  // As the chapter prints it: whole GB, tenths of a TB.
  std::string printed(Bytes b) const {
    return b < gb(1000) ? course_size(l, b) : i18n::decimal(l, static_cast<double>(b.in_bytes()) / 1e12, 1) + "\u00A0" + t(Msg::unit_tb);
  }
  std::string number(std::int64_t n) const { return i18n::integer(l, n); }
  std::string per_byte(std::int64_t n) const { return "7B × " + number(n) + "\u00A0" + t(Msg::unit_byte); }
  void columns(std::initializer_list<CourseColumn> c) { sheet.columns = c; }
  void row(std::initializer_list<std::string> cells) { sheet.rows.emplace_back(cells); }
  void contradiction(std::string_view name) { sheet.notes.push_back(id("contradiction.", name)); }

  void precision() {
    columns({{t(Msg::sheet_column_precision), false}, {t(Msg::sheet_column_bytes), true}, {t(Msg::sheet_column_seven_b_weights), true}});
    for (const course::Precision p : course::kPrecisions)
      row({std::string(name(p)), i18n::decimal(l, course::bytes_per_parameter(p), course::bits_per_parameter(p) < 8 ? 1 : 0),
           size(course::memory(course::kWorkedParameters, p, 1))});
  }
  void worked(course::Precision p) {
    const course::Breakdown b = course::full_finetuning(course::kWorkedParameters, p);
    const std::int64_t each = course::bits_per_parameter(p) / 8;
    columns({{t(Msg::sheet_column_component), false}, {t(Msg::sheet_column_calculation), false}, {t(Msg::sheet_column_memory), true}});
    row({t(Msg::category_weights), per_byte(each), size(b.weights)});
    row({t(Msg::category_gradients), per_byte(each), size(b.gradients)});
    row({t(Msg::sheet_column_adamw_states), "7B × 2 × 4\u00A0" + t(Msg::unit_byte), size(b.optimizer)});
    row({t(Msg::sheet_column_total), "", size(b.total())});
    if (p == course::Precision::bfloat16)
      row({t(Msg::sheet_column_with_checkpointing), "\u2212" + i18n::percent(l, 0.01 * static_cast<double>(course::kCheckpointingPercentOff)),
           size(course::with_checkpointing(b.total()))});
  }
  void full_finetune() {
    sheet.rule = t(Msg::sheet_full_finetune_rule);
    columns({{t(Msg::sheet_column_size), false},
             {t(Msg::sheet_column_full_fp32), true},
             {t(Msg::sheet_column_full_bf16), true},
             {t(Msg::sheet_column_with_checkpointing), true},
             {t(Msg::sheet_column_exact), true}});
    for (const course::FullFinetuneRow& r : course::full_finetune())
      row({std::string(r.size), printed(r.printed_fp32), printed(r.printed_bf16), printed(r.printed_checkpointing), i18n::size(l, r.checkpointing)});
    contradiction("multiplier_low");
  }
  void reductions() {
    columns({{t(Msg::sheet_column_technique), false},
             {t(Msg::sheet_column_effect), false},
             {t(Msg::sheet_column_before), true},
             {t(Msg::sheet_column_after), true}});
    for (const course::Reduction& r : course::reductions())
      row({id("reduction.", r.id), id("reduction.", std::string(r.id) + ".effect"), r.before > Bytes{} ? size(r.before) : "–",
           r.after > Bytes{} ? size(r.after) : "–"});
  }
  void zero() {
    const course::Breakdown whole = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16);
    sheet.rule = t(Msg::sheet_zero_rule);
    columns({{t(Msg::sheet_column_stage), false}, {t(Msg::sheet_column_divided), false}, {t(Msg::sheet_column_per_gpu), true}});
    const std::array<Msg, 4> divided{Msg::sheet_column_nothing, Msg::sheet_column_states_divided, Msg::sheet_column_gradients_divided,
                                     Msg::sheet_column_weights_divided};
    for (int stage = 0; stage < 4; ++stage)
      row({stage == 0 ? std::string("DDP") : "ZeRO-" + number(stage), t(divided[static_cast<std::size_t>(stage)]),
           size(course::zero_per_gpu(whole, stage, course::kZeroExampleGpus))});
  }
  void single_gpu() {
    sheet.rule = t(Msg::sheet_single_gpu_rule);
    columns({{t(Msg::sheet_column_gpu), false},
             {t(Msg::sheet_column_vram), true},
             {t(Msg::sheet_column_max_full), true},
             {t(Msg::sheet_column_by_formula), true},
             {t(Msg::sheet_column_needs), true},
             {t(Msg::sheet_column_max_efficient), true},
             {t(Msg::sheet_column_needs_efficient), true}});
    for (const course::SingleGpuRow& r : course::single_gpu())
      row({std::string(r.gpu), printed(r.vram), std::string(r.max_full), i18n::count_short(l, r.full_by_formula), size(r.full_needs),
           std::string(r.max_efficient), size(r.efficient_needs_low)});
    contradiction("fit_80gb");
    contradiction("max_24gb");
  }
  void multi_gpu() {
    sheet.rule = t(Msg::sheet_multi_gpu_rule);
    columns({{t(Msg::sheet_column_setup), false},
             {t(Msg::sheet_column_vram), true},
             {t(Msg::sheet_column_max_efficient), true},
             {t(Msg::sheet_column_needs), true}});
    for (const course::MultiGpuRow& r : course::multi_gpu())
      row({number(r.gpus) + " × " + std::string(r.gpu), printed(r.vram),
           r.efficient_low == r.efficient_high ? std::string(r.efficient_low) : std::string(r.efficient_low) + "–" + std::string(r.efficient_high),
           size(r.needs_low) + " – " + size(r.needs_high)});
  }
  void throughput() {
    sheet.rule = t(Msg::sheet_throughput_rule);
    columns({{t(Msg::sheet_column_size), false}, {t(Msg::sheet_column_gpu), false}, {t(Msg::sheet_column_tokens_per_s), true}});
    for (const course::ThroughputRow& r : course::throughput())
      row({std::string(r.model), (r.gpus > 1 ? number(r.gpus) + " × " : std::string()) + std::string(r.gpu),
           number(static_cast<std::int64_t>(r.rate.value())) + "\u00A0" + t(Msg::unit_tokens_per_second)});
  }
  void time() {
    const course::TimeExample e = course::time_example();
    sheet.rule = t(Msg::sheet_time_rule);
    columns({{t(Msg::sheet_column_item), false}, {t(Msg::sheet_column_calculation), false}, {t(Msg::sheet_column_value), true}});
    const std::string seconds = number(static_cast<std::int64_t>(e.seconds.value())) + "\u00A0" + t(Msg::unit_second);
    row({t(Msg::sheet_column_total_tokens), number(e.examples) + " × " + number(e.tokens_per_example), number(e.total_tokens)});
    row({t(Msg::sheet_column_training_tokens), number(e.total_tokens) + " × " + number(e.epochs), number(e.training_tokens)});
    row({t(Msg::sheet_column_duration), "÷ " + number(static_cast<std::int64_t>(e.rate.value())) + "\u00A0" + t(Msg::unit_tokens_per_second), seconds});
    row({"", "÷ " + number(3600), i18n::decimal(l, e.hours(), 1) + "\u00A0" + t(Msg::unit_hour)});
  }
  void prices() {
    sheet.rule = t(Msg::sheet_prices_rule);
    columns(
        {{t(Msg::sheet_column_gpu), false}, {t(Msg::sheet_column_on_demand), true}, {t(Msg::sheet_column_spot), true}, {t(Msg::sheet_column_saving), true}});
    for (const course::PriceRow& r : course::prices())
      row({std::string(r.gpu), i18n::money(l, Usd(r.on_demand.value())), i18n::money(l, Usd(r.spot.value())), i18n::percent(l, r.saving())});
  }
  void cost() {
    const course::CostExample e = course::cost_example();
    sheet.rule = t(Msg::sheet_cost_rule);
    columns({{std::string(e.model) + ", " + std::string(e.gpu) + ", " + i18n::decimal(l, e.hours, 0) + "\u00A0" + t(Msg::unit_hour), false},
             {t(Msg::sheet_column_on_demand), true},
             {t(Msg::sheet_column_spot), true}});
    row({t(Msg::sheet_column_one_run), i18n::money(l, e.on_demand), i18n::money(l, e.spot)});
    row({i18n::format(l, Msg::sheet_column_runs, {{"n", number(e.runs)}}), i18n::money(l, e.runs_on_demand), i18n::money(l, e.runs_spot)});
  }
  void estimate_memory() {
    const auto cases = course::estimate_memory_cases();
    const auto heading = [&](const course::EstimateMemoryCase& c) {
      return i18n::count_short(l, c.parameters) + ", " + (c.precision == course::Precision::bfloat16 ? "bf16" : "fp32") + ", " + number(c.batch_size) + " × " +
             number(c.seq_len);
    };
    sheet.rule = t(Msg::sheet_estimate_memory_rule);
    columns({{t(Msg::sheet_column_component), false}, {heading(cases[0]), true}, {heading(cases[1]), true}});
    const auto part = [&](Msg label, Bytes (*of)(const course::EstimateMemory&)) { row({t(label), gib(of(cases[0].result)), gib(of(cases[1].result))}); };
    part(Msg::category_weights, [](const course::EstimateMemory& m) { return m.weights; });
    part(Msg::category_gradients, [](const course::EstimateMemory& m) { return m.gradients; });
    part(Msg::category_optimizer_states, [](const course::EstimateMemory& m) { return m.optimizer; });
    part(Msg::category_activations, [](const course::EstimateMemory& m) { return m.activations; });
    part(Msg::sheet_column_total, [](const course::EstimateMemory& m) { return m.total(); });
    contradiction("gib_as_gb");
  }
  void contradictions() {
    columns({{t(Msg::sheet_column_note), false}});
    for (const std::string_view c : course::contradictions()) row({id("contradiction.", c)});
  }
};

}  // namespace

std::span<const std::string_view> course_sheet_ids() { return kIds; }

CourseSheet course_sheet(Language language, std::string_view id) {
  Maker m{language, {}};
  if (std::find(kIds.begin(), kIds.end(), id) == kIds.end()) return {};
  m.sheet.title = m.id("sheet.", std::string(id) + ".title");
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
  if (!s.rule.empty()) out += "  " + s.rule + "\n";
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
