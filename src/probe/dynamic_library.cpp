#include "probe/dynamic_library.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace gpudget::probe {

#ifdef _WIN32

DynamicLibrary::DynamicLibrary(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool plain = name.find_first_of("/\\") == std::string::npos;  // a bare name comes from the system's folder only
    handle_ = static_cast<void*>(LoadLibraryExA(name.c_str(), nullptr, plain ? LOAD_LIBRARY_SEARCH_SYSTEM32 : 0));
    if (handle_) return;
    if (GetLastError() != ERROR_MOD_NOT_FOUND) found_ = true, error_ = name;
  }
}
DynamicLibrary::~DynamicLibrary() {
  if (handle_ && !keep_) FreeLibrary(static_cast<HMODULE>(handle_));
}
void* DynamicLibrary::find(const char* name) const { return handle_ ? reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name)) : nullptr; }

#else

DynamicLibrary::DynamicLibrary(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle_) return;
    const char* error = dlerror();
    const std::string text = error ? error : "";
    if (text.find("No such file") == std::string::npos) found_ = true, error_ = text;
  }
}
DynamicLibrary::~DynamicLibrary() {
  if (handle_ && !keep_) dlclose(handle_);
}
void* DynamicLibrary::find(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

#endif

}  // namespace gpudget::probe
