// The answer in one sentence, a bar to scale, the one change that would help most, and four figures.
#include <algorithm>
#include <cmath>

#include "formats/plan_text.h"
#include "formats/problem_text.h"
#include "ui/actions.h"
#include "ui/charts/stacked_bar.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

enum class Outcome : std::uint8_t { fits, tight, over };

Outcome outcome(const MemoryEstimate& m) {
  if (!m.fits) return Outcome::over;
  return m.headroom.in_bytes() * 20 < m.capacity.in_bytes() ? Outcome::tight : Outcome::fits;  // less than 5 %
}

struct Words {
  std::string_view verdict;
  std::string sentence;
  ImU32 ink, mark;
  Icon icon;
};
Words words(const Frame& f) {
  const MemoryEstimate& m = f.s.estimate.memory;
  std::string gpu;  // a name is not broken over lines
  for (const char c : f.s.scenario.gpu.name.view()) {
    if (c == ' ')
      gpu += "\u00A0";
    else
      gpu += c;
  }
  switch (outcome(m)) {
    case Outcome::over:
      return {f.text(Msg::verdict_does_not_fit), f.format(Msg::verdict_does_not_fit_sentence, {{"over", f.size(m.device - m.capacity)}, {"gpu", gpu}}),
              f.c.over_text, f.c.over, Icon::cross};
    case Outcome::tight:
      return {f.text(Msg::verdict_tight), f.format(Msg::verdict_fits_sentence, {{"spare", f.size(m.headroom)}, {"gpu", gpu}}), f.c.tight_text, f.c.tight,
              Icon::warning};
    case Outcome::fits: break;
  }
  return {f.text(Msg::verdict_fits), f.format(Msg::verdict_fits_sentence, {{"spare", f.size(m.headroom)}, {"gpu", gpu}}), f.c.fits_text, f.c.fits, Icon::check};
}

// The change to offer: what makes it fit, if it does not; else what saves most.
const Advice* best_change(const State& s) {
  // Where it fits already, only what costs a setting is worth a word, not another method or other hardware.
  const auto a_setting = [](AdviceId id) {
    return id == AdviceId::gradient_checkpointing || id == AdviceId::flash_attention || id == AdviceId::fused_loss || id == AdviceId::optimizer_8bit ||
           id == AdviceId::mixed_precision || id == AdviceId::sharding;
  };
  for (const Advice& a : s.advice.view())
    if (a.applicable && !a.enabled && (s.estimate.memory.fits ? a.saves > Bytes{} && a_setting(a.id) : a.makes_it_fit)) return &a;
  if (!s.estimate.memory.fits) {
    const Advice* most = nullptr;
    for (const Advice& a : s.advice.view())
      if (a.applicable && !a.enabled && a.saves > Bytes{} && (most == nullptr || a.saves > most->saves)) most = &a;
    return most;
  }
  return nullptr;
}

std::string change_words(const Frame& f, const Advice& a) {
  std::string id = "advice.";
  id += name(a.id);
  const std::string_view change = f.text(id);
  const Bytes spare = f.s.estimate.memory.headroom + a.saves;
  if (a.makes_it_fit) return f.format(Msg::verdict_change_fits, {{"change", change}, {"spare", f.size(spare)}});
  return f.format(Msg::verdict_change_saves, {{"change", change}, {"saves", f.size(a.saves)}});
}

// 120 ms from one answer to the next; at once while a control is held (the bar follows the hand) or where motion is not wanted.
void glide(const Frame& f, BarInput& in) {
  constexpr double kSeconds = 0.12;
  Glide& g = f.s.glide;
  const auto t = [&] { return g.start < 0 ? 1.0 : std::clamp((f.now - g.start) / kSeconds, 0.0, 1.0); };
  const auto shown = [&](std::size_t c, double k) { return g.from[c] + (g.to[c] - g.from[c]) * (1 - (1 - k) * (1 - k)); };
  if (g.revision != f.s.revision) {
    const bool first = g.revision == 0, still = first || f.s.options.reduced_motion || ImGui::IsAnyItemActive();
    const double k = t();
    for (std::size_t c = 0; c < kCategories; ++c) {
      const double to = static_cast<double>(f.s.estimate.memory.categories[c].in_bytes());
      g.from[c] = still ? to : shown(c, k);
      g.to[c] = to;
    }
    g.start = still ? -1 : f.now;
    g.revision = f.s.revision;
  }
  const double k = t();
  if (k >= 1) return;
  for (BarPart& part : in.parts) part.size = bytes(static_cast<std::int64_t>(shown(static_cast<std::size_t>(part.category), k)));
  f.keep_drawing(1e-3);
}

