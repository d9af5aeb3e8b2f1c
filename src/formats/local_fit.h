// A scenario on a GPU of this computer, in words: whether it fits in what is free now, or only in the whole memory, or not at all, and by how much.
#pragma once
#include <optional>
#include <string>

#include "core/units.h"
#include "i18n/text.h"

namespace gpudget::formats {

enum class LocalFit : unsigned char { now, total, unknown, over };  // unknown: fits in the whole, what is free is not told
LocalFit local_fit(Bytes needs, Bytes total, std::optional<Bytes> free);
std::string local_fit_text(Bytes needs, Bytes total, std::optional<Bytes> free, i18n::Language language);

}  // namespace gpudget::formats
