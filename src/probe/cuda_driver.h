// The CUDA driver's view of the GPUs: what NVML cannot say, or all of it where NVML is missing.
#pragma once
#include <string>

#include "probe/probe.h"

namespace gpudget::probe {

enum class CudaAnswer { absent, failed, answered };
// Memory that is free needs a context, which itself takes memory (hundreds of MB, while it lives): made, and measured, only with `free_memory`.
CudaAnswer read_cuda(const std::string& library, bool free_memory, Report& report);

// What the system could still give to programs (MemAvailable); 0 where it does not say.
Bytes system_memory_available();

}  // namespace gpudget::probe
