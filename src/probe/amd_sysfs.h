// AMD's GPUs as Linux's amdgpu driver shows them in files (mem_info_vram_total, mem_info_vram_used): no library, no permission needed.
#pragma once
#include <string>

#include "probe/probe.h"

namespace gpudget::probe {

// Adds one Gpu a card of `drm` (/sys/class/drm); whether any was found.
bool read_amd(const std::string& drm, Report& report);

}  // namespace gpudget::probe
