// The chapter's formulas under the reader's hand: every figure is the course's own, computed by src/course.
#include <algorithm>
#include <array>
#include <cmath>

#include "course/formulas.h"
#include "course/tables.h"
#include "ui/charts/stacked_bar.h"
#include "ui/learn.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kMost = 720;

float room() { return std::min(ImGui::GetContentRegionAvail().x, kMost); }

std::vector<BarPart> parts_of(const Frame& f, const course::Breakdown& b) {
  std::vector<BarPart> parts;
  const auto add = [&](Category c, Bytes size, std::string_view id) {
    if (size > Bytes{}) parts.push_back({c, size, std::string(f.text(id)), f.size(size)});
  };
  add(Category::weights, b.weights, "category.weights");
  add(Category::gradients, b.gradients, "category.gradients");
  add(Category::optimizer_states, b.optimizer, "category.optimizer_states");
  return parts;
}

void bar(const Frame& f, const char* id, std::vector<BarPart> parts, Bytes total, Bytes scale, bool labels) {
  BarInput in;
  in.parts = std::move(parts);
  in.total = total;
  in.scale = scale;
  in.width = room();
  in.bar = labels ? 44 : 18;
  in.labels = labels;
  in.measure = [&f](std::string_view text) { return std::ceil(width_of(f, text, kSmallType.bold())) + 1; };
  paint_bar(f, id, in, layout_bar(in));
}

// A label with a figure at the right end.
void pair(const Frame& f, std::string_view label, const std::string& value, bool strong = false) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(), right = width_of(f, value, strong ? kBodyType.bold() : kBodyType), left = width - right - 12;
  const Type type = strong ? kBodyType.bold() : kBodyType;
  const ImVec2 size = paragraph_size(f, label, type, left);
  const float height = std::max(28.0F, size.y + 4);
  put_paragraph(f, ImGui::GetWindowDrawList(), {at.x, at.y + (height - size.y) / 2}, label, type, left);
  put_in(f, ImGui::GetWindowDrawList(), {at.x + width - right, at.y}, {at.x + width + 1, at.y + height}, value, type, 1);
  ImGui::Dummy({width, height});
}

void model_size(const Frame& f) {
  static constexpr std::array<double, 12> kSizes{0.5e9, 1e9, 2e9, 3e9, 7e9, 8e9, 13e9, 30e9, 40e9, 70e9, 180e9, 405e9};
  pair(f, f.text(Msg::learn_model_size), i18n::count_short(f.language, static_cast<std::int64_t>(f.s.learn.parameters)), true);
  slider(f, f.text(Msg::learn_model_size), "size", f.s.learn.parameters, kSizes, room());
  gap(10);
}

void precision(const Frame& f, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < most; ++i) names.emplace_back(name(course::kPrecisions[i]));
  f.s.learn.precision = std::min(f.s.learn.precision, static_cast<int>(most) - 1);
  choose(f, f.text(Msg::learn_precision), "precision", names, f.s.learn.precision, room());
  gap(12);
}

void formula(const Frame& f) {
  model_size(f);
  precision(f, 5);
  const auto n = static_cast<std::int64_t>(f.s.learn.parameters);
  const course::Precision p = course::kPrecisions[static_cast<std::size_t>(f.s.learn.precision)];
  pair(f, f.text("choice.method.inference"), f.size(course::memory(n, p, course::kInferenceMultiplier)));
  pair(f, "AdamW × " + f.integer(course::kTrainingMultiplierLow) + " – " + f.integer(course::kTrainingMultiplierHigh),
       f.size(course::memory(n, p, course::kTrainingMultiplierLow)) + " – " + f.size(course::memory(n, p, course::kTrainingMultiplierHigh)), true);
}

void worked(const Frame& f) {
  model_size(f);
  precision(f, 2);
  const auto n = static_cast<std::int64_t>(f.s.learn.parameters);
  const course::Breakdown b = course::full_finetuning(n, course::kPrecisions[static_cast<std::size_t>(f.s.learn.precision)]);
  const Bytes scale = course::full_finetuning(n, course::Precision::float32).total();
  bar(f, "worked", parts_of(f, b), b.total(), scale, true);
  gap(8);
  pair(f, f.text(Msg::learn_total), f.size(b.total()), true);
  pair(f, f.text("advice.gradient_checkpointing"), f.size(course::with_checkpointing(b.total())));
}

void reductions(const Frame& f) {
  const auto all = course::reductions();
  Bytes scale;
  for (const course::Reduction& r : all) scale = std::max({scale, r.before, r.after});
  int n = 0;
  for (const course::Reduction& r : all) {
    if (r.before <= Bytes{}) continue;
    ImGui::PushID(n++);
    std::string id = "reduction.";
    id += r.id;
    pair(f, f.text(id), f.size(r.before) + " → " + f.size(r.after));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto x_of = [&](Bytes b) {
      return width * static_cast<float>(static_cast<double>(b.in_bytes()) / static_cast<double>(std::max<std::int64_t>(1, scale.in_bytes())));
    };
    list->AddRectFilled(at, {at.x + x_of(r.before), at.y + 8}, f.c.field, 3);
    list->AddRectFilled(at, {at.x + x_of(r.after), at.y + 8}, f.c.category[0], 3);
    ImGui::Dummy({width, 20});
    ImGui::PopID();
  }
}

void zero(const Frame& f) {
  static constexpr std::array<double, 8> kGpus{1, 2, 4, 8, 16, 32, 64, 128};
  model_size(f);
  pair(f, f.text("field.gpus"), f.integer(static_cast<std::int64_t>(f.s.learn.gpus)), true);
  slider(f, f.text("field.gpus"), "gpus", f.s.learn.gpus, kGpus, room());
  gap(10);
  const auto n = static_cast<std::int64_t>(f.s.learn.parameters), gpus = static_cast<std::int64_t>(f.s.learn.gpus);
  const course::Breakdown whole = course::full_finetuning(n, course::Precision::bfloat16);
  static constexpr std::array<std::string_view, 4> kStages{"DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"};
  for (int stage = 0; stage < 4; ++stage) {
    ImGui::PushID(stage);
    // What a stage divides, part by part: the whole, of which the stage's formula leaves this much.
    course::Breakdown part = whole;
    const auto alone = [&](Bytes course::Breakdown::*which) {
      course::Breakdown only;
      only.*which = whole.*which;
      return course::zero_per_gpu(only, stage, gpus);
    };
    part.weights = alone(&course::Breakdown::weights);
    part.gradients = alone(&course::Breakdown::gradients);
    part.optimizer = alone(&course::Breakdown::optimizer);
    const std::string size = f.size(course::zero_per_gpu(whole, stage, gpus));
    pair(f, kStages[static_cast<std::size_t>(stage)], size, true);
    bar(f, "stage", parts_of(f, part), part.total(), whole.total(), false);
    gap(12);
    ImGui::PopID();
  }
}

}  // namespace

void learn_demo(const Frame& f, std::string_view id) {
  ImGui::PushID(id.data(), id.data() + id.size());
  gap(6);
  if (id == "formula")
    formula(f);
  else if (id == "worked_7b")
    worked(f);
  else if (id == "reductions")
    reductions(f);
  else if (id == "zero_stages")
    zero(f);
  else if (id == "profiling") {
    paragraph(f, f.text(Msg::learn_profile_paste), kBodyType, room());
    gap(10);
    measured_section(f);
  }
  ImGui::PopID();
}

}  // namespace gpudget::ui
