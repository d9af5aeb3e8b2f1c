// The question: seven groups of fields, each row from the schema. Wide: one column, open. Narrow: folded, closed headers show the values.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>

#include "core/limit.h"
#include "formats/schema.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

using formats::Field;
using formats::FieldType;
using formats::Value;

constexpr float kRowGap = 14;
constexpr float kFieldWidth = 92;

// Useful values to slide over; typing takes any.
std::vector<double> powers(double from, double to) {
  std::vector<double> steps;
  for (double v = from; v <= to; v *= 2) steps.push_back(v);
  return steps;
}
std::span<const double> steps_of(std::string_view path) {
  static const std::vector<double> kBatch = powers(1, 256), kLength = powers(128, 131'072), kAccumulation = powers(1, 256), kRank = powers(4, 512),
                                   kGpus = powers(1, 1'024), kNode = powers(1, 16), kDegree = powers(1, 64), kPerExample = powers(64, 8'192),
                                   kEpochs{1, 2, 3, 4, 5, 6, 8, 10}, kRuns{1, 2, 3, 5, 8, 10, 15, 20, 30, 50},
                                   kExamples{1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7},
                                   kTokens{1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9, 1e10};
  if (path == "per_device_train_batch_size") return kBatch;
  if (path == "max_length") return kLength;
  if (path == "gradient_accumulation_steps") return kAccumulation;
  if (path == "lora.r") return kRank;
  if (path == "gpus") return kGpus;
  if (path == "gpus_per_node") return kNode;
  if (path == "epochs") return kEpochs;
  if (path == "runs") return kRuns;
  if (path == "dataset.examples") return kExamples;
  if (path == "dataset.tokens") return kTokens;
  if (path == "dataset.tokens_per_example") return kPerExample;
  if (path.starts_with("parallelism.")) return kDegree;
  return {};
}

std::string composed(std::string_view a, std::string_view b, std::string_view c = {}, std::string_view d = {}) {
  std::string s(a);
  s += b;
  s += c;
  s += d;
  return s;
}

std::string_view label_of(const Frame& f, std::string_view path) { return f.text(composed("field.", path)); }

std::string choice_name(const Frame& f, std::string_view path, std::string_view choice) {
  return std::string(i18n::text_or(f.language, composed("choice.", path, ".", choice), choice));
}

// The first line of a row: the label, which shows its sentence of help when pressed, and at the right a word or a field.
bool label_line(const Frame& f, const Field& field, float right_width, std::string_view note, ImU32 note_colour) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t index = static_cast<std::size_t>(&field - formats::fields().data());
  const std::uint64_t bit = std::uint64_t{1} << index;
  const std::string_view label = label_of(f, field.path);
  const float height = right_width > 0 ? f.target() : 26.0F;
  const float note_width = note.empty() ? 0 : width_of(f, note, kSmallType) + 8;
  const float room = width - right_width - note_width - 8;
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
  const std::string help_label = composed(label, "?###help");
  if (ImGui::InvisibleButton(help_label.c_str(), {std::max(24.0F, std::min(room, width_of(f, label, kBodyType) + 4)), height}, ImGuiButtonFlags_EnableNav))
    f.s.open_help ^= bit;
  ImGui::PopItemFlag();
  const bool hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(f, f.text(composed("field.", field.path, ".help")));
  put_in(f, ImGui::GetWindowDrawList(), at, {at.x + room, at.y + height}, label,
         (width_of(f, label, kBodyType) > room ? kSmallType : kBodyType).in(hot ? f.c.accent_text : f.c.text));
  if (!note.empty())
    put_in(f, ImGui::GetWindowDrawList(), {at.x + width - right_width - note_width, at.y}, {at.x + width - right_width, at.y + height}, note,
           kSmallType.in(note_colour), 1);
  ImGui::SetCursorScreenPos({at.x + width - right_width, at.y});
  return (f.s.open_help & bit) != 0;
}