BarInput bar_input(const Frame& f, float width, float height, bool labels) {
  const MemoryEstimate& m = f.s.estimate.memory;
  BarInput in;
  in.parts = bar_parts(f, m);
  in.total = m.device;
  in.capacity = m.capacity;
  in.low = m.range_low;
  in.high = m.range_high;
  in.width = width;
  in.bar = height;
  in.labels = labels;
  in.measure = [&f](std::string_view text) { return std::ceil(width_of(f, text, kSmallType.bold())) + 1; };
  glide(f, in);
  return in;
}

void mark(const Frame& f, ImVec2 centre, float radius, const Words& w) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(centre, radius, w.mark, 40);
  draw_icon(list, w.icon, {centre.x, centre.y - (w.icon == Icon::warning ? 1.0F : 0.0F)}, f.s.options.theme == Theme::dark ? f.c.page : f.c.on_accent,
            radius * 1.15F);
}

void figures(const Frame& f) {
  const Estimate& e = f.s.estimate;
  const bool one_run = f.s.scenario.runs == 1, trains = f.s.scenario.method != Method::inference;
  const float all = ImGui::GetContentRegionAvail().x;
  const int columns = all < 520 ? 2 : 4;
  const float width = all / static_cast<float>(columns);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string runs = f.integer(f.s.scenario.runs);
  struct Cell {
    std::string_view label;
    std::string value, note;
  };
  const Cell cells[] = {{f.text(Msg::verdict_memory), f.size(e.memory.device), f.format(Msg::verdict_of_capacity, {{"capacity", f.size(e.memory.capacity)}})},
                        {f.text(Msg::verdict_time), trains && e.time.seconds.value() > 0 ? f.duration(e.time.seconds) : "–",
                         one_run || !trains ? std::string() : f.format(Msg::verdict_all_runs, {{"v", f.duration(e.time.seconds_all_runs)}, {"runs", runs}})},
                        {f.text(Msg::verdict_cost), trains && e.cost.usd.value() > 0 ? f.money(e.cost.usd) : "–",
                         one_run || !trains ? std::string() : f.format(Msg::verdict_all_runs, {{"v", f.money(e.cost.usd_all_runs)}, {"runs", runs}})},
                        {f.text(Msg::verdict_throughput), e.compute.tokens_per_second.value() > 0 ? f.rate(e.compute.tokens_per_second) : "–",
                         f.s.scenario.gpus > 1 ? gpus_text(f, f.s.scenario) : std::string()}};
  // One size for all four, the largest in which each fits; a note that is longer takes a second line.
  Type value = kSectionType;
  for (const Cell& cell : cells)
    if (width_of(f, cell.value, value) > width - 16) value.size = 16 * kInterHeight;
  float y = at.y;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int first = 0; first < 4; first += columns) {
    float height = 0;
    for (int i = first; i < first + columns; ++i) {
      const Cell& cell = cells[i];
      const float x = at.x + static_cast<float>(i - first) * width;
      put(f, list, {x, y}, cell.label, kSmallType.in(f.c.secondary), width - 12);
      put(f, list, {x, y + 20}, cell.value, value, width - 12);
      float used = 48;
      if (!cell.note.empty()) {
        put_paragraph(f, list, {x, y + 46}, cell.note, kSmallType.in(f.c.secondary), width - 16);
        used = 46 + paragraph_size(f, cell.note, kSmallType, width - 16).y;
      }
      height = std::max(height, used);
    }
    y += height + 10;
  }
  ImGui::Dummy({all, y - at.y - 10});
}

// Capacity and what is free or too much, over the bar, where they cannot touch each other.
void caption(const Frame& f, const BarMarks& marks, float width, ImVec2 at) {
  const MemoryEstimate& m = f.s.estimate.memory;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string capacity = f.format(Msg::verdict_capacity, {{"capacity", f.size(m.capacity)}});
  const float w = width_of(f, capacity, kSmallType);
  const bool over = !m.fits;
  const std::string rest = over ? f.format(Msg::verdict_too_much, {{"over", f.size(m.device - m.capacity)}}) : std::string();
  const float rest_width = rest.empty() ? 0 : width_of(f, rest, kSmallType.bold());
  float x = marks.capacity - w - 6, rest_x = marks.capacity + 8;
  if (rest_x + rest_width > width) rest_x = width - rest_width;
  if (x < 0) x = over ? rest_x + rest_width + 16 : 0;  // no room before the line: after what is too much
  if (over && x < rest_x && x + w + 12 > rest_x) x = rest_x - w - 12;
  if (x >= 0 && x + w <= width) put(f, list, {at.x + x, at.y}, capacity, kSmallType.in(f.c.secondary));
  if (over) put(f, list, {at.x + rest_x, at.y}, rest, kSmallType.bold().in(f.c.over_text));
}

}  // namespace

std::string gpus_text(const Frame& f, const Scenario& s) { return formats::gpus_text(f.language, s); }

