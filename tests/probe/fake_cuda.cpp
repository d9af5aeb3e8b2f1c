// A stand-in for libcuda.so.1 that behaves as FAKE_GPU says. Counts devices in another order than the fake NVML; a context takes 400 MiB.
#include <cstddef>
#include <cstring>

#include "fake_gpu.h"

using fake::is;
using fake::kGiB;

namespace {
constexpr int kSuccess = 0, kInvalid = 1, kOutOfMemory = 2, kStub = 34, kNoDevice = 100;
bool initialised = false;
int contexts = 0, made = 0;
}  // namespace

extern "C" {

int cuInit(unsigned) {
  if (is("stub")) return kStub;
  if (is("cuda_no_device")) return kNoDevice;
  initialised = true;
  return kSuccess;
}
int cuGetErrorString(int, const char** text) { return *text = "out of memory", kSuccess; }
int cuDriverGetVersion(int* version) { return *version = 13000, kSuccess; }
int cuDeviceGetCount(int* count) { return initialised ? (*count = fake::devices(), kSuccess) : kInvalid; }
int cuDeviceGet(int* device, int index) { return *device = fake::devices() - 1 - index, kSuccess; }
int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, is("uma") ? "NVIDIA GB10" : device == 1 ? "NVIDIA H100 80GB HBM3" : "NVIDIA GeForce RTX 4090", static_cast<std::size_t>(length));
  return kSuccess;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  std::memset(uuid, 0, 16);
  uuid[15] = static_cast<unsigned char>(device + 1);
  return kSuccess;
}
int cuDeviceTotalMem_v2(std::size_t* total, int device) {
  *total = is("uma") ? 119 * kGiB : device == 1 ? 80 * kGiB : 24 * kGiB;
  return kSuccess;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 8 : attribute == 76 ? 9 : attribute == 18 && is("uma") ? 1 : 0;
  return kSuccess;
}
int cuCtxCreate_v2(void** context, unsigned, int) {
  if (is("full")) return kOutOfMemory;
  ++made;
  *context = reinterpret_cast<void*>(static_cast<std::size_t>(++contexts));
  return kSuccess;
}
int cuCtxDestroy_v2(void*) { return --contexts, kSuccess; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  if (contexts == 0) return kInvalid;
  *total = 24 * kGiB;
  *free = 22 * kGiB - static_cast<std::size_t>(contexts) * (400ULL << 20U);
  return kSuccess;
}
int fakeContextsLeft() { return contexts; }
int fakeContextsMade() { return made; }
}