void end_row(const Frame& f, const Field& field, bool help) {
  if (help) {
    gap(4);
    paragraph(f, f.text(composed("field.", field.path, ".help")), kSmallType.in(f.c.secondary));
  }
  if (f.s.error && f.s.error->error.path == field.path && !f.s.error->from_outside) {
    gap(4);
    paragraph(f, error_text(f, f.s.error->error), kSmallType.in(f.c.over_text));
  }
  problems_of(f, field.path);
  gap(kRowGap);
}

double as_number(const Value& v) {
  if (const auto* i = std::get_if<std::int64_t>(&v)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&v)) return *d;
  return std::numeric_limits<double>::quiet_NaN();
}
Value as_value(const Field& field, double v) {
  // Beyond what an integer holds the schema's own range check must speak, so it is given the number as it is.
  if (field.type == FieldType::integer && std::fabs(v) < 9e15) return static_cast<std::int64_t>(v);
  return v;
}

void number_row(const Frame& f, const Field& field) {
  const Value now = field.get(f.s.scenario);
  const std::string null_choice = composed("choice.", field.path, ".null");
  const std::string_view placeholder = field.nullable ? i18n::text_or(f.language, null_choice, "") : "";
  const float field_width = field.nullable ? 150 : kFieldWidth;
  const bool help = label_line(f, field, field_width, {}, 0);
  double value = as_number(now);
  bool cleared = false;
  if (number_field(f, label_of(f, field.path), "number", value, field.type == FieldType::integer, field_width, placeholder, &cleared))
    set_field(f.s, field.path, as_value(field, value), field.path);
  else if (cleared && field.nullable)
    set_field(f.s, field.path, Value{}, field.path);
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetCursorStartPos().x - ImGui::GetScrollX(), ImGui::GetCursorScreenPos().y});
  const std::span<const double> steps = steps_of(field.path);
  if (!steps.empty() && !std::isnan(value)) {
    gap(2);
    if (slider(f, label_of(f, field.path), "slider", value, steps, ImGui::GetContentRegionAvail().x))
      set_field(f.s, field.path, as_value(field, value), field.path);
  }
  end_row(f, field, help);
}

// What a saver takes off now, or could.
void saving_note(const Frame& f, std::string_view path, std::string& note, ImU32& colour) {
  // In words where they fit beside the label, else the figure alone.
  const float room = ImGui::GetContentRegionAvail().x - width_of(f, label_of(f, path), kBodyType) - 20;
  const auto say = [&](Msg words, Bytes saves) {
    const std::string size = f.size(saves);
    note = f.format(words, {{"size", size}});
    if (width_of(f, note, kSmallType) > room) note = "\u2212" + size;
  };
  for (const Saving& s : f.s.savings)
    if (s.path == path && s.saves > Bytes{}) {
      say(Msg::ui_saves_now, s.saves);
      colour = f.c.fits_text;
      return;
    }
  struct Pair {
    std::string_view path;
    AdviceId id;
  };
  constexpr std::array<Pair, 7> kPairs{{{"weights", AdviceId::mixed_precision},
                                        {"optim", AdviceId::optimizer_8bit},
                                        {"gradient_checkpointing", AdviceId::gradient_checkpointing},
                                        {"attn_implementation", AdviceId::flash_attention},
                                        {"loss", AdviceId::fused_loss},
                                        {"parallelism.data", AdviceId::sharding},
                                        {"parallelism.offload", AdviceId::cpu_offload}}};
  for (const Pair& pair : kPairs) {
    if (pair.path != path) continue;
    for (const Advice& a : f.s.advice.view())
      if (a.id == pair.id && a.applicable && !a.enabled && a.saves > Bytes{}) {
        say(Msg::ui_would_save, a.saves);
        colour = f.c.secondary;
      }
  }
}

