// A Report as JSON: what `gpudget vram --json` prints, and how a report travels from the child process that the window reads the driver in.
// Sizes in bytes; what is not known is null. No driver at all is {"gpus":[]}.
#pragma once
#include <string>
#include <string_view>

#include "probe/probe.h"

namespace gpudget::probe {

std::string to_json(const Report& report);  // one line, UTF-8 whatever the driver said
Report from_json(std::string_view text);    // of to_json(); anything else gives a report with the note probe.no_answer

}  // namespace gpudget::probe
