#include "probe/apple_metal.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "probe/dynamic_library.h"
#include "probe/note.h"

namespace gpudget::probe {
namespace {

using Object = void*;
using Selector = void*;

struct Apple {
  Apple(const DynamicLibrary& metal, const DynamicLibrary& objc, const DynamicLibrary& system)
      : device(metal.symbol<Object()>({"MTLCreateSystemDefaultDevice"})),
        selector(objc.symbol<Selector(const char*)>({"sel_registerName"})),
        send(objc.symbol<Object(Object, Selector)>({"objc_msgSend"})),
        send_for_number(objc.symbol<std::uint64_t(Object, Selector)>({"objc_msgSend"})),
        kernel(system.symbol<int(const char*, void*, std::size_t*, void*, std::size_t)>({"sysctlbyname"})) {}

  // A method without arguments; what it returns is in the same register for an object, a number and a truth.
  Object object(Object of, const char* name) const { return of ? send(of, selector(name)) : nullptr; }
  std::uint64_t number(Object of, const char* name) const { return of ? send_for_number(of, selector(name)) : 0; }
  std::uint64_t kernel_number(const char* name) const {
    std::uint64_t value = 0;  // 32 or 64 bits: little-endian on every Mac
    std::size_t size = sizeof value;
    return kernel && kernel(name, &value, &size, nullptr, 0) == 0 ? value : 0;
  }

  Object (*device)();
  Selector (*selector)(const char*);
  Object (*send)(Object, Selector);
  std::uint64_t (*send_for_number)(Object, Selector);
  int (*kernel)(const char*, void*, std::size_t*, void*, std::size_t);
};

Bytes to_bytes(std::uint64_t n) { return bytes(static_cast<std::int64_t>(std::min<std::uint64_t>(n, kMaxBytes))); }

}  // namespace

bool read_apple(const std::string& library_path, Report& report) {
#ifdef __APPLE__
  std::vector<std::string> metal_names = {"/System/Library/Frameworks/Metal.framework/Metal"}, objc_names = {"/usr/lib/libobjc.A.dylib"},
                           system_names = {"/usr/lib/libSystem.B.dylib"};
#else
  if (library_path.empty()) return false;
  std::vector<std::string> metal_names, objc_names, system_names;
#endif
  if (!library_path.empty()) metal_names = objc_names = system_names = {library_path};
  DynamicLibrary metal(metal_names), objc(objc_names), system(system_names);
  const Apple apple(metal, objc, system);
  if (!apple.device || !apple.selector || !apple.send) return false;
  metal.keep(), objc.keep(), system.keep();
  const Object device = apple.device();
  const std::uint64_t total = apple.number(device, "recommendedMaxWorkingSetSize");
  if (total == 0) return false;
  Gpu gpu;
  gpu.total = to_bytes(total);
  gpu.shared = (apple.number(device, "hasUnifiedMemory") & 0xFFU) != 0;
  gpu.reserved_known = false;
  const Object name = apple.object(apple.object(device, "name"), "UTF8String");
  gpu.name = name ? static_cast<const char*>(name) : "Apple GPU";
  // What the kernel could give at once: free pages and those it may drop.
  const std::uint64_t page = apple.kernel_number("hw.pagesize");
  const std::uint64_t pages = apple.kernel_number("vm.page_free_count") + apple.kernel_number("vm.page_purgeable_count");
  gpu.used_known = gpu.shared && page > 0 && pages > 0 && pages < static_cast<std::uint64_t>(kMaxBytes) / page;
  if (gpu.used_known) gpu.free = std::min(to_bytes(page * pages), gpu.total), gpu.used = gpu.total - gpu.free;
  report.gpus.push_back(std::move(gpu));
  return true;
}

}  // namespace gpudget::probe
