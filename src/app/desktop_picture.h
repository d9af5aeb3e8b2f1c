// A picture as PNG (stb_image_write).
#pragma once
#include <string>
#include <vector>

#include "app/platform_glfw.h"

namespace gpudget::app {

std::vector<unsigned char> png(const Picture& picture);
bool write_png(const Picture& picture, const std::string& path);

}  // namespace gpudget::app
