// The ledger as CSV (RFC 4180: CRLF, quotes doubled): one row an entry, bytes as plain integers, names as in JSON, then the totals.
#pragma once
#include <string>

#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {
std::string write_csv(const Scenario& s, const Estimate& e, i18n::Language language = i18n::Language::en);
}
