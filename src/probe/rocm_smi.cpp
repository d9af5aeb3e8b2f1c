#include "probe/rocm_smi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "probe/dynamic_library.h"
#include "probe/note.h"
#include "probe/process_name.h"

namespace gpudget::probe {
namespace {

// rocm_smi.h as far as we use it.
using Result = int;
constexpr Result kSuccess = 0, kPermission = 4, kInitError = 8;
constexpr int kVram = 0;            // rsmi_memory_type_t
constexpr int kDriverVersion = 0;   // rsmi_sw_component_t
constexpr unsigned kMostGpus = 64;  // of one process
struct ProcessInfo {
  std::uint32_t pid, pasid;
  std::uint64_t vram, sdma;
  std::uint32_t occupancy;
};
static_assert(sizeof(ProcessInfo) == 32);

struct Rocm {
  explicit Rocm(const DynamicLibrary& library)
      : init(library.symbol<Result(std::uint64_t)>({"rsmi_init"})),
        shutdown(library.symbol<Result()>({"rsmi_shut_down"})),
        count(library.symbol<Result(std::uint32_t*)>({"rsmi_num_monitor_devices"})),
        total(library.symbol<Result(std::uint32_t, int, std::uint64_t*)>({"rsmi_dev_memory_total_get"})),
        used(library.symbol<Result(std::uint32_t, int, std::uint64_t*)>({"rsmi_dev_memory_usage_get"})),
        name(library.symbol<Result(std::uint32_t, char*, std::size_t)>({"rsmi_dev_name_get"})),
        id(library.symbol<Result(std::uint32_t, std::uint64_t*)>({"rsmi_dev_unique_id_get"})),
        version(library.symbol<Result(int, char*, std::uint32_t)>({"rsmi_version_str_get"})),
        processes(library.symbol<Result(ProcessInfo*, std::uint32_t*)>({"rsmi_compute_process_info_get"})),
        gpus_of(library.symbol<Result(std::uint32_t, std::uint32_t*, std::uint32_t*)>({"rsmi_compute_process_gpus_get"})) {}

  const char* missing() const {
    if (!init) return "rsmi_init";
    if (!shutdown) return "rsmi_shut_down";
    if (!count) return "rsmi_num_monitor_devices";
    if (!total) return "rsmi_dev_memory_total_get";
    return nullptr;
  }

  Result (*init)(std::uint64_t);
  Result (*shutdown)();
  Result (*count)(std::uint32_t*);
  Result (*total)(std::uint32_t, int, std::uint64_t*);
  Result (*used)(std::uint32_t, int, std::uint64_t*);
  Result (*name)(std::uint32_t, char*, std::size_t);
  Result (*id)(std::uint32_t, std::uint64_t*);
  Result (*version)(int, char*, std::uint32_t);
  Result (*processes)(ProcessInfo*, std::uint32_t*);
  Result (*gpus_of)(std::uint32_t, std::uint32_t*, std::uint32_t*);
};

Bytes to_bytes(std::uint64_t n) { return bytes(static_cast<std::int64_t>(std::min<std::uint64_t>(n, kMaxBytes))); }

void note_failure(Report& report, Result result) {
  if (result == kPermission) return add_note(report, "probe.no_permission");
  add_note(report, "probe.failed", "ROCm SMI (" + std::to_string(result) + ")");
}

Gpu read_device(const Rocm& rocm, std::uint32_t index, std::uint64_t total) {
  Gpu gpu;
  gpu.index = static_cast<int>(index);
  gpu.total = to_bytes(total);
  gpu.reserved_known = false;
  std::array<char, 129> name{};
  if (rocm.name && rocm.name(index, name.data(), 128) == kSuccess) gpu.name = name.data();
  if (gpu.name.empty()) gpu.name = "AMD GPU";
  std::uint64_t value = 0;
  if (rocm.id && rocm.id(index, &value) == kSuccess && value != 0) {
    std::array<char, 24> text{};
    (void)std::snprintf(text.data(), text.size(), "GPU-%016llx", static_cast<unsigned long long>(value));
    gpu.uuid = text.data();
  }
  value = 0;
  gpu.used_known = rocm.used && rocm.used(index, kVram, &value) == kSuccess && value <= total;
  if (gpu.used_known) gpu.used = to_bytes(value), gpu.free = gpu.total - gpu.used;
  return gpu;
}

// The library counts a process's memory over all its GPUs: on one it is that one's, on several it is not known of each.
void add_processes(const Rocm& rocm, Report& report) {
  std::uint32_t count = 0;
  if (!rocm.processes || !rocm.gpus_of || rocm.processes(nullptr, &count) != kSuccess || count > 100000) return;
  std::vector<ProcessInfo> found(std::size_t{count} + 16);
  count = static_cast<std::uint32_t>(found.size());
  if (rocm.processes(found.data(), &count) != kSuccess) return;
  found.resize(std::min<std::size_t>(count, found.size()));
  for (const ProcessInfo& info : found) {
    std::array<std::uint32_t, kMostGpus> on{};
    std::uint32_t gpus = kMostGpus;
    if (rocm.gpus_of(info.pid, on.data(), &gpus) != kSuccess) continue;
    gpus = std::min(gpus, kMostGpus);
    for (Gpu& gpu : report.gpus)
      for (std::uint32_t i = 0; i < gpus; ++i)
        if (gpu.index == static_cast<int>(on[i]))
          gpu.processes.push_back({static_cast<std::int64_t>(info.pid), process_name(info.pid), gpus == 1 ? to_bytes(info.vram) : Bytes{}, gpus == 1});
  }
}

}  // namespace

bool read_rocm(const std::string& library_path, Report& report) {
#ifdef _WIN32
  std::vector<std::string> names = {"rocm_smi64.dll"};
#else
  std::vector<std::string> names = {"librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5", "librocm_smi64.so.1", "/opt/rocm/lib/librocm_smi64.so"};
#endif
  if (!library_path.empty()) names = {library_path};
  DynamicLibrary library(names);
  if (!library) {
    if (library.found()) add_note(report, "probe.unusable", library.error());
    return false;
  }
  const Rocm rocm(library);
  if (const char* missing = rocm.missing()) {
    add_note(report, "probe.too_old", missing);
    return false;
  }
  library.keep();
  if (const Result result = rocm.init(0); result != kSuccess) {
    if (result != kInitError) note_failure(report, result);  // that one: the library without a driver
    return false;
  }
  std::uint32_t count = 0;
  if (const Result result = rocm.count(&count); result != kSuccess) note_failure(report, result);
  for (std::uint32_t i = 0; i < std::min(count, 1024U); ++i) {
    std::uint64_t total = 0;
    if (const Result result = rocm.total(i, kVram, &total); result != kSuccess)
      note_failure(report, result);
    else if (total > 0)
      report.gpus.push_back(read_device(rocm, i, total));
  }
  std::array<char, 129> version{};
  if (!report.gpus.empty() && rocm.version && rocm.version(kDriverVersion, version.data(), 128) == kSuccess) report.driver = version.data();
  add_processes(rocm, report);
  rocm.shutdown();
  return !report.gpus.empty();
}

}  // namespace gpudget::probe
