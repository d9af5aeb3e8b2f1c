#include "ui/icons.h"

#include <array>
#include <cmath>
#include <initializer_list>

namespace gpudget::ui {

void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, ImU32 colour, float size) {
  const float u = size / 16, stroke = 1.6F * u;
  const auto at = [&](float x, float y) { return ImVec2(centre.x + (x - 8) * u, centre.y + (y - 8) * u); };
  const auto path = [&](std::initializer_list<ImVec2> points, bool closed = false) {
    for (const ImVec2& p : points) list->PathLineTo(at(p.x, p.y));
    list->PathStroke(colour, closed ? ImDrawFlags_Closed : ImDrawFlags_None, stroke);
  };
  const auto arc = [&](float x, float y, float r, float from, float to) {
    list->PathArcTo(at(x, y), r * u, from, to, 16);
    list->PathStroke(colour, ImDrawFlags_None, stroke);
  };
  constexpr float kPi = 3.14159265F;
  switch (icon) {
    case Icon::none: break;
    case Icon::check: path({{3, 8.5F}, {6.5F, 12}, {13, 4.5F}}); break;
    case Icon::cross:
      path({{4, 4}, {12, 12}});
      path({{12, 4}, {4, 12}});
      break;
    case Icon::warning:
      path({{8, 2}, {14.5F, 13.5F}, {1.5F, 13.5F}}, true);
      path({{8, 6.5F}, {8, 9.5F}});
      list->AddCircleFilled(at(8, 11.5F), 1 * u, colour);
      break;
    case Icon::chevron_down: path({{4, 6}, {8, 10}, {12, 6}}); break;
    case Icon::chevron_up: path({{4, 10}, {8, 6}, {12, 10}}); break;
    case Icon::chevron_right: path({{6, 4}, {10, 8}, {6, 12}}); break;
    case Icon::undo:
      path({{6, 3}, {3, 6}, {6, 9}});
      path({{3, 6}, {9.5F, 6}});
      arc(9.5F, 9.5F, 3.5F, -kPi / 2, kPi / 2);
      path({{9.5F, 13}, {6, 13}});
      break;
    case Icon::redo:
      path({{10, 3}, {13, 6}, {10, 9}});
      path({{13, 6}, {6.5F, 6}});
      arc(6.5F, 9.5F, 3.5F, kPi * 1.5F, kPi / 2);
      path({{6.5F, 13}, {10, 13}});
      break;
    case Icon::copy:
      path({{6, 6}, {13, 6}, {13, 13}, {6, 13}}, true);
      path({{4, 10}, {3, 10}, {3, 3}, {10, 3}, {10, 4}});
      break;
    case Icon::link:
      arc(5, 11, 3, kPi * 0.25F, kPi * 1.75F);
      arc(11, 5, 3, -kPi * 0.75F, kPi * 0.75F);
      path({{6, 10}, {10, 6}});
      break;
    case Icon::download:
      path({{8, 2.5F}, {8, 10}});
      path({{4.8F, 7}, {8, 10.2F}, {11.2F, 7}});
      path({{3, 13.3F}, {13, 13.3F}});
      break;
    case Icon::search:
      list->AddCircle(at(7, 7), 4.2F * u, colour, 20, stroke);
      path({{10.2F, 10.2F}, {13.5F, 13.5F}});
      break;
    case Icon::sun:
      list->AddCircle(at(8, 8), 3 * u, colour, 16, stroke);
      for (int i = 0; i < 8; ++i) {
        const float a = kPi * static_cast<float>(i) / 4, x = std::cos(a), y = std::sin(a);
        path({{8 + 5.2F * x, 8 + 5.2F * y}, {8 + 7 * x, 8 + 7 * y}});
      }
      break;
    case Icon::moon:
      list->PathArcTo(at(8, 8), 5.5F * u, kPi * 0.1F, kPi * 1.4F, 20);
      list->PathArcTo(at(11, 5), 5.2F * u, kPi * 1.141F, kPi * 0.359F, 16);
      list->PathStroke(colour, ImDrawFlags_Closed, stroke);
      break;
    case Icon::plus:
      path({{8, 3.5F}, {8, 12.5F}});
      path({{3.5F, 8}, {12.5F, 8}});
      break;
    case Icon::pin:
      path({{5, 2.5F}, {11, 2.5F}, {10, 7.5F}, {12, 9.5F}, {4, 9.5F}, {6, 7.5F}}, true);
      path({{8, 9.5F}, {8, 14}});
      break;
    case Icon::info:
      list->AddCircle(at(8, 8), 6 * u, colour, 24, stroke);
      path({{8, 7.4F}, {8, 11}});
      list->AddCircleFilled(at(8, 5.2F), 0.95F * u, colour);
      break;
    case Icon::reset:
      arc(8, 8.5F, 4.8F, -kPi * 0.85F, kPi * 0.85F);
      path({{3, 2.8F}, {3.2F, 6.4F}, {6.8F, 6.2F}});
      break;
    case Icon::more:
      for (const float x : std::array{3.5F, 8.0F, 12.5F}) list->AddCircleFilled(at(x, 8), 1.3F * u, colour);
      break;
    case Icon::external:
      path({{7, 4}, {3, 4}, {3, 13}, {12, 13}, {12, 9}});
      path({{9, 3}, {13, 3}, {13, 7}});
      path({{13, 3}, {7.5F, 8.5F}});
      break;
    case Icon::file:
      path({{4, 2.5F}, {9.5F, 2.5F}, {12.5F, 5.5F}, {12.5F, 13.5F}, {4, 13.5F}}, true);
      path({{9.2F, 2.6F}, {9.2F, 5.8F}, {12.4F, 5.8F}});
      break;
    case Icon::play: path({{5, 3}, {13, 8}, {5, 13}}, true); break;
  }
}

}  // namespace gpudget::ui
