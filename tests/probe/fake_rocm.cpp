// A stand-in for librocm_smi64.so that behaves as FAKE_GPU says.
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "fake_gpu.h"

using fake::is;
using fake::kGiB;

namespace {
constexpr int kSuccess = 0, kInvalid = 1, kNotSupported = 2, kPermission = 4, kInitError = 8, kInsufficientSize = 11;
bool initialised = false;
unsigned devices() { return is("zero_devices") ? 0 : is("eight") ? 8 : is("two_mixed_order") ? 2 : 1; }
}  // namespace

extern "C" {

struct RocmProcess {
  std::uint32_t pid, pasid;
  std::uint64_t vram, sdma;
  std::uint32_t occupancy;
};

int rsmi_init(std::uint64_t) {
  if (is("no_permission")) return kPermission;
  if (is("not_loaded")) return kInitError;
  initialised = true;
  return kSuccess;
}
int rsmi_shut_down() { return initialised = false, kSuccess; }
int rsmi_num_monitor_devices(std::uint32_t* count) { return initialised ? (*count = devices(), kSuccess) : kInvalid; }
int rsmi_dev_memory_total_get(std::uint32_t device, int type, std::uint64_t* total) {
  if (device >= devices() || type != 0) return kInvalid;
  return *total = 192 * kGiB, kSuccess;
}
int rsmi_dev_memory_usage_get(std::uint32_t, int, std::uint64_t* used) { return is("memory_fails") ? kNotSupported : (*used = 3 * kGiB, kSuccess); }
int rsmi_dev_name_get(std::uint32_t, char* name, std::size_t length) {
  if (is("huge_name")) return std::memset(name, 'x', length), kSuccess;
  std::strncpy(name, "AMD Instinct MI300X", length);
  return kSuccess;
}
int rsmi_dev_unique_id_get(std::uint32_t device, std::uint64_t* id) { return *id = 0xABC0 + device, kSuccess; }
int rsmi_version_str_get(int, char* text, std::uint32_t length) { return std::strncpy(text, "6.8.5", length), kSuccess; }
int rsmi_compute_process_info_get(RocmProcess* processes, std::uint32_t* count) {
  if (processes && *count < 1) return kInsufficientSize;
  if (processes) processes[0] = {static_cast<std::uint32_t>(getpid()), 0, kGiB, 0, 0};
  return *count = 1, kSuccess;
}
int rsmi_compute_process_gpus_get(std::uint32_t, std::uint32_t* devices_of, std::uint32_t* count) {
  if (*count < devices()) return kInsufficientSize;
  for (std::uint32_t i = 0; i < devices(); ++i) devices_of[i] = i;
  return *count = devices(), kSuccess;
}
}
