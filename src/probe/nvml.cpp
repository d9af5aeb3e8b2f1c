#include "probe/nvml.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "probe/dynamic_library.h"
#include "probe/note.h"
#include "probe/process_name.h"

namespace gpudget::probe {
namespace {

// NVML's interface as far as we use it (nvml.h is not part of every CUDA toolkit). Sizes are the ABI.
using Device = void*;
using Result = int;
constexpr Result kSuccess = 0, kNotSupported = 3, kNoPermission = 4, kInsufficientSize = 7, kDriverNotLoaded = 9, kGpuIsLost = 15, kOperatingSystem = 17,
                 kVersionMismatch = 18;
struct Memory {
  std::uint64_t total, free, used;  // used includes what the driver reserves
};
struct MemoryV2 {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};
struct ProcessInfo {  // of the _v2 and _v3 functions
  std::uint32_t pid;
  std::uint64_t used;
  std::uint32_t gpu_instance, compute_instance;
};
static_assert(sizeof(Memory) == 24 && sizeof(MemoryV2) == 40 && sizeof(ProcessInfo) == 24);
constexpr std::uint32_t kMemoryV2Version = sizeof(MemoryV2) | (2U << 24U);
constexpr std::uint64_t kNotAvailable = ~std::uint64_t{0};
constexpr std::size_t kTextSize = 96;

using ProcessLister = Result(Device, unsigned*, ProcessInfo*);

// Functions that may be missing are null.
struct Nvml {
  explicit Nvml(const DynamicLibrary& library)
      : init(library.symbol<Result()>({"nvmlInit_v2"})),
        shutdown(library.symbol<Result()>({"nvmlShutdown"})),
        error_text(library.symbol<const char*(Result)>({"nvmlErrorString"})),
        count(library.symbol<Result(unsigned*)>({"nvmlDeviceGetCount_v2"})),
        handle(library.symbol<Result(unsigned, Device*)>({"nvmlDeviceGetHandleByIndex_v2"})),
        name(library.symbol<Result(Device, char*, unsigned)>({"nvmlDeviceGetName"})),
        uuid(library.symbol<Result(Device, char*, unsigned)>({"nvmlDeviceGetUUID"})),
        memory(library.symbol<Result(Device, Memory*)>({"nvmlDeviceGetMemoryInfo"})),
        memory_v2(library.symbol<Result(Device, MemoryV2*)>({"nvmlDeviceGetMemoryInfo_v2"})),
        capability(library.symbol<Result(Device, int*, int*)>({"nvmlDeviceGetCudaComputeCapability"})),
        driver_version(library.symbol<Result(char*, unsigned)>({"nvmlSystemGetDriverVersion"})),
        cuda_version(library.symbol<Result(int*)>({"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"})),
        mig_mode(library.symbol<Result(Device, unsigned*, unsigned*)>({"nvmlDeviceGetMigMode"})),
        mig_count(library.symbol<Result(Device, unsigned*)>({"nvmlDeviceGetMaxMigDeviceCount"})),
        mig_handle(library.symbol<Result(Device, unsigned, Device*)>({"nvmlDeviceGetMigDeviceHandleByIndex"})),
        compute_processes(library.symbol<ProcessLister>({"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"})),
        graphics_processes(library.symbol<ProcessLister>({"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"})) {}

  // The first function that we cannot do without and that this driver lacks; null when it has them all.
  const char* missing() const {
    if (!init) return "nvmlInit_v2";
    if (!shutdown) return "nvmlShutdown";
    if (!count) return "nvmlDeviceGetCount_v2";
    if (!handle) return "nvmlDeviceGetHandleByIndex_v2";
    if (!memory && !memory_v2) return "nvmlDeviceGetMemoryInfo";
    return nullptr;
  }

