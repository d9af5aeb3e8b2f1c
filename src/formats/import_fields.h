// What the readers of other tools' files share: a Scenario that is changed field by field, the lists of what was read, assumed and ignored, and an
// object's members taken by name so that whatever no reader asked for is known. For import*.cpp alone.
#pragma once
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/import.h"
#include "formats/schema.h"

namespace gpudget::formats {

// The state that several files of one import share.
struct ImportState {
  Scenario s;
  bool model_given = false;                 // by a config.json or a GGUF file: a mere name does not replace it
  bool weights_given = false;               // quantized as a file said
  bool compute_given = false;               // by a trainer's file: accelerate's "no mixed precision" says no more
  bool deepspeed_given = false;             // a DeepSpeed file is among them
  std::optional<std::int64_t> index_bytes;  // metadata.total_size
  std::optional<std::int64_t> train_batch;  // DeepSpeed's train_batch_size
};

class ImportFields {
 public:
  // `path` stands before the members' names in errors and lists ("zero_optimization").
  // An object inside `outer`'s.
  ImportFields(const ImportFields& outer, const nlohmann::json& object, std::string path)
      : ImportFields(*outer.state_, *outer.file_, object, std::move(path)) {}
  ImportFields(ImportState& state, ImportedFile& file, const nlohmann::json& object, std::string path = {})
      : state_(&state), file_(&file), object_(&object), path_(std::move(path)) {}

  Scenario& s() { return state_->s; }
  ImportState& state() { return *state_; }
  bool failed() const { return error_.has_value(); }
  Error take_error() { return std::move(*error_); }
  void fail(Error e) {
    if (!error_) error_ = std::move(e);
  }

  // The first of these members that is there and not null. A member asked for counts as known.
  const nlohmann::json* find(std::initializer_list<std::string_view> names);
  // The same as a value of a type; empty where it is not there or "auto". A wrong type is an error.
  std::optional<bool> flag(std::initializer_list<std::string_view> names);
  std::optional<double> number(std::initializer_list<std::string_view> names);
  std::optional<std::int64_t> integer(std::initializer_list<std::string_view> names);
  std::optional<std::string> text(std::initializer_list<std::string_view> names);
  // An object inside, to be read with its own ImportFields; nullptr where there is none.
  const nlohmann::json* object(std::string_view name);
  std::string name() const { return name_; }  // of the member found last, with its path

  // Sets a field of the Scenario, checked against the schema, and lists it as read from the member found last (or as assumed, with the reason).
  void set(std::string_view field, const Value& value);
  void set_integer(std::string_view field, std::initializer_list<std::string_view> names);
  void set_number(std::string_view field, std::initializer_list<std::string_view> names);
  void assume(std::string_view field, const Value& value, std::string_view why);
  void note_assumed(std::string text) { file_->assumed.push_back(std::move(text)); }
  void note_ignored(std::string text) { file_->ignored.push_back(std::move(text)); }
  // Members that nobody asked for.
  void ignore_rest();

  // What several tools say in the same words.
  void model(std::initializer_list<std::string_view> names);
  void optimizer(std::initializer_list<std::string_view> names);
  void epochs(std::initializer_list<std::string_view> names);
  void target_modules(const nlohmann::json& value);  // a list, a name, or names with commas
  void adapters(bool four_bit, bool eight_bit);      // method lora or qlora, by the weights

 private:
  void note_read(std::string_view field);
  // The member found, through `read`; empty where it is not there or "auto", an error where `read` makes nothing of it (`what` would do).
  template <class T, class Read>
  std::optional<T> read_as(std::initializer_list<std::string_view> names, const char* what, Read&& read);

  ImportState* state_;
  ImportedFile* file_;
  const nlohmann::json* object_;
  std::string path_, name_;
  std::set<std::string, std::less<>> known_;
  std::optional<Error> error_;
};

std::string value_text(std::string_view field, const Scenario& s);  // "max_length = 2048"

using ImportReader = std::optional<Error> (*)(ImportState&, ImportedFile&, const nlohmann::json&);
std::optional<Error> import_training_arguments(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_adapter(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_deepspeed(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_accelerate(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_axolotl(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_llamafactory(ImportState& state, ImportedFile& file, const nlohmann::json& object);
std::optional<Error> import_torchtune(ImportState& state, ImportedFile& file, const nlohmann::json& object);

// The catalog id of torchtune's model builder ("llama3_1_8b"); empty: not known.
std::string_view torchtune_model_id(std::string_view builder);
// A DeepSpeed object's fields, wherever it stands (its own file, or inside another tool's).
void read_deepspeed(ImportFields& f);
// How a file names its sharding when it only names another file: "zero3_bf16.json".
void deepspeed_by_name(ImportFields& f, const std::string& file_name);

}  // namespace gpudget::formats