void choice_row(const Frame& f, const Field& field) {
  std::string note;
  ImU32 note_colour = 0;
  if (field.group == formats::Group::savers) saving_note(f, field.path, note, note_colour);
  const bool help = label_line(f, field, 0, note, note_colour);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetCursorStartPos().x, ImGui::GetCursorScreenPos().y});
  gap(26);
  std::vector<std::string> names;
  const Value now = field.get(f.s.scenario);
  int chosen = 0;
  if (field.nullable) names.push_back(choice_name(f, field.path, "null"));
  for (const std::string_view c : field.choices) {
    if (const auto* text = std::get_if<std::string>(&now); text != nullptr && *text == c) chosen = static_cast<int>(names.size());
    names.push_back(choice_name(f, field.path, c));
  }
  (void)width;
  // In an open menu each choice says what it would need.
  std::vector<std::string> notes;
  if (field.group == formats::Group::savers && ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
    if (field.nullable) notes.emplace_back();
    for (const std::string_view c : field.choices) {
      const auto device = device_with(f.s, field.path, c);
      notes.push_back(device ? f.size(*device) : std::string("–"));
    }
  }
  if (choose(f, label_of(f, field.path), "choice", names, chosen, ImGui::GetContentRegionAvail().x, notes)) {
    const int first = field.nullable ? 1 : 0;
    if (chosen < first)
      set_field(f.s, field.path, Value{});
    else
      set_field(f.s, field.path, std::string(field.choices[static_cast<std::size_t>(chosen - first)]));
  }
  end_row(f, field, help);
}

void boolean_row(const Frame& f, const Field& field) {
  const bool help = label_line(f, field, 40, {}, 0);
  const Value now = field.get(f.s.scenario);
  bool on = std::get_if<bool>(&now) != nullptr && std::get<bool>(now);
  if (toggle(f, label_of(f, field.path), "toggle", on)) set_field(f.s, field.path, on);
  ImGui::SetCursorScreenPos(
      {ImGui::GetWindowPos().x + ImGui::GetCursorStartPos().x, std::max(ImGui::GetCursorScreenPos().y, ImGui::GetItemRectMin().y + f.target())});
  end_row(f, field, help);
}

void modules_row(const Frame& f, const Field& field) {
  const bool help = label_line(f, field, 0, {}, 0);
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetCursorStartPos().x, ImGui::GetCursorScreenPos().y});
  gap(26);
  const TargetModules& now = f.s.scenario.lora.target_modules;
  std::vector<std::string> names{choice_name(f, field.path, "all-linear"), choice_name(f, field.path, "attention")};
  if (now.kind == TargetModules::Kind::list) names.push_back(choice_name(f, field.path, "list"));
  int chosen = static_cast<int>(now.kind);
  if (choose(f, label_of(f, field.path), "choice", names, chosen, ImGui::GetContentRegionAvail().x) && chosen < 2)
    set_field(f.s, field.path, std::string(chosen == 0 ? "all-linear" : "attention"));
  end_row(f, field, help);
}

void provider_row(const Frame& f, const Field& field) {
  const bool help = label_line(f, field, 0, {}, 0);
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + ImGui::GetCursorStartPos().x, ImGui::GetCursorScreenPos().y});
  gap(26);
  provider_picker(f, ImGui::GetContentRegionAvail().x);
  end_row(f, field, help);
}

void row(const Frame& f, std::string_view path) {
  const Field* field = formats::find_field(path);
  if (field == nullptr) return;
  ImGui::PushID(field->path.data(), field->path.data() + field->path.size());
  switch (field->type) {
    case FieldType::boolean: boolean_row(f, *field); break;
    case FieldType::integer:
    case FieldType::number: number_row(f, *field); break;
    case FieldType::choice: choice_row(f, *field); break;
    case FieldType::modules: modules_row(f, *field); break;
    case FieldType::text: provider_row(f, *field); break;
    case FieldType::model:
    case FieldType::gpu: break;  // the pickers
  }
  ImGui::PopID();
}

