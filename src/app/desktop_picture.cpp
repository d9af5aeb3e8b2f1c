#include "app/desktop_picture.h"

#include "app/desktop_files.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace gpudget::app {

std::vector<unsigned char> png(const Picture& picture) {
  std::vector<unsigned char> out;
  const auto append = [](void* context, void* data, int size) {
    auto& bytes = *static_cast<std::vector<unsigned char>*>(context);
    bytes.insert(bytes.end(), static_cast<unsigned char*>(data), static_cast<unsigned char*>(data) + size);
  };
  stbi_write_png_to_func(append, &out, picture.width, picture.height, 3, picture.pixels.data(), 3 * picture.width);
  return out;
}

bool write_png(const Picture& picture, const std::string& path) {
  const std::vector<unsigned char> bytes = png(picture);
  return !bytes.empty() && write_file(path, bytes.data(), bytes.size());
}

}  // namespace gpudget::app