void verdict_panel(const Frame& f) {
  const Words w = words(f);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool small = f.narrow || f.compact || width < 620;
  // In as few lines as its smallest size takes, and as large as that allows.
  const std::string sentence = "**" + std::string(w.verdict) + "**\u00A0 " + w.sentence;
  const auto indent_of = [small](float size) { return size * 0.84F + (small ? 10.0F : 16.0F); };
  const auto lines_at = [&](float size) { return paragraph_lines(f, sentence, {size, Weight::regular, f.c.text}, width - indent_of(size)); };
  const float smallest = (small ? 18.0F : 27.0F) * kInterHeight, step = kInterHeight;
  const int lines = lines_at(smallest);
  Type type{small ? 22 * kInterHeight : kVerdict, Weight::regular, f.c.text};
  while (type.size > smallest && lines_at(type.size) > lines) type.size -= step;

  // Sentence: a sign, the word in its colour, the rest.
  const float radius = type.size * 0.42F, indent = indent_of(type.size);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = paragraph_size(f, sentence, type, width - indent);
  mark(f, {at.x + radius, at.y + type.size * 0.55F}, radius, w);
  put_paragraph(f, ImGui::GetWindowDrawList(), {at.x + indent, at.y}, sentence, type, width - indent, w.ink);
  ImGui::Dummy({width, size.y});
  gap(small ? 10 : 16);

  // The bar to scale.
  const BarInput in = bar_input(f, width, f.compact ? 36 : 44, true);
  const BarMarks marks = layout_bar(in);
  caption(f, marks, width, ImGui::GetCursorScreenPos());
  gap(24);
  paint_bar(f, "fit bar", in, marks);
  gap(f.compact ? 8 : 14);
  scaled_line(f);

  if (const Advice* change = best_change(f.s); change != nullptr && f.s.options.controls != Controls::none) {
    const AdviceId id = change->id;
    const std::string label = change_words(f, *change);
    const float needed = button_width(f, label);
    if (needed <= width) {
      if (button(f, label, "best change", f.s.estimate.memory.fits ? Look::quiet : Look::primary)) apply(f.s, id);
    } else {
      // Too long for one line: the change on the button, the effect beneath.
      std::string short_id = "advice.";
      short_id += name(id);
      const bool pressed = button(f, f.text(short_id), "best change", f.s.estimate.memory.fits ? Look::quiet : Look::primary, Icon::none, width);
      const std::size_t cut = label.find(": ");
      gap(4);
      if (cut != std::string::npos) paragraph(f, std::string_view(label).substr(cut + 2), kSmallType.in(f.c.secondary), width);
      if (pressed) apply(f.s, id);
    }
    gap(f.compact ? 10 : 18);
  }
  figures(f);
  for (const Problem& p : f.s.estimate.problems.view()) {
    if (p.severity == Severity::note || p.id == ProblemId::does_not_fit || p.id == ProblemId::tight) continue;
    gap(6);
    const ImVec2 row = ImGui::GetCursorScreenPos();
    const ImU32 ink = p.severity == Severity::error ? f.c.over_text : f.c.tight_text;
    draw_icon(ImGui::GetWindowDrawList(), Icon::warning, {row.x + 8, row.y + 11}, ink, 14);
    ImGui::SetCursorScreenPos({row.x + 24, row.y});
    paragraph(f, problem_text(f, p), kSmallType.in(ink), width - 24);
  }
}

void verdict_strip(const Frame& f) {
  const Words w = words(f);
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Type type{17 * kInterHeight, Weight::semibold, w.ink};
  mark(f, {at.x + 10, at.y + 12}, 10, w);
  put(f, ImGui::GetWindowDrawList(), {at.x + 28, at.y + 2}, w.verdict, type);
  const float x = 28 + width_of(f, w.verdict, type) + 10;
  const MemoryEstimate& m = f.s.estimate.memory;
  const std::string rest = f.size(m.device) + " / " + f.size(m.capacity);
  put_in(f, ImGui::GetWindowDrawList(), {at.x + x, at.y}, {at.x + width, at.y + 24}, rest, kBodyType, 1);
  ImGui::Dummy({width, 30});
  BarInput in = bar_input(f, width, 14, false);
  paint_bar(f, "fit strip", in, layout_bar(in));
}

std::string problem_text(const Frame& f, const Problem& p) { return formats::problem_text(p, f.language); }

void problems_of(const Frame& f, std::string_view path) {
  for (const Problem& p : f.s.estimate.problems.view()) {
    if (p.path != path || p.id == ProblemId::does_not_fit || p.id == ProblemId::tight) continue;
    gap(4);
    paragraph(f, problem_text(f, p),
              kSmallType.in(p.severity == Severity::error     ? f.c.over_text
                            : p.severity == Severity::warning ? f.c.tight_text
                                                              : f.c.secondary));
  }
}

}  // namespace gpudget::ui