bool adapters(const Scenario& s) { return s.method == Method::lora || s.method == Method::qlora; }
bool trains(const Scenario& s) { return s.method != Method::inference; }

void model_group(const Frame& f) {
  model_picker(f, ImGui::GetContentRegionAvail().x);
  problems_of(f, "model");
  gap(kRowGap);
}

void method_group(const Frame& f) {
  const Field* field = formats::find_field("method");
  std::vector<std::string> names;
  for (const std::string_view c : field->choices) names.push_back(choice_name(f, "method", c));
  int chosen = static_cast<int>(f.s.scenario.method);
  if (choose(f, label_of(f, "method"), "method", names, chosen, ImGui::GetContentRegionAvail().x))
    set_field(f.s, "method", std::string(field->choices[static_cast<std::size_t>(chosen)]));
  problems_of(f, "method");
  gap(kRowGap);
  if (!adapters(f.s.scenario)) return;
  row(f, "lora.r");
  row(f, "lora.target_modules");
  const ModelSummary& m = f.s.estimate.model;
  const std::string trainable = i18n::count_short(f.language, m.trainable_parameters), all = i18n::count_short(f.language, m.parameters);
  const std::string share = f.percent(m.parameters > 0 ? static_cast<double>(m.trainable_parameters) / static_cast<double>(m.parameters) : 0, 2);
  paragraph(f, f.format(Msg::question_trainable, {{"trainable", trainable}, {"all", all}, {"share", share}}), kSmallType.in(f.c.secondary));
  if (fold(f, f.text(Msg::question_lora_more), "lora more", f.s.lora_open)) {
    row(f, "lora.adapter_dtype");
    row(f, "lora.dropout");
    row(f, "lora.dora");
    if (f.s.scenario.method == Method::qlora) {
      row(f, "quantization.double_quant");
      row(f, "quantization.prepare_kbit");
    }
  }
  gap(kRowGap);
}

void batch_group(const Frame& f) {
  row(f, "per_device_train_batch_size");
  row(f, "max_length");
  if (!trains(f.s.scenario)) return;
  row(f, "gradient_accumulation_steps");
  const std::int64_t tokens = f.s.estimate.compute.tokens_per_step;
  if (tokens > 0) {
    const std::string sequences = f.integer(tokens / std::max<std::int64_t>(1, f.s.scenario.max_length)), count = f.integer(tokens);
    paragraph(f, f.format(Msg::question_effective, {{"sequences", sequences}, {"length", f.integer(f.s.scenario.max_length)}, {"tokens", count}}),
              kSmallType.in(f.c.secondary));
  }
  gap(6);
  if (link(f, f.text(Msg::question_largest_batch), "largest batch", kSmallType)) {
    if (const auto most = limit(f.s.scenario, LimitOf::per_device_train_batch_size))
      set_scenario(f.s, most->scenario);
    else
      f.notice(f.text(Msg::verdict_does_not_fit));
  }
  gap(kRowGap);
}

void savers_group(const Frame& f) {
  row(f, "weights");
  row(f, "compute");
  if (trains(f.s.scenario)) {
    row(f, "optim");
    row(f, "gradient_checkpointing");
  }
  row(f, "attn_implementation");
  if (trains(f.s.scenario)) {
    row(f, "loss");
    row(f, "parallelism.data");
    row(f, "parallelism.offload");
  }
}

void hardware_group(const Frame& f) {
  gpu_picker(f, ImGui::GetContentRegionAvail().x);
  problems_of(f, "gpu");
  gap(kRowGap);
  row(f, "gpus");
  if (f.s.scenario.gpus > 1) row(f, "gpus_per_node");
}

