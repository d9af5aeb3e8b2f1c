#include "ui/items.h"

#include <vector>

#include "imgui_internal.h"

namespace gpudget::ui {
namespace {

std::vector<Item>& list() {
  static std::vector<Item> all;
  return all;
}

// An id can be added more than once in a frame (a group around its item): the last one is the item itself.
Item* find(ImGuiID id) {
  std::vector<Item>& all = list();
  for (std::size_t i = all.size(); i > 0; --i)
    if (all[i - 1].id == id) return &all[i - 1];
  return nullptr;
}

}  // namespace

void collect_items(bool on) {
  ImGui::GetCurrentContext()->TestEngineHookItems = on;
  if (!on) list().clear();
}
void begin_items() { list().clear(); }
std::span<const Item> items() { return list(); }
ImGuiID focused_item() { return ImGui::GetCurrentContext()->NavId; }

}  // namespace gpudget::ui

// Declared extern in imgui_internal.h under IMGUI_ENABLE_TEST_ENGINE.
void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box, const ImGuiLastItemData* data) {
  if (id == 0) return;
  gpudget::ui::Item item;
  item.id = id;
  item.minimum = box.Min;
  item.maximum = box.Max;
  const ImGuiWindow* window = context->CurrentWindow;
  item.visible = window != nullptr && window->ClipRect.Overlaps(box);
  item.disabled = data != nullptr && (data->ItemFlags & ImGuiItemFlags_Disabled) != 0;
  if (gpudget::ui::Item* known = gpudget::ui::find(id)) {
    item.label = known->label;
    *known = item;
    return;
  }
  gpudget::ui::list().push_back(item);
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label, ImGuiItemStatusFlags flags) {
  gpudget::ui::Item* item = gpudget::ui::find(id);
  if (item == nullptr) return;
  if (label != nullptr) item->label.assign(label, ImGui::FindRenderedTextEnd(label));
  item->checkable = (flags & ImGuiItemStatusFlags_Checkable) != 0;
  item->checked = (flags & ImGuiItemStatusFlags_Checked) != 0;
  item->openable = (flags & ImGuiItemStatusFlags_Openable) != 0;
  item->opened = (flags & ImGuiItemStatusFlags_Opened) != 0;
  item->inputable = (flags & ImGuiItemStatusFlags_Inputable) != 0;
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID id) {
  const gpudget::ui::Item* item = gpudget::ui::find(id);
  return item != nullptr ? item->label.c_str() : nullptr;
}
