#include "catalog/local_gpu.h"

#include <string>

#include "catalog/catalog.h"

namespace gpudget::catalog {

const Gpu* known_gpu(std::string_view driver_name, Bytes total) {
  const auto words = [](std::string_view text) {
    std::string out = "-";
    for (const char c : text) {
      if (c >= 'A' && c <= 'Z')
        out += static_cast<char>(c - 'A' + 'a');
      else
        out += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    }
    return out + '-';
  };
  const std::string name = words(driver_name);
  const Gpu* best = nullptr;
  std::size_t best_matches = 0;
  for (const Gpu& gpu : gpus()) {
    const double ratio = gpu.memory.in_gib() / total.in_gib();
    if (ratio < 0.9 || ratio > 1.1) continue;
    const std::string id = words(gpu.id.view());
    std::size_t matches = 0;
    bool all = true;
    for (std::size_t start = 1; start < id.size();) {
      const std::size_t end = id.find('-', start);
      const std::string word = id.substr(start, end - start);
      const bool form = word == "sxm" || word == "pcie" || word == "nvl" || word.ends_with("gb");
      const bool there = name.find('-' + word) != std::string::npos;  // "sxm" also stands for SXM4
      matches += there ? 1U : 0U;
      all = all && (there || form);
      start = end + 1;
    }
    if (all && matches > best_matches) {
      best = &gpu;
      best_matches = matches;
    }
  }
  return best;
}

Gpu local_gpu(std::string_view driver_name, Bytes total) {
  Gpu gpu;
  if (const Gpu* known = known_gpu(driver_name, total)) gpu = *known;
  gpu.custom = true;
  gpu.id = {};
  gpu.name = driver_name.substr(0, 64);
  gpu.memory = total;
  return gpu;
}

}  // namespace gpudget::catalog
