// A stand-in for Metal, the Objective-C runtime and macOS's kernel calls in one library: an M2 Max of 64 GiB, 48 GiB of them for the GPU.
#include <cstdint>
#include <cstring>

#include "fake_gpu.h"

using fake::kGiB;

extern "C" {

void* MTLCreateSystemDefaultDevice() {
  static int device = 0;
  return fake::is("zero_devices") ? nullptr : &device;
}
void* sel_registerName(const char* name) { return const_cast<char*>(name); }
void* objc_msgSend(void* object, void* selector) {
  const char* name = static_cast<const char*>(selector);
  if (std::strcmp(name, "recommendedMaxWorkingSetSize") == 0) return reinterpret_cast<void*>(static_cast<std::uintptr_t>(48 * kGiB));
  if (std::strcmp(name, "hasUnifiedMemory") == 0) return reinterpret_cast<void*>(std::uintptr_t{1});
  if (std::strcmp(name, "name") == 0) return object;
  if (std::strcmp(name, "UTF8String") == 0) return const_cast<char*>("Apple M2 Max");
  return nullptr;
}
int sysctlbyname(const char* name, void* value, std::size_t* size, void*, std::size_t) {
  if (fake::is("memory_fails")) return -1;
  std::uint32_t found = 0;  // the counts are 32 bits on macOS, whatever room there is
  if (std::strcmp(name, "hw.pagesize") == 0) found = 16384;
  if (std::strcmp(name, "vm.page_free_count") == 0) found = 655360;       // 10 GiB
  if (std::strcmp(name, "vm.page_purgeable_count") == 0) found = 131072;  // 2 GiB
  if (found == 0) return -1;
  std::memcpy(value, &found, sizeof found);
  *size = sizeof found;
  return 0;
}
}
