#include "probe/process_name.h"

#include <fstream>

namespace gpudget::probe {

std::string process_name(std::uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace gpudget::probe