void data_group(const Frame& f) {
  int by = f.s.scenario.dataset.by_tokens ? 1 : 0;
  const std::vector<std::string> names{std::string(f.text(Msg::question_by_examples)), std::string(f.text(Msg::question_by_tokens))};
  if (choose(f, f.text(Msg::question_by), "by", names, by, ImGui::GetContentRegionAvail().x)) {
    if (by == 1)
      set_field(f.s, "dataset.tokens", f.s.estimate.time.training_tokens / std::max<std::int64_t>(1, f.s.scenario.epochs));
    else
      set_field(f.s, "dataset.tokens", Value{});
  }
  gap(kRowGap);
  if (f.s.scenario.dataset.by_tokens) {
    row(f, "dataset.tokens");
  } else {
    row(f, "dataset.examples");
    row(f, "dataset.tokens_per_example");
  }
  row(f, "epochs");
  row(f, "price.market");
  row(f, "price.provider");
  row(f, "price.usd_per_gpu_hour");
  row(f, "throughput");
  row(f, "runs");
}

void advanced_group(const Frame& f) {
  for (const Field& field : formats::fields()) {
    if (field.group != formats::Group::advanced) continue;
    if (field.path == "kv_cache_dtype" && trains(f.s.scenario)) continue;
    if (field.path != "kv_cache_dtype" && !trains(f.s.scenario) && !field.path.starts_with("parallelism.") && field.path != "compile") continue;
    row(f, field.path);
  }
}

struct Group {
  std::string_view id;
  void (*draw)(const Frame&);
  bool basic;  // shown in an embed with few controls
};
constexpr std::array<Group, 7> kGroups{{{"model", model_group, true},
                                        {"method", method_group, true},
                                        {"batch", batch_group, true},
                                        {"savers", savers_group, false},
                                        {"hardware", hardware_group, true},
                                        {"data", data_group, false},
                                        {"advanced", advanced_group, false}}};

}  // namespace

std::string group_summary(const Frame& f, std::string_view group) {
  const Scenario& s = f.s.scenario;
  if (group == "model") return std::string(s.model.name.view());
  if (group == "method") return choice_name(f, "method", name(s.method));
  if (group == "batch")
    return f.format(
        Msg::question_batch_summary,
        {{"batch", f.integer(s.per_device_train_batch_size)}, {"length", f.integer(s.max_length)}, {"steps", f.integer(s.gradient_accumulation_steps)}});
  if (group == "savers") {
    long long on = 0;
    for (const Saving& saving : f.s.savings) on += saving.saves > Bytes{} ? 1 : 0;
    return i18n::plural(f.language, Msg::question_savers_on_other, on);
  }
  if (group == "hardware") return gpus_text(f, s);
  if (group == "data") {
    const std::string tokens = i18n::count_short(f.language, f.s.estimate.time.training_tokens / std::max<std::int64_t>(1, s.epochs));
    return f.format(Msg::question_data_summary, {{"tokens", tokens}, {"epochs", f.integer(s.epochs)}});
  }
  return {};
}

void question_panel(const Frame& f) {
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    const Group& g = kGroups[i];
    if (f.s.options.embed && f.s.options.controls == Controls::basic && !g.basic) continue;
    if (g.id == "data" && !trains(f.s.scenario)) continue;
    ImGui::PushID(static_cast<int>(i));
    const std::string_view title = f.text(composed("group.", g.id));
    const bool folds = f.narrow || g.id == "advanced";
    if (i > 0 && !folds) {
      hairline(f);
      gap(18);
    } else if (i > 0) {
      hairline(f);
    }
    bool open = true;
    if (folds) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      open = (f.s.open_sections & bit) != 0;
      fold(f, title, "group", open, group_summary(f, g.id));
      f.s.open_sections = open ? f.s.open_sections | bit : f.s.open_sections & ~bit;
      if (open) gap(8);
    } else {
      line(f, title, kBodyType.bold());
      gap(10);
    }
    if (open) {
      g.draw(f);
      gap(6);
    }
    ImGui::PopID();
  }
}

}  // namespace gpudget::ui
