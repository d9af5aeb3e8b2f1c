// What the written reports have in common: the same rows of words and numbers, which each lays out in its own way.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/advice.h"
#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {

using ReportRow = std::vector<std::string>;
struct Report {
  std::string title;                                         // "Llama 3.1 8B · 1 × A100-80GB"
  std::string verdict;                                       // "Does not fit: 21.4 GB over on each …"
  std::vector<std::pair<std::string, std::string>> figures;  // memory per GPU, range, throughput, time, cost
  ReportRow category_headers, ledger_headers, advice_headers;
  std::vector<ReportRow> categories, ledger, advice;
  std::vector<std::string> problems;
  std::string colon;     // between a label and what it labels, in the language
  std::string scenario;  // compact JSON of what differs from the defaults
};
Report make_report(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language);

}  // namespace gpudget::formats
