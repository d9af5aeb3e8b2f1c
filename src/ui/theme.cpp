#include "ui/theme.h"

#include <algorithm>
#include <cmath>

namespace gpudget::ui {
namespace {

constexpr ImU32 rgb(std::uint32_t hex) { return IM_COL32(hex >> 16 & 255, hex >> 8 & 255, hex & 255, 255); }

double linear(ImU32 channel) {
  const double c = static_cast<double>(channel) / 255;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double luminance(ImU32 c) {
  return 0.2126 * linear(c >> IM_COL32_R_SHIFT & 255) + 0.7152 * linear(c >> IM_COL32_G_SHIFT & 255) + 0.0722 * linear(c >> IM_COL32_B_SHIFT & 255);
}

// weights, gradients, optimizer states, activations, logits, KV cache, buffers, framework: distinct for common colour-blindness, fixed everywhere.
constexpr std::array<std::uint32_t, kCategories> kCategoryColours{0x4C78A8, 0xF58518, 0xE45756, 0x72B7B2, 0xEECA3B, 0xB279A2, 0x9D755D, 0xA0A0A0};

void fill_categories(Tokens& t) {
  const ImU32 black = rgb(0x000000), white = rgb(0xFFFFFF);
  for (std::size_t i = 0; i < kCategories; ++i) {
    const ImU32 fill = rgb(kCategoryColours[i]);
    t.category[i] = fill;
    t.on_category[i] = contrast(fill, white) > contrast(fill, black) ? white : black;
    // Yellow on white cannot be told from it: an outline of the same hue can.
    ImU32 edge = fill;
    for (float k = 0; contrast(edge, t.page) < 3.05 && k < 1; k += 0.04F) edge = mix(fill, t.text, k);
    t.category_edge[i] = edge;
  }
}

Tokens light() {
  Tokens t{};
  t.page = rgb(0xFFFFFF);
  t.panel = rgb(0xF8F8F6);
  t.raised = rgb(0xFFFFFF);
  t.hairline = rgb(0xE3E3DF);
  t.edge = rgb(0x8C8F94);
  t.text = rgb(0x191B1F);
  t.secondary = rgb(0x5A5E65);
  t.field = rgb(0xEEEEEB);
  t.field_hover = rgb(0xE5E5E1);
  t.accent = rgb(0x2457C5);
  t.accent_hover = rgb(0x1C479F);
  t.on_accent = rgb(0xFFFFFF);
  t.accent_text = rgb(0x2050B8);
  t.accent_wash = rgb(0xE8EEFA);
  t.fits = rgb(0x2E9E5B);
  t.tight = rgb(0xD98E04);
  t.over = rgb(0xD1383D);
  t.fits_text = rgb(0x1B7541);
  t.tight_text = rgb(0x875600);
  t.over_text = rgb(0xBC2A30);
  // The mark of "tight" is outlined like the categories where it stands on white.
  while (contrast(t.tight, t.page) < 3.0) t.tight = mix(t.tight, t.text, 0.03F);
  fill_categories(t);
  return t;
}

Tokens dark() {
  Tokens t{};
  t.page = rgb(0x141517);
  t.panel = rgb(0x191B1E);
  t.raised = rgb(0x3D424A);
  t.hairline = rgb(0x2D3035);
  t.edge = rgb(0x71767E);
  t.text = rgb(0xECEDEF);
  t.secondary = rgb(0xA9ADB5);
  t.field = rgb(0x25282C);
  t.field_hover = rgb(0x2F3338);
  t.accent = rgb(0x3A6BD8);
  t.accent_hover = rgb(0x3360C6);
  t.on_accent = rgb(0xFFFFFF);
  t.accent_text = rgb(0x8FB1FF);
  t.accent_wash = rgb(0x222C42);
  t.fits = rgb(0x3BB26C);
  t.tight = rgb(0xE3A12B);
  t.over = rgb(0xE5565A);
  t.fits_text = rgb(0x5CCB8A);
  t.tight_text = rgb(0xECB24B);
  t.over_text = rgb(0xF58588);
  fill_categories(t);
  return t;
}

}  // namespace

double contrast(ImU32 a, ImU32 b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0F, 1.0F) * 255)) << IM_COL32_A_SHIFT;
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
  const ImVec4 x = ImGui::ColorConvertU32ToFloat4(a), y = ImGui::ColorConvertU32ToFloat4(b);
  return ImGui::ColorConvertFloat4ToU32({x.x + (y.x - x.x) * t, x.y + (y.y - x.y) * t, x.z + (y.z - x.z) * t, x.w + (y.w - x.w) * t});
}

