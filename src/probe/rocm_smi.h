// AMD's GPUs through its management library (ROCm SMI), where it is installed: names, memory and the processes that use it, without a HIP context.
#pragma once
#include <string>

#include "probe/probe.h"

namespace gpudget::probe {

// Adds one Gpu a device; whether any was found. `library`: a path, or empty for the system's own. A failure with a cause gives a note.
bool read_rocm(const std::string& library, Report& report);

}  // namespace gpudget::probe
