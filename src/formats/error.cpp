#include "formats/error.h"

#include <fmt/format.h>

namespace gpudget::formats {
namespace {

std::string what(const Error& e) {
  switch (e.id) {
    case ErrorId::not_json: return fmt::format("not valid JSON: {}", e.got);
    case ErrorId::too_large: return fmt::format("too large: {}", e.got);
    case ErrorId::too_deep: return "nested too deeply";
    case ErrorId::duplicate_key: return "given twice";
    case ErrorId::unknown_field: return "unknown field";
    case ErrorId::unknown_name: return fmt::format("'{}' is not known", e.got);
    case ErrorId::wrong_type: return fmt::format("{} does not fit here", e.got);
    case ErrorId::out_of_range: return fmt::format("{} is out of range", e.got);
    case ErrorId::missing_field: return "missing";
    case ErrorId::contradiction: return fmt::format("contradicts {}", e.got);
    case ErrorId::unknown_model: return fmt::format("no model '{}' in the catalog", e.got);
    case ErrorId::unknown_gpu: return fmt::format("no GPU '{}' in the catalog", e.got);
    case ErrorId::unknown_provider: return fmt::format("no provider '{}' in the catalog", e.got);
    case ErrorId::unknown_family: return fmt::format("the model family '{}' is not known", e.got);
    case ErrorId::bad_link: return "the link is damaged";
    case ErrorId::unreadable: return fmt::format("cannot be read: {}", e.got);
    case ErrorId::bad_version: return fmt::format("the link is of version '{}'", e.got);
  }
  return "wrong";
}

}  // namespace

std::string Error::message() const {
  std::string remedy = accepted;
  if (!suggestion.empty()) remedy += fmt::format("{}did you mean '{}'?", remedy.empty() ? "" : "; ", suggestion);
  return remedy.empty() ? what(*this) : fmt::format("{} ({})", what(*this), remedy);
}

}  // namespace gpudget::formats