const Tokens& tokens(Theme theme) {
  static const Tokens kLight = light(), kDark = dark();
  return theme == Theme::dark ? kDark : kLight;
}

void apply_style(Theme theme, bool coarse_pointer) {
  const Tokens& t = tokens(theme);
  ImGuiStyle style;
  style.FontSizeBase = kBody;
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = 8;
  style.WindowRounding = 8;  // tooltips; the surface itself has none
  style.FrameRounding = kRadius;
  style.GrabRounding = kRadius;
  style.FramePadding = {10, coarse_pointer ? 11.0F : 6.0F};
  style.ItemSpacing = {kGrid, 0};  // every gap is asked for
  style.ItemInnerSpacing = {kGrid, kGrid};
  style.CellPadding = {0, 6};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.GrabMinSize = 16;
  style.TouchExtraPadding = coarse_pointer ? ImVec2(4, 4) : ImVec2(0, 0);
  style.WindowMinSize = {1, 1};
  style.DisplaySafeAreaPadding = {0, 0};
  style.HoverStationaryDelay = 0.1F;
  style.HoverDelayShort = 0.15F;
  style.HoverDelayNormal = 0.35F;
  style.DisabledAlpha = 0.5F;
  const auto set = [&](ImGuiCol which, ImU32 colour) { style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour); };
  const ImU32 clear = with_alpha(t.page, 0);
  set(ImGuiCol_Text, t.text);
  set(ImGuiCol_TextDisabled, t.secondary);
  set(ImGuiCol_WindowBg, t.page);
  set(ImGuiCol_ChildBg, clear);
  set(ImGuiCol_PopupBg, theme == Theme::dark ? mix(t.panel, t.raised, 0.25F) : t.raised);
  set(ImGuiCol_Border, theme == Theme::dark ? t.raised : t.hairline);
  set(ImGuiCol_BorderShadow, clear);
  set(ImGuiCol_FrameBg, t.field);
  set(ImGuiCol_FrameBgHovered, t.field_hover);
  set(ImGuiCol_FrameBgActive, t.field_hover);
  set(ImGuiCol_ScrollbarBg, clear);
  set(ImGuiCol_ScrollbarGrab, with_alpha(t.secondary, 0.30F));
  set(ImGuiCol_ScrollbarGrabHovered, with_alpha(t.secondary, 0.50F));
  set(ImGuiCol_ScrollbarGrabActive, with_alpha(t.secondary, 0.65F));
  set(ImGuiCol_CheckMark, t.accent);
  set(ImGuiCol_SliderGrab, clear);
  set(ImGuiCol_SliderGrabActive, clear);
  set(ImGuiCol_Button, t.field);
  set(ImGuiCol_ButtonHovered, t.field_hover);
  set(ImGuiCol_ButtonActive, t.field_hover);
  set(ImGuiCol_Header, t.accent_wash);
  set(ImGuiCol_HeaderHovered, t.field);
  set(ImGuiCol_HeaderActive, t.field_hover);
  set(ImGuiCol_Separator, t.hairline);
  set(ImGuiCol_TableBorderLight, t.hairline);
  set(ImGuiCol_TableBorderStrong, t.hairline);
  set(ImGuiCol_TableHeaderBg, clear);
  set(ImGuiCol_TableRowBg, clear);
  set(ImGuiCol_TableRowBgAlt, clear);
  set(ImGuiCol_TextSelectedBg, with_alpha(t.accent, 0.28F));
  set(ImGuiCol_InputTextCursor, t.accent_text);
  set(ImGuiCol_NavCursor, t.accent_text);
  set(ImGuiCol_NavWindowingHighlight, clear);
  set(ImGuiCol_ModalWindowDimBg, with_alpha(IM_COL32(0, 0, 0, 255), 0.35F));
  set(ImGuiCol_ResizeGrip, clear);
  style.FontScaleMain = ImGui::GetStyle().FontScaleMain;
  style.FontScaleDpi = ImGui::GetStyle().FontScaleDpi;
  ImGui::GetStyle() = style;
}

}  // namespace gpudget::ui
