// NVIDIA's management library: memory, names and processes without a CUDA context.
#pragma once
#include <string>

#include "probe/probe.h"

namespace gpudget::probe {

enum class NvmlAnswer { absent, failed, answered };
// Fills gpus, driver, cuda and the note of `report`. `library`: a path, or empty for the system's own.
// A GPU whose memory the library does not know (its memory is the computer's) is listed with total 0.
NvmlAnswer read_nvml(const std::string& library, Report& report);

}  // namespace gpudget::probe
