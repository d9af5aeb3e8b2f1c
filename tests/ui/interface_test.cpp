#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "formats/schema.h"
#include "headless.h"
#include "i18n/text.h"

using namespace gpudget;
using tests::Headless;

namespace {
ui::Options options(i18n::Language l = i18n::Language::en, ui::View v = ui::View::memory) {
  ui::Options o;
  o.language = l;
  o.view = v;
  return o;
}
std::string text(i18n::Msg m) { return std::string(i18n::text(i18n::Language::en, m)); }
}  // namespace

TEST_CASE("the interface opens on the default scenario with a finished answer") {
  Headless h(options());
  CHECK(h.interface->scenario() == formats::default_scenario());
  CHECK(h.interface->estimate().memory.device > Bytes{});
  CHECK(ImGui::GetDrawData()->TotalVtxCount > 1000);
  CHECK(ImGui::GetDrawData()->TotalVtxCount < 60'000);
}

TEST_CASE("a click on a method changes the scenario in that frame, undo brings it back, redo again") {
  Headless h(options());
  const auto before = h.interface->revision();
  REQUIRE(h.click("Method: QLoRA"));
  CHECK(h.interface->scenario().method == Method::qlora);
  CHECK(h.interface->revision() == before + 1);
  h.key(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(h.interface->scenario().method == Method::full);
  CHECK(h.interface->redo());
  CHECK(h.interface->scenario().method == Method::qlora);
  REQUIRE(h.click(text(i18n::Msg::ui_reset)));
  CHECK(h.interface->scenario() == formats::default_scenario());
}

TEST_CASE("typing a number moves the answer; what is out of range is refused beside its field and keeps the last good one") {
  Headless h(options());
  const Bytes before = h.interface->estimate().memory.device;
  REQUIRE(h.click("Batch per GPU"));
  h.type("16");
  CHECK(h.interface->scenario().per_device_train_batch_size == 16);
  CHECK(h.interface->estimate().memory.device > before);
  h.key(ImGuiKey_A, ImGuiMod_Ctrl);
  h.type("99999999");
  CHECK(h.interface->scenario().per_device_train_batch_size <= 1'000'000);
  h.key(ImGuiKey_Escape);
  CHECK(h.interface->undo());
  CHECK(h.interface->scenario().per_device_train_batch_size == 1);
}

TEST_CASE("a model is found by typing and taken with Enter") {
  Headless h(options());
  h.type("/");
  h.type("qwen 7");
  h.key(ImGuiKey_Enter);
  CHECK(h.interface->scenario().model.id.view().find("7B") != std::string_view::npos);
  CHECK(h.interface->scenario().model.id.view().starts_with("Qwen"));
}

TEST_CASE("share copies a link that opens on the same scenario") {
  std::string link;
  {
    Headless h(options());
    REQUIRE(h.click("Method: LoRA"));
    REQUIRE(h.click(text(i18n::Msg::ui_share)));
    link = h.host.copied;
  }
  const std::size_t at = link.find("#s=");
  REQUIRE(at != std::string::npos);
  Headless other(options());
  CHECK(other.interface->set_url_state(link.substr(at + 3)).has_value());
  CHECK(other.interface->scenario().method == Method::lora);
}

TEST_CASE("a broken link says so and keeps the scenario; dismissing removes the message") {
  Headless h(options());
  CHECK_FALSE(h.interface->set_url_state("!!").has_value());
  h.frame();
  h.frame();
  CHECK(h.interface->scenario() == formats::default_scenario());
  REQUIRE(h.click(text(i18n::Msg::ui_dismiss)));
  CHECK(h.find(text(i18n::Msg::ui_dismiss)) == nullptr);
}

TEST_CASE("the plan searches in slices, ends, and a row that is chosen is the scenario") {
  Headless h(options(i18n::Language::en, ui::View::plan), {1440, 1600});
  int frames = 0;
  while (h.interface->wants_frames_until() > h.now && frames < 2000) {
    h.frame();
    ++frames;
  }
  CHECK(frames < 2000);
  h.frame();
  const ui::Item* row = nullptr;
  for (const ui::Item& item : ui::items())
    if (row == nullptr && item.visible && item.label.find(" min") != std::string::npos && item.label.find(", ") != std::string::npos) row = &item;
  if (row == nullptr)
    for (const ui::Item& item : ui::items())
      if (row == nullptr && item.visible && item.label.find("$") != std::string::npos && item.label.find(", ") != std::string::npos &&
          item.label.find("\u00B7") != std::string::npos)
        row = &item;
  REQUIRE(row != nullptr);
  const auto before = h.interface->revision();
  REQUIRE(h.click(std::string(row->label)));
  CHECK(h.interface->revision() > before);
  CHECK(h.interface->estimate().memory.fits);
}

TEST_CASE("an idle interface wants no frames") {
  Headless h(options());
  for (int i = 0; i < 5; ++i) h.frame();
  CHECK(h.interface->wants_frames_until() <= h.now);
}

TEST_CASE("every view draws in every language at every size without cutting a text short") {
  const ImVec2 sizes[] = {{1440, 900}, {1024, 640}, {390, 844}};
  for (const auto language : {i18n::Language::en, i18n::Language::pt, i18n::Language::fr})
    for (const ui::View view :
         {ui::View::memory, ui::View::time, ui::View::plan, ui::View::checklist, ui::View::learn, ui::View::export_view, ui::View::compare, ui::View::accuracy})
      for (const ImVec2 size : sizes) {
        Headless h(options(language, view), size);
        h.frame();
        CAPTURE(i18n::code(language));
        CAPTURE(ui::kViewNames[static_cast<std::size_t>(view)]);
        CAPTURE(size.x);
        std::string cut;
        for (const ui::TextUse& t : ui::texts())
          if (t.room > 0 && t.width > t.room + 1) cut += t.text + " | ";
        CHECK(cut == "");
        CHECK(ImGui::GetDrawData()->TotalVtxCount < 200'000);
      }
}

TEST_CASE("targets are large enough for a mouse, larger for a finger") {
  for (const bool coarse : {false, true}) {
    ui::Options o = options();
    o.coarse_pointer = coarse;
    Headless h(o);
    for (const ui::Item& item : ui::items()) {
      if (item.label.empty() || !item.visible || item.label.ends_with('?')) continue;
      CAPTURE(item.label);
      CHECK(item.maximum.y - item.minimum.y >= (coarse ? 24 : 23.9F));
    }
  }
}

TEST_CASE("Tab reaches the model, the method and the best change") {
  Headless h(options());
  std::set<std::string> reached;
  for (int i = 0; i < 60; ++i) {
    h.key(ImGuiKey_Tab);
    if (const ImGuiID focus = ui::focused_item())
      for (const ui::Item& item : ui::items())
        if (item.id == focus) reached.insert(item.label);
  }
  CHECK(reached.contains("Model"));
  CHECK(reached.contains("Sequence length"));
  CHECK(reached.contains(text(i18n::Msg::ui_share)));
}

TEST_CASE("a measurement that is pasted is set beside the estimate, its cause is offered, and scaling is shown until it is stopped") {
  Headless h(options(), {1440, 3000});
  const auto& m = h.interface->estimate().memory;
  const std::int64_t allocated = m.allocated.in_bytes() * 11 / 10;
  REQUIRE(h.click(text(i18n::Msg::measured_paste)));
  h.type("peak: " + std::to_string(allocated));
  h.frame();
  const ui::Item* scale = nullptr;
  for (const ui::Item& item : ui::items())
    if (item.label.find("\u00D71.1") != std::string::npos) scale = &item;
  REQUIRE(scale != nullptr);
  CHECK(h.find(text(i18n::Msg::measured_stop)) == nullptr);
  REQUIRE(h.click(std::string(scale->label)));
  CHECK(h.find(text(i18n::Msg::measured_stop)) != nullptr);
  CHECK(h.interface->scenario() == formats::default_scenario());  // the estimate itself is not touched
  REQUIRE(h.click(text(i18n::Msg::measured_stop)));
  CHECK(h.find(text(i18n::Msg::measured_stop)) == nullptr);
}

TEST_CASE("a measurement that one setting explains offers that setting") {
  Headless h(options(), {1440, 3000});
  REQUIRE(h.interface->set(R"({"per_device_train_batch_size":8})", false).has_value());
  h.frame();
  const Scenario before = h.interface->scenario();
  Scenario full = before;
  full.gradient_checkpointing = Checkpointing::full;
  Estimate e;
  estimate(full, e);
  REQUIRE(h.click(text(i18n::Msg::measured_paste)));
  h.type("peak: " + std::to_string(e.memory.allocated.in_bytes()));
  h.frame();
  const std::string label = std::string(text(i18n::Msg::field_gradient_checkpointing));
  const ui::Item* cause = nullptr;
  for (const ui::Item& item : ui::items())
    if (item.label.starts_with(label + ": ")) cause = &item;
  REQUIRE(cause != nullptr);
  REQUIRE(h.click(std::string(cause->label)));
  CHECK(h.interface->scenario().gradient_checkpointing == Checkpointing::full);
  CHECK(h.interface->undo());
  CHECK(h.interface->scenario() == before);
}

TEST_CASE("the configuration is copied by its button and saved under its name") {
  Headless h(options(i18n::Language::en, ui::View::export_view), {1440, 2000});
  REQUIRE(h.click(text(i18n::Msg::ui_copy)));
  CHECK(h.host.copied.find("TrainingArguments(") != std::string::npos);
  h.host.copied.clear();
  const ui::Item* code = nullptr;
  for (const ui::Item& item : ui::items())
    if (item.label.find("train.py") != std::string::npos && item.visible) code = &item;
  REQUIRE(code != nullptr);
  REQUIRE(h.click(std::string(code->label)));
  CHECK(h.host.saved_name == "train.py");
}

TEST_CASE("scenarios are pinned, compared and opened again; the fourth is the last") {
  Headless h(options(i18n::Language::en, ui::View::compare), {1440, 2400});
  const std::string pin = text(i18n::Msg::compare_pin);
  const char* methods[] = {"Method: LoRA", "Method: QLoRA", "Method: Inference"};
  REQUIRE(h.click(pin));
  for (const char* m : methods) {
    REQUIRE(h.click(m));
    REQUIRE(h.click(pin));
  }
  const ui::Item* button = h.find(pin);
  REQUIRE(button != nullptr);
  CHECK(button->disabled);
  int opens = 0;
  for (const ui::Item& item : ui::items()) opens += item.label == text(i18n::Msg::compare_open) ? 1 : 0;
  CHECK(opens == 4);
  REQUIRE(h.click(text(i18n::Msg::compare_open)));  // the first
  CHECK(h.interface->scenario() == formats::default_scenario());
  for (int i = 0; i < 20; ++i) h.frame();  // the verdict has other lines now
  REQUIRE(h.click(text(i18n::Msg::compare_remove)));
  h.frame();
  opens = 0;
  for (const ui::Item& item : ui::items()) opens += item.label == text(i18n::Msg::compare_open) ? 1 : 0;
  CHECK(opens == 3);
  CHECK(h.interface->undo());
  CHECK(h.interface->scenario().method == Method::inference);
}

TEST_CASE("the question mark shows the keys, Esc leaves them") {
  Headless h(options());
  h.type("?");
  CHECK(h.find(text(i18n::Msg::ui_close)) != nullptr);
  h.key(ImGuiKey_Escape);
  CHECK(h.find(text(i18n::Msg::ui_close)) == nullptr);
}

TEST_CASE("another tool's file says what of it was read, assumed and ignored, until it is closed or undone") {
  Headless h(options(), {1440, 1400});
  CHECK(h.interface->imported_json().empty());
  constexpr std::string_view kArguments =
      R"({"per_device_train_batch_size": 3, "bf16": true, "optim": "adamw_8bit", "learning_rate": 2e-5, "output_dir": "x", "gradient_checkpointing": true})";
  REQUIRE(h.interface->open_text("training_args.json", kArguments));
  h.frame();
  h.frame();
  CHECK(h.interface->scenario().per_device_train_batch_size == 3);
  CHECK(h.interface->imported_json().find("learning_rate") != std::string::npos);
  REQUIRE(h.click("training_args.json"));
  REQUIRE(h.click(text(i18n::Msg::ui_close)));
  CHECK(h.interface->imported_json().empty());
  CHECK(h.find("training_args.json") == nullptr);
  CHECK(h.interface->scenario().per_device_train_batch_size == 3);

  REQUIRE(h.interface->open_text("training_args.json", kArguments));
  REQUIRE(h.interface->open_text("config.json", R"({"per_device_train_batch_size": 4})"));  // a scenario: nothing to list
  CHECK(h.interface->imported_json().empty());
  REQUIRE(h.interface->open_text("training_args.json", kArguments));
  CHECK_FALSE(h.interface->imported_json().empty());
  CHECK(h.interface->undo());
  CHECK(h.interface->imported_json().empty());
}
