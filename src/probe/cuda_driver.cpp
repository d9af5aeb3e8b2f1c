#include "probe/cuda_driver.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "probe/cuda_abi.h"
#include "probe/dynamic_library.h"
#include "probe/note.h"

namespace gpudget::probe {
namespace {

// The driver's interface as far as we use it, by the versioned names that cuda.h maps the plain ones to (the plain cuDeviceTotalMem is a 32-bit one).
using namespace cuda;

struct Cuda {
  explicit Cuda(const DynamicLibrary& library)
      : init(library.symbol<Result(unsigned)>({"cuInit"})),
        error_text(library.symbol<Result(Result, const char**)>({"cuGetErrorString"})),
        version(library.symbol<Result(int*)>({"cuDriverGetVersion"})),
        count(library.symbol<Result(int*)>({"cuDeviceGetCount"})),
        device(library.symbol<Result(Device*, int)>({"cuDeviceGet"})),
        name(library.symbol<Result(char*, int, Device)>({"cuDeviceGetName"})),
        uuid(library.symbol<Result(Uuid*, Device)>({"cuDeviceGetUuid_v2", "cuDeviceGetUuid"})),
        total(library.symbol<Result(std::size_t*, Device)>({"cuDeviceTotalMem_v2"})),
        attribute(library.symbol<Result(int*, int, Device)>({"cuDeviceGetAttribute"})),
        make_context(library.symbol<Result(Context*, unsigned, Device)>({"cuCtxCreate_v2"})),
        destroy_context(library.symbol<Result(Context)>({"cuCtxDestroy_v2"})),
        memory(library.symbol<Result(std::size_t*, std::size_t*)>({"cuMemGetInfo_v2"})) {}

  const char* missing() const {
    if (!init) return "cuInit";
    if (!count) return "cuDeviceGetCount";
    if (!device) return "cuDeviceGet";
    if (!total) return "cuDeviceTotalMem_v2";
    return nullptr;
  }

  Result (*init)(unsigned);
  Result (*error_text)(Result, const char**);
  Result (*version)(int*);
  Result (*count)(int*);
  Result (*device)(Device*, int);
  Result (*name)(char*, int, Device);
  Result (*uuid)(Uuid*, Device);
  Result (*total)(std::size_t*, Device);
  Result (*attribute)(int*, int, Device);
  Result (*make_context)(Context*, unsigned, Device);
  Result (*destroy_context)(Context);
  Result (*memory)(std::size_t*, std::size_t*);
};

Bytes to_bytes(std::size_t n) { return bytes(static_cast<std::int64_t>(std::min<std::uint64_t>(n, kMaxBytes))); }

void note_failure(Report& report, const Cuda& cuda, Result result) {
  switch (result) {
    case kStubLibrary: return add_note(report, "probe.no_driver");  // the toolkit's stand-in, not a driver
    case kNoDevice: return add_note(report, "probe.no_devices");
    case kNotPermitted: return add_note(report, "probe.no_permission");
    case kOperatingSystem: return add_note(report, "probe.blocked");
    case kSystemDriverMismatch: return add_note(report, "probe.version_mismatch");
    default: break;
  }
  const char* text = nullptr;
  if (!cuda.error_text || cuda.error_text(result, &text) != kSuccess || !text) text = "CUDA";
  add_note(report, "probe.failed", std::string(text) + " (" + std::to_string(result) + ")");
}

int attribute_of(const Cuda& cuda, int which, Device device) {
  int value = 0;
  return cuda.attribute && cuda.attribute(&value, which, device) == kSuccess ? value : 0;
}

std::string uuid_of(const Cuda& cuda, Device device) {
  Uuid uuid{};
  if (!cuda.uuid || cuda.uuid(&uuid, device) != kSuccess) return {};
  std::string text = "GPU-";  // as NVML writes it
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char two[3];
    (void)std::snprintf(two, sizeof two, "%02x", uuid.bytes[i]);
    text += two;
  }
  return text;
}

// Free memory as a program with a context of its own sees it; the cost of a context by making a second one.
void measure_free(const Cuda& cuda, Device device, Gpu& gpu, Report& report) {
  Context first = nullptr, second = nullptr;
  std::size_t free = 0, total = 0;
  gpu.used_known = false;
  if (!cuda.make_context || !cuda.destroy_context || !cuda.memory) return;
  if (const Result result = cuda.make_context(&first, 0, device); result != kSuccess) return note_failure(report, cuda, result);
  if (cuda.memory(&free, &total) == kSuccess) {
    gpu.free = to_bytes(free);
    gpu.used = gpu.total - gpu.free;
    gpu.used_known = true;
    std::size_t left = 0;
    if (cuda.make_context(&second, 0, device) == kSuccess) {
      if (cuda.memory(&left, &total) == kSuccess && left < free) report.context_cost = std::max(report.context_cost, to_bytes(free - left));
      cuda.destroy_context(second);
    }
  }
  cuda.destroy_context(first);
}

}  // namespace

