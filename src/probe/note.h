// The sentences of a Report. The first note stays: it is the cause of those that follow.
#pragma once
#include <string>
#include <string_view>

#include "probe/probe.h"

namespace gpudget::probe {

void add_note(Report& report, std::string_view id, std::string_view detail = {});

}  // namespace gpudget::probe
