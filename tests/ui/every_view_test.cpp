// Every view in every language, theme, size and manner of embedding: nothing cut short, nothing over something else, everything reached by
// keyboard, still when idle.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "formats/schema.h"
#include "headless.h"
#include "i18n/text.h"

using namespace gpudget;
using tests::Headless;

namespace {

constexpr i18n::Language kLanguages[] = {i18n::Language::en, i18n::Language::pt, i18n::Language::fr};

ui::Options options(i18n::Language l, std::size_t view, ui::Theme theme = ui::Theme::light) {
  ui::Options o;
  o.language = l;
  o.view = static_cast<ui::View>(view);
  o.theme = theme;
  return o;
}

void settle(Headless& h) {
  for (int i = 0; i < 3000 && h.interface->wants_frames_until() > h.now; ++i) h.frame();
  h.frame();
}

std::string cut_texts() {
  std::string cut;
  for (const ui::TextUse& t : ui::texts())
    if (t.room > 0 && t.width > t.room + 1) cut += t.text + " | ";
  return cut;
}

// Pairs of texts of which one lies over the other, on a surface so tall that nothing scrolls.
std::string overlapping_texts() {
  std::string all;
  const auto texts = ui::texts();
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const ui::TextUse &a = texts[i], &b = texts[j];
      const float across = std::min(a.at.x + a.size.x, b.at.x + b.size.x) - std::max(a.at.x, b.at.x);
      const float down = std::min(a.at.y + a.size.y, b.at.y + b.size.y) - std::max(a.at.y, b.at.y);
      if (across > 1.5F && down > 2.5F) all += a.text + " / " + b.text + " | ";
    }
  return all;
}

}  // namespace

