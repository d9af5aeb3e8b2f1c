// Reading in a process of its own: a driver that hangs or crashes then costs an answer, not the program that asked.
#pragma once
#include <string>
#include <vector>

#include "probe/probe.h"

namespace gpudget::probe {

// Runs `command`, which prints to_json(read()) on its standard output, for at most `seconds`; on any failure the note is probe.no_answer.
Report read_in_child(const std::vector<std::string>& command, double seconds);

}  // namespace gpudget::probe
