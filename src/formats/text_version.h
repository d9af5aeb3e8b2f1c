// What the text version of the page asks for beyond the scenario and its estimate, as JSON in the reader's language: everything that the drawn page
// finds, plans, exports and teaches.
//
//   ask       argument                          answer
//   limit     "max_length" (LimitOf)            write_limit
//   plan      options of plan_json.h            {"rows": [{"what", "how", "why", "time", "cost", "scenario"}], "counted", "nothing"}: words, not numbers
//   plan_here the same, on the scenario's own GPU, catalog or not
//   export    "deepspeed" (ExportTool)          {"name", "mime", "text", "command"}
//   report    markdown, csv, json, html         {"name", "mime", "text"}
//   learn     ""                                {"sections": [{"title", "blocks": [{"kind", …}]}]}, the chapter
//   link      ""                                {"link", "embed"}
//
// A wrong ask or argument is an error, with the argument's name as its path.
#pragma once
#include <string>
#include <string_view>

#include "core/advice.h"
#include "core/estimate.h"
#include "formats/error.h"
#include "i18n/text.h"

namespace gpudget::formats {
// `page`: the page's address without query and hash.
Result<std::string> answer_text_version(std::string_view ask, std::string_view argument, const Scenario& s, i18n::Language language, std::string_view page);
}  // namespace gpudget::formats
