// A library opened at run time, closed with the object unless kept.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

namespace gpudget::probe {

class DynamicLibrary {
 public:
  // Opens the first of `names` that can be opened.
  explicit DynamicLibrary(const std::vector<std::string>& names);
  ~DynamicLibrary();
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  bool found() const { return found_; }  // a file of that name is there, even if it could not be opened
  const std::string& error() const { return error_; }
  void keep() { keep_ = true; }  // stays loaded until the program ends: a driver's threads may still run in it

  // The first of these names that the library has; null where it has none.
  template <class Function>
  Function* symbol(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (void* address = find(name)) return reinterpret_cast<Function*>(address);
    return nullptr;
  }

 private:
  void* find(const char* name) const;
  void* handle_ = nullptr;
  std::string error_;
  bool found_ = false, keep_ = false;
};

}  // namespace gpudget::probe