  Result (*init)();
  Result (*shutdown)();
  const char* (*error_text)(Result);
  Result (*count)(unsigned*);
  Result (*handle)(unsigned, Device*);
  Result (*name)(Device, char*, unsigned);
  Result (*uuid)(Device, char*, unsigned);
  Result (*memory)(Device, Memory*);
  Result (*memory_v2)(Device, MemoryV2*);
  Result (*capability)(Device, int*, int*);
  Result (*driver_version)(char*, unsigned);
  Result (*cuda_version)(int*);
  Result (*mig_mode)(Device, unsigned*, unsigned*);
  Result (*mig_count)(Device, unsigned*);
  Result (*mig_handle)(Device, unsigned, Device*);
  ProcessLister* compute_processes;
  ProcessLister* graphics_processes;
};

Bytes to_bytes(std::uint64_t n) { return bytes(static_cast<std::int64_t>(std::min<std::uint64_t>(n, kMaxBytes))); }

void note_failure(Report& report, const Nvml& nvml, Result result, unsigned index) {
  switch (result) {
    case kNoPermission: return add_note(report, "probe.no_permission");
    case kDriverNotLoaded: return add_note(report, "probe.driver_not_loaded");
    case kVersionMismatch: return add_note(report, "probe.version_mismatch");
    case kOperatingSystem: return add_note(report, "probe.blocked");
    case kGpuIsLost: return add_note(report, "probe.lost", std::to_string(index));
    default: break;
  }
  const char* text = nvml.error_text ? nvml.error_text(result) : nullptr;
  add_note(report, "probe.failed", (text && *text ? std::string(text) : std::string("NVML")) + " (" + std::to_string(result) + ")");
}

// A text that a function writes into a buffer; the buffer is one longer than told, since not every driver ends it.
template <class Function, class... Head>
std::string text_of(Function* function, Head... head) {
  std::array<char, kTextSize + 1> buffer{};
  if (!function || function(head..., buffer.data(), static_cast<unsigned>(kTextSize)) != kSuccess) return {};
  return buffer.data();
}

Result read_memory(const Nvml& nvml, Device device, Gpu& gpu) {
  if (nvml.memory_v2) {
    MemoryV2 memory{};
    memory.version = kMemoryV2Version;
    if (nvml.memory_v2(device, &memory) == kSuccess) {
      gpu.total = to_bytes(memory.total);
      gpu.used = to_bytes(memory.used);
      gpu.free = to_bytes(memory.free);
      gpu.reserved = to_bytes(memory.reserved);
      return kSuccess;
    }  // some drivers (early WSL) have the function and fail: the older one still answers
  }
  gpu.reserved_known = false;
  if (!nvml.memory) return kNotSupported;
  Memory memory{};
  const Result result = nvml.memory(device, &memory);
  if (result == kSuccess) {
    gpu.total = to_bytes(memory.total);
    gpu.used = to_bytes(memory.used);
    gpu.free = to_bytes(memory.free);
  }
  return result;
}

void add_processes(ProcessLister* list, Device device, std::vector<Process>& processes) {
  if (!list) return;
  std::vector<ProcessInfo> found;
  unsigned count = 0;
  Result result = list(device, &count, nullptr);
  for (int attempt = 0; attempt < 5 && result == kInsufficientSize; ++attempt) {  // the list may grow between two calls
    if (count > 100000) return;
    found.resize(2 * std::size_t{count} + 8);
    count = static_cast<unsigned>(found.size());
    result = list(device, &count, found.data());
  }
  if (result != kSuccess) return;
  found.resize(std::min<std::size_t>(count, found.size()));
  for (const ProcessInfo& info : found) {
    const bool known = info.used != kNotAvailable;
    const Bytes used = known ? to_bytes(info.used) : Bytes{};
    auto same = std::find_if(processes.begin(), processes.end(), [&](const Process& p) { return p.pid == info.pid; });
    if (same != processes.end()) {  // computes and draws: told twice
      same->used = std::max(same->used, used);
      same->used_known = same->used_known || known;
      continue;
    }
    processes.push_back({static_cast<std::int64_t>(info.pid), process_name(info.pid), used, known});
  }
}

Result read_device(const Nvml& nvml, Device device, Gpu& gpu) {
  gpu.name = text_of(nvml.name, device);
  if (gpu.name.empty()) gpu.name = "NVIDIA GPU";
  gpu.uuid = text_of(nvml.uuid, device);
  const Result result = read_memory(nvml, device, gpu);
  if (nvml.capability && nvml.capability(device, &gpu.compute_major, &gpu.compute_minor) != kSuccess) gpu.compute_major = gpu.compute_minor = 0;
  add_processes(nvml.compute_processes, device, gpu.processes);
  add_processes(nvml.graphics_processes, device, gpu.processes);
  return result;
}

// The MIG slices of a GPU; false where the GPU is not divided.
bool read_slices(const Nvml& nvml, Device parent, int index, Report& report) {
  unsigned mode = 0, pending = 0, most = 0;
  if (!nvml.mig_mode || !nvml.mig_count || !nvml.mig_handle || nvml.mig_mode(parent, &mode, &pending) != kSuccess || mode == 0) return false;
  if (nvml.mig_count(parent, &most) != kSuccess) return false;
  int major = 0, minor = 0;
  if (!nvml.capability || nvml.capability(parent, &major, &minor) != kSuccess) major = minor = 0;
  bool any = false;
  for (unsigned i = 0; i < std::min(most, 64U); ++i) {
    Device slice = nullptr;
    if (nvml.mig_handle(parent, i, &slice) != kSuccess) continue;  // `most` counts places; an empty one has no handle
    Gpu gpu;
    gpu.index = index;
    gpu.mig = true;
    const Result result = read_device(nvml, slice, gpu);
    if (result != kSuccess) {
      note_failure(report, nvml, result, static_cast<unsigned>(index));
      continue;
    }
    if (gpu.compute_major == 0) gpu.compute_major = major, gpu.compute_minor = minor;
    report.gpus.push_back(std::move(gpu));
    any = true;
  }
  return any;
}

void read_devices(const Nvml& nvml, Report& report) {
  report.driver = text_of(nvml.driver_version);
  int version = 0;
  if (nvml.cuda_version && nvml.cuda_version(&version) == kSuccess && version > 0)
    report.cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  unsigned count = 0;
  if (const Result result = nvml.count(&count); result != kSuccess) return note_failure(report, nvml, result, 0);
  for (unsigned i = 0; i < std::min(count, 1024U); ++i) {
    Device device = nullptr;
    Result result = nvml.handle(i, &device);
    if (result == kSuccess && read_slices(nvml, device, static_cast<int>(i), report)) continue;
    Gpu gpu;
    gpu.index = static_cast<int>(i);
    if (result == kSuccess) result = read_device(nvml, device, gpu);
    if (result == kNotSupported || (result == kSuccess && gpu.total == Bytes{})) {  // the memory is the computer's: cuda knows how much
      gpu.shared = true;
      gpu.used_known = gpu.reserved_known = false;
      result = kSuccess;
    }
    if (result == kSuccess)
      report.gpus.push_back(std::move(gpu));
    else
      note_failure(report, nvml, result, i);
  }
  if (report.gpus.empty()) add_note(report, "probe.no_devices");
}

}  // namespace

NvmlAnswer read_nvml(const std::string& library_path, Report& report) {
#ifdef _WIN32
  std::vector<std::string> names = {"nvml.dll"};
#else
  // The versioned name first: the bare one is a link of developers or, under WSL, a stub. WSL's folder is not always on the search path.
  std::vector<std::string> names = {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1", "libnvidia-ml.so"};
#endif
  if (!library_path.empty()) names = {library_path};
  const DynamicLibrary library(names);
  if (!library) {
    if (!library.found()) return NvmlAnswer::absent;
    add_note(report, "probe.unusable", library.error());
    return NvmlAnswer::failed;
  }
  const Nvml nvml(library);
  if (const char* missing = nvml.missing()) {
    add_note(report, "probe.too_old", missing);
    return NvmlAnswer::failed;
  }
  if (const Result result = nvml.init(); result != kSuccess) {
    note_failure(report, nvml, result, 0);
    return NvmlAnswer::failed;
  }
  read_devices(nvml, report);
  nvml.shutdown();
  return NvmlAnswer::answered;
}

}  // namespace gpudget::probe