CudaAnswer read_cuda(const std::string& library_path, bool free_memory, Report& report) {
#ifdef _WIN32
  std::vector<std::string> names = {"nvcuda.dll"};
#else
  std::vector<std::string> names = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
#endif
  if (!library_path.empty()) names = {library_path};
  DynamicLibrary library(names);
  if (!library) {
    if (!library.found()) return CudaAnswer::absent;
    add_note(report, "probe.unusable", library.error());
    return CudaAnswer::failed;
  }
  const Cuda cuda(library);
  if (const char* missing = cuda.missing()) {
    add_note(report, "probe.too_old", missing);
    return CudaAnswer::failed;
  }
  library.keep();
  if (const Result result = cuda.init(0); result != kSuccess) {
    note_failure(report, cuda, result);
    return CudaAnswer::failed;
  }
  int version = 0;
  if (report.cuda.empty() && cuda.version && cuda.version(&version) == kSuccess && version > 0)
    report.cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  int count = 0;
  if (const Result result = cuda.count(&count); result != kSuccess) {
    note_failure(report, cuda, result);
    return CudaAnswer::failed;
  }
  for (int i = 0; i < std::min(count, 1024); ++i) {
    Device device = 0;
    std::size_t total = 0;
    Result result = cuda.device(&device, i);
    if (result == kSuccess) result = cuda.total(&total, device);
    if (result != kSuccess) {
      note_failure(report, cuda, result);
      continue;
    }
    Gpu gpu;
    gpu.index = i;
    std::array<char, 257> name{};
    gpu.name = cuda.name && cuda.name(name.data(), 256, device) == kSuccess && name[0] ? std::string(name.data()) : "NVIDIA GPU";
    gpu.uuid = uuid_of(cuda, device);
    gpu.total = to_bytes(total);
    gpu.reserved_known = false;
    gpu.compute_major = attribute_of(cuda, kComputeMajor, device);
    gpu.compute_minor = attribute_of(cuda, kComputeMinor, device);
    gpu.shared = attribute_of(cuda, kIntegrated, device) != 0;
    if (gpu.shared) {
      gpu.free = std::min(system_memory_available(), gpu.total);
      gpu.used = gpu.total - gpu.free;
      gpu.used_known = gpu.free != Bytes{};
    } else if (free_memory) {
      measure_free(cuda, device, gpu, report);
    } else {
      gpu.used_known = false;
    }
    report.gpus.push_back(std::move(gpu));
  }
  if (report.gpus.empty()) add_note(report, "probe.no_devices");
  return CudaAnswer::answered;
}

Bytes system_memory_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("MemAvailable:", 0) != 0) continue;
    std::istringstream rest(line.substr(13));
    std::int64_t count = 0;
    if (rest >> count && count > 0) return kib(count);
  }
  return {};
}

}  // namespace gpudget::probe
