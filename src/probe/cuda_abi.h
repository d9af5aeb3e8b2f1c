// The CUDA driver's interface as far as we use it, without the toolkit's cuda.h; cuda_header_check.cpp compares the two where that is installed.
#pragma once

namespace gpudget::probe::cuda {

using Result = int;
using Device = int;
using Context = void*;
inline constexpr Result kSuccess = 0, kStubLibrary = 34, kNoDevice = 100, kOperatingSystem = 304, kNotPermitted = 800, kSystemDriverMismatch = 803;
inline constexpr int kIntegrated = 18, kComputeMajor = 75, kComputeMinor = 76;
struct Uuid {
  unsigned char bytes[16];
};
static_assert(sizeof(Uuid) == 16);

}  // namespace gpudget::probe::cuda
