#include "probe/amd_sysfs.h"

#include <fstream>
#include <optional>

namespace gpudget::probe {
namespace {

std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (!(file >> value) || value < 0) return std::nullopt;
  return value;
}

}  // namespace

bool read_amd(const std::string& drm, Report& report) {
  bool any = false;
  for (int card = 0; card < 64; ++card) {
    const std::string folder = drm + "/card" + std::to_string(card) + "/device/";
    const std::optional<std::int64_t> total = number_in(folder + "mem_info_vram_total");
    if (!total || *total == 0) continue;
    Gpu gpu;
    gpu.index = card;
    std::ifstream name(folder + "product_name");
    std::getline(name, gpu.name);
    if (gpu.name.empty()) gpu.name = "AMD GPU";
    std::ifstream id(folder + "unique_id");
    std::getline(id, gpu.uuid);
    gpu.total = bytes(*total);
    const std::optional<std::int64_t> used = number_in(folder + "mem_info_vram_used");
    gpu.used_known = used.has_value() && *used <= *total;
    gpu.reserved_known = false;
    if (gpu.used_known) gpu.used = bytes(*used), gpu.free = gpu.total - gpu.used;
    report.gpus.push_back(std::move(gpu));
    any = true;
  }
  return any;
}

}  // namespace gpudget::probe
