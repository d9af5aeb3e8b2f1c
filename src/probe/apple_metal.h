// Apple's GPUs: their memory is the computer's own. Metal says how much of it a program should use at most, the kernel what is free. Called through the
// Objective-C runtime's C functions, loaded at run time as the drivers are.
#pragma once
#include <string>

#include "probe/probe.h"

namespace gpudget::probe {

// Adds the GPU; whether there is one. `library`: one that has all functions (tests), or empty for macOS's own; elsewhere there is none.
bool read_apple(const std::string& library, Report& report);

}  // namespace gpudget::probe