TEST_CASE("in every language, theme and size no view cuts a text short or draws absurdly much") {
  const ImVec2 sizes[] = {{1440, 900}, {1024, 640}, {390, 844}, {320, 640}};
  for (const auto language : kLanguages)
    for (const auto theme : {ui::Theme::light, ui::Theme::dark})
      for (std::size_t view = 0; view < std::size(ui::kViewNames); ++view)
        for (const ImVec2 size : sizes) {
          Headless h(options(language, view, theme), size);
          h.frame();
          CAPTURE(i18n::code(language));
          CAPTURE(ui::kViewNames[view]);
          CAPTURE(size.x);
          CHECK(cut_texts() == "");
          CHECK(ImGui::GetDrawData()->TotalVtxCount > 500);
          CHECK(ImGui::GetDrawData()->TotalVtxCount < 60'000);
        }
}

TEST_CASE("no text lies over another, whatever the language, width, scenario") {
  const char* scenarios[] = {"{}", R"({"method":"lora","model":"meta-llama/Llama-3.1-70B","gpus":4,"parallelism":{"data":"fsdp"},"runs":5})",
                             R"({"gpu":"rtx-4090","attn_implementation":"eager"})", R"({"method":"inference","per_device_train_batch_size":8})"};
  for (const auto language : kLanguages)
    for (std::size_t view = 0; view < std::size(ui::kViewNames); ++view)
      for (const float width : {1440.0F, 1000.0F, 720.0F, 390.0F})
        for (const char* scenario : scenarios) {
          Headless h(options(language, view), {width, 9000});
          REQUIRE(h.interface->set(scenario, false).has_value());
          settle(h);
          CAPTURE(i18n::code(language));
          CAPTURE(ui::kViewNames[view]);
          CAPTURE(width);
          CAPTURE(scenario);
          CHECK(overlapping_texts() == "");
          CHECK(cut_texts() == "");
        }
}

TEST_CASE("an embed shows its view without header and tabs, with the controls it asked for") {
  for (const auto controls : {ui::Controls::none, ui::Controls::basic, ui::Controls::full})
    for (const float width : {390.0F, 720.0F, 1100.0F}) {
      ui::Options o = options(i18n::Language::pt, 0);
      o.embed = true;
      o.controls = controls;
      Headless h(o, {width, 6000});
      CAPTURE(width);
      CHECK(overlapping_texts() == "");
      CHECK(cut_texts() == "");
      const auto has = [&](i18n::Msg m) { return h.find(i18n::text(i18n::Language::pt, m)) != nullptr; };
      CHECK_FALSE(has(i18n::Msg::ui_share));
      CHECK_FALSE(has(i18n::Msg::view_plan));
      CHECK(has(i18n::Msg::ui_open_in_gpudget));
      CHECK(h.interface->content_height() > 400);
      REQUIRE(h.click(i18n::text(i18n::Language::pt, i18n::Msg::ui_open_in_gpudget)));
      CHECK(h.host.link.find("#s=") != std::string::npos);
    }
  ui::Options exam = options(i18n::Language::en, 0);
  exam.embed = true;
  exam.links = false;
  Headless h(exam);
  CHECK(h.find(i18n::text(i18n::Language::en, i18n::Msg::ui_open_in_gpudget)) == nullptr);
}

TEST_CASE("no view wants frames once it has settled") {
  for (std::size_t view = 0; view < std::size(ui::kViewNames); ++view) {
    Headless h(options(i18n::Language::en, view));
    settle(h);
    CAPTURE(ui::kViewNames[view]);
    for (int i = 0; i < 5; ++i) h.frame();
    CHECK(h.interface->wants_frames_until() <= h.now);
  }
}

TEST_CASE("Tab reaches every control of every view") {
  for (std::size_t view = 0; view < std::size(ui::kViewNames); ++view) {
    Headless h(options(i18n::Language::en, view), {1440, 2600});
    settle(h);
    std::set<ImGuiID> reached;
    int without_news = 0;
    for (int i = 0; i < 600 && without_news < 40; ++i) {
      h.key(ImGuiKey_Tab);
      without_news = reached.insert(ui::focused_item()).second ? 0 : without_news + 1;
    }
    std::string missed;
    for (const ui::Item& item : ui::items()) {
      // Windows are not controls; a label's help is reached by the arrows.
      if (item.label.empty() || item.label.starts_with("gpudget") || item.label == "Debug" || item.label.ends_with('?')) continue;
      if (item.visible && !item.disabled && !reached.contains(item.id)) missed += item.label + " | ";
    }
    CAPTURE(ui::kViewNames[view]);
    CHECK(missed == "");
  }
}

TEST_CASE("a chain of changes is undone and redone step by step, exactly") {
  Headless h(options(i18n::Language::en, 0));
  const char* changes[] = {R"({"method":"qlora"})",
                           R"({"model":"Qwen/Qwen2.5-7B"})",
                           R"({"gpus":8,"parallelism":{"data":"zero3"}})",
                           R"({"max_length":8192})",
                           R"({"optim":"adamw_bnb_8bit","loss":"fused"})",
                           R"({"price":{"market":"spot"}})"};
  std::vector<std::string> states{h.interface->scenario_json()};
  for (const char* change : changes) {
    REQUIRE(h.interface->set(change, false).has_value());
    h.frame();
    states.push_back(h.interface->scenario_json());
  }
  for (std::size_t i = states.size() - 1; i-- > 0;) {
    h.key(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(h.interface->scenario_json() == states[i]);
  }
  CHECK_FALSE(h.interface->undo());
  for (std::size_t i = 1; i < states.size(); ++i) {
    CHECK(h.interface->redo());
    CHECK(h.interface->scenario_json() == states[i]);
  }
  CHECK_FALSE(h.interface->redo());
}

TEST_CASE("the quiz is finished by clicks, tells the host, and counts") {
  Headless h(options(i18n::Language::en, 4), {1440, 14000});
  settle(h);
  std::vector<std::string> options_of_quiz;
  int answered = 0;
  for (int round = 0; round < 20; ++round) {
    h.host.activity_id.clear();
    bool any = false;
    const std::vector<ui::Item> items(ui::items().begin(), ui::items().end());
    for (const ui::Item& item : items) {
      if (!item.visible || std::find(options_of_quiz.begin(), options_of_quiz.end(), item.label) != options_of_quiz.end()) continue;
      if (item.minimum.y < 8000 || item.label.empty()) continue;
      options_of_quiz.push_back(item.label);
      REQUIRE(h.click(item.label));
      if (!h.host.activity_id.empty()) {
        any = true;
        ++answered;
        break;
      }
    }
    if (!any) break;
  }
  CHECK(answered >= 8);
}
