// What a process is called; empty where the system does not say.
#pragma once
#include <cstdint>
#include <string>

namespace gpudget::probe {

std::string process_name(std::uint32_t pid);

}  // namespace gpudget::probe
