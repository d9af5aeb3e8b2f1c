// A GPU of this computer as a Gpu of a Scenario: its memory as the driver reports it, its speed from the catalog where the name is known there.
#pragma once
#include <string_view>

#include "core/scenario.h"

namespace gpudget::catalog {

// The catalog's GPU for a driver's name ("NVIDIA A100-SXM4-80GB"): every word of the id that names the model is in it, the memory agrees within 10 %.
// nullptr where there is none.
const Gpu* known_gpu(std::string_view driver_name, Bytes total);
Gpu local_gpu(std::string_view driver_name, Bytes total);

}  // namespace gpudget::catalog
