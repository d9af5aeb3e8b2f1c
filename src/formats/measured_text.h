// What a person pastes after a measured run: the lines that the chapter's snippet prints ("peak: 81234567890", "held: …"), torch's own names
// ("max_memory_allocated"), or nvidia-smi's "40536MiB / 81559MiB". Numbers may carry B, kB, MB, GB, KiB, MiB, GiB (or o, ko, Mo, Go …); a bare number
// under 100 000 is gigabytes as people note them, else bytes.
#pragma once
#include <optional>
#include <string_view>

#include "core/units.h"

namespace gpudget::formats {

struct MeasuredText {
  std::optional<Bytes> allocated, reserved, device;
};
// Nothing where nothing is recognised; three bare numbers are what the snippet prints, in its order: now, peak, held.
MeasuredText read_measured(std::string_view text);

}  // namespace gpudget::formats
