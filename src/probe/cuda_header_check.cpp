// Compiled with content only where the CUDA toolkit's headers are (CMake option GPUDGET_CUDA): what cuda_abi.h and cuda_driver.cpp say of the driver's
// interface is what cuda.h says.
#ifdef GPUDGET_CUDA_HEADER

#include <cuda.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "probe/cuda_abi.h"

#define GPUDGET_NAME_OF(function) std::string_view(GPUDGET_TEXT_OF(function))
#define GPUDGET_TEXT_OF(function) #function

namespace gpudget::probe::cuda {

static_assert(sizeof(CUresult) == sizeof(Result) && std::is_same_v<CUdevice, Device> && sizeof(CUcontext) == sizeof(Context) && sizeof(CUuuid) == sizeof(Uuid));
static_assert(CUDA_SUCCESS == kSuccess && CUDA_ERROR_STUB_LIBRARY == kStubLibrary && CUDA_ERROR_NO_DEVICE == kNoDevice);
static_assert(CUDA_ERROR_OPERATING_SYSTEM == kOperatingSystem && CUDA_ERROR_NOT_PERMITTED == kNotPermitted);
static_assert(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH == kSystemDriverMismatch);
static_assert(CU_DEVICE_ATTRIBUTE_INTEGRATED == kIntegrated && CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == kComputeMajor &&
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == kComputeMinor);
// The versions that the plain names stand for, and their parameters.
static_assert(GPUDGET_NAME_OF(cuDeviceTotalMem) == "cuDeviceTotalMem_v2" && GPUDGET_NAME_OF(cuMemGetInfo) == "cuMemGetInfo_v2");
static_assert(GPUDGET_NAME_OF(cuCtxDestroy) == "cuCtxDestroy_v2");
static_assert(std::is_same_v<decltype(cuDeviceTotalMem), CUresult CUDAAPI(std::size_t*, CUdevice)>);
static_assert(std::is_same_v<decltype(cuMemGetInfo), CUresult CUDAAPI(std::size_t*, std::size_t*)>);
static_assert(std::is_same_v<decltype(cuDeviceGetName), CUresult CUDAAPI(char*, int, CUdevice)>);
static_assert(std::is_same_v<decltype(cuInit), CUresult CUDAAPI(unsigned)>);

}  // namespace gpudget::probe::cuda

#endif
