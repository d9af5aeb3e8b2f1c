// What was wrong with text from outside: the path of the field, what was wrong and what would do, as data.
// `message` is the English sentence that the command line and the JavaScript module show; views in other languages make theirs
// from `id` ("error.<id>") and the arguments.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gpudget::formats {

enum class ErrorId : unsigned char {
  not_json,
  too_large,
  too_deep,
  duplicate_key,
  unknown_field,
  unknown_name,
  wrong_type,
  out_of_range,
  missing_field,
  contradiction,
  unknown_model,
  unknown_gpu,
  unknown_provider,
  unknown_family,
  bad_link,
  bad_version,
  unreadable
};
struct Error {
  std::string path;  // "parallelism.tensor"; empty: the whole text
  ErrorId id{};
  std::string got;              // what stood there, shortened
  std::string accepted;         // what would do: a range, names
  std::string suggestion;       // the nearest known name, may be empty
  std::string message() const;  // "unknown field (did you mean 'max_length'?)", without the path
};
template <class T>
using Result = tl::expected<T, Error>;

}  // namespace gpudget::formats
