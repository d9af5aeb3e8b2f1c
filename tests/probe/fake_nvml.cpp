// A stand-in for libnvidia-ml.so.1 that behaves as FAKE_GPU says, as strictly as the real one where that matters (struct versions, buffer sizes).
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "fake_gpu.h"

using fake::is;
using fake::kGiB;
using Device = std::uintptr_t;  // 1 + index; slices: 100 + index

namespace {
constexpr int kSuccess = 0, kInvalid = 2, kNotSupported = 3, kNoPermission = 4, kNotFound = 6, kInsufficientSize = 7, kDriverNotLoaded = 9, kGpuIsLost = 15,
              kVersionMismatch = 18, kStructVersion = 25, kUnknown = 999;
bool initialised = false;
int copy(const char* text, char* out, unsigned length) {
  if (std::strlen(text) + 1 > length) return kInsufficientSize;
  std::strcpy(out, text);
  return kSuccess;
}
bool slice(Device d) { return d >= 100; }
}  // namespace

extern "C" {

struct Memory {
  std::uint64_t total, free, used;
};
struct MemoryV2 {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};
struct ProcessInfo {
  std::uint32_t pid;
  std::uint64_t used;
  std::uint32_t gpu_instance, compute_instance;
};

#ifndef FAKE_WITHOUT_INIT
int nvmlInit_v2() {
  if (const char* log = std::getenv("FAKE_GPU_LOG"))
    if (std::FILE* file = std::fopen(log, "a")) (void)std::fputs("asked\n", file), (void)std::fclose(file);
  if (is("mismatch")) return kVersionMismatch;
  if (is("not_loaded")) return kDriverNotLoaded;
  if (is("no_permission_at_all")) return kNoPermission;
  if (is("hang")) sleep(60);
  if (is("crash")) abort();
  initialised = true;
  return kSuccess;
}
#endif
int nvmlShutdown() {
  initialised = false;
  return kSuccess;
}
const char* nvmlErrorString(int result) { return result == kUnknown ? "Unknown Error" : "an error"; }
int nvmlSystemGetDriverVersion(char* out, unsigned length) { return copy("550.54.15", out, length); }
int nvmlSystemGetCudaDriverVersion_v2(int* version) { return *version = 12040, kSuccess; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  if (!initialised) return kUnknown;
  if (is("count_fails")) return kUnknown;
  return *count = static_cast<unsigned>(fake::devices()), kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (is("lost") && index == 1) return kGpuIsLost;
  if (index >= static_cast<unsigned>(fake::devices())) return kInvalid;
  return *device = index + 1, kSuccess;
}
int nvmlDeviceGetName(Device device, char* out, unsigned length) {
  if (is("huge_name")) return std::memset(out, 'x', length), kSuccess;  // not ended
  if (slice(device)) return copy(device == 100 ? "NVIDIA A100-SXM4-80GB MIG 3g.40gb" : "NVIDIA A100-SXM4-80GB MIG 1g.10gb", out, length);
  if (is("mig")) return copy("NVIDIA A100-SXM4-80GB", out, length);
  if (is("uma")) return copy("NVIDIA GB10", out, length);
  return copy(device == 2 ? "NVIDIA H100 80GB HBM3" : "NVIDIA GeForce RTX 4090", out, length);
}
int nvmlDeviceGetUUID(Device device, char* out, unsigned length) {
  if (slice(device)) return copy(device == 100 ? "MIG-aaaaaaaa-0000-0000-0000-000000000000" : "MIG-bbbbbbbb-0000-0000-0000-000000000000", out, length);
  std::string uuid = "GPU-00000000-0000-0000-0000-00000000000";
  uuid += static_cast<char>('0' + device);
  return copy(uuid.c_str(), out, length);
}
int nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  if (is("uma")) return kNotSupported;
  if (is("memory_fails")) return kUnknown;
  if (is("no_permission") || (is("mig") && !slice(device))) return kNoPermission;
  *memory = {24 * kGiB, 20 * kGiB, 4 * kGiB};
  return kSuccess;
}
#ifndef FAKE_V1_ONLY
int nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* memory) {
  if (memory->version != (sizeof(MemoryV2) | (2U << 24U))) return kStructVersion;
  if (is("v2_rejects")) return kUnknown;
  if (is("uma")) return kNotSupported;
  if (is("memory_fails")) return kUnknown;
  if (is("no_permission") || (is("mig") && !slice(device))) return kNoPermission;
  std::uint64_t total = 24 * kGiB;
  if (device == 2) total = 80 * kGiB;
  if (slice(device)) total = (device == 100 ? 40 : 10) * kGiB;
  std::uint64_t used = 2 * kGiB;
  if (const char* more = std::getenv("FAKE_GPU_MORE_USED_GIB")) used += static_cast<std::uint64_t>(std::atoi(more)) * kGiB;
  const std::uint64_t reserved = kGiB / 2;
  memory->total = total;
  memory->reserved = reserved;
  memory->used = used;
  memory->free = total - reserved - used;
  return kSuccess;
}
#endif
int nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  if (slice(device)) return kNotSupported;
  *major = is("mig") ? 8 : device == 2 ? 9 : 8;
  *minor = is("mig") ? 0 : device == 2 ? 0 : 9;
  return kSuccess;
}
int nvmlDeviceGetMigMode(Device, unsigned* current, unsigned* pending) {
  if (!is("mig")) return kNotSupported;
  return *current = *pending = 1, kSuccess;
}
int nvmlDeviceGetMaxMigDeviceCount(Device, unsigned* count) { return *count = 7, kSuccess; }
int nvmlDeviceGetMigDeviceHandleByIndex(Device, unsigned index, Device* device) {
  if (index == 0) return *device = 100, kSuccess;
  if (index == 3) return *device = 101, kSuccess;  // places 1 and 2 are empty
  return kNotFound;
}
int nvmlDeviceGetComputeRunningProcesses_v3(Device, unsigned* count, ProcessInfo* infos) {
  if (is("no_processes")) return kNoPermission;
  static unsigned growing = 10;
  const unsigned there = is("evil_counts") ? (growing += 10) : 1;
  if (is("evil_counts") && growing > 60) growing = 10;
  if (*count < there) return *count = there, kInsufficientSize;
  for (unsigned i = 0; i < there; ++i)
    infos[i] = {is("evil_counts") ? 4000000U + i : static_cast<std::uint32_t>(getpid()), is("wddm") ? ~std::uint64_t{0} : kGiB, 0xFFFFFFFF, 0xFFFFFFFF};
  return *count = there, kSuccess;
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(Device device, unsigned* count, ProcessInfo* infos) {
  if (is("evil_counts")) return *count = 0, kSuccess;
  return nvmlDeviceGetComputeRunningProcesses_v3(device, count, infos);  // the same program draws too
}
}
