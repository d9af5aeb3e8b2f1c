// What the interface knows: the question and its answer, and what is open, chosen or typed. Panels read it; only actions.h changes it.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/advice.h"
#include "core/estimate.h"
#include "core/planner.h"
#include "core/scenario.h"
#include "formats/course_quiz.h"
#include "formats/course_sheet.h"
#include "formats/error.h"
#include "formats/import.h"
#include "formats/measurement_validation.h"
#include "formats/throughput_validation.h"
#include "formats/validation.h"
#include "i18n/numbers.h"
#include "probe/probe.h"
#include "ui/history.h"
#include "ui/ui.h"

namespace gpudget::ui {

struct Pin {  // a scenario kept for comparison
  Scenario scenario;
  Estimate estimate;
};
inline constexpr std::size_t kMaxPins = 4;

// What each group of the question takes off the peak now: this scenario's device memory without the saver, minus with it. 0: it is off.
struct Saving {
  std::string_view path;
  Bytes saves;
};

struct FieldError {
  formats::Error error;       // error.path: the field; empty: the link or file as a whole
  bool from_outside = false;  // a link, a file, the host: shown on top until dismissed
  std::string source;         // the file's name
};

// The bar glides from what it showed to what it shows: device bytes a category, as drawn.
struct Glide {
  std::array<double, kCategories> from{}, to{};
  double start = -1;
  std::uint64_t revision = 0;
};

// A part of the memory that is lit in every chart and table at once.
struct Lit {
  std::optional<Category> category;
  std::optional<EntryId> entry;
  bool any() const { return category.has_value() || entry.has_value(); }
};

// The learn view: what its sliders stand at, the answers given, and its tables and questions made for a language.
struct LearnState {
  double parameters = 7e9, gpus = 8;
  int precision = 1;  // of course::kPrecisions
  std::array<double, 3> measured{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  std::string pasted;        // what a measured run printed
  std::vector<int> answers;  // -1: not given
  i18n::Language language{};
  std::deque<std::pair<std::string, formats::CourseSheet>> sheets;
  std::vector<formats::QuizQuestion> questions;
};

// The accuracy view: made once, when it is first opened; and the run that was pointed at last.
struct AccuracyState {
  enum class File : std::uint8_t { wanted, coming, failed };  // the measurements, where they are not built in
  File file = File::wanted;
  std::optional<formats::ThroughputValidation> speed;
  int lit = -1;
  std::optional<formats::MeasurementValidation> memory;
  std::optional<formats::Validation> oracle;
  int kind = 0;  // formats::MeasurementKind: which figure the memory chart shows
  int lit_memory = -1;
};

// A person's own measurement as a factor on scenarios of its kind; shown beside the estimate, never instead of it.
struct Calibration {
  double ratio = 1;
  Method method{};
};

// The plan view: what may be used, the search that runs in slices, what it found so far.
struct PlanState {
  Planner planner;
  PlanResult result;
  std::uint64_t revision = 0;  // of the scenario that the search started from; 0: none yet
  bool stale = true;           // a filter changed
  double max_gpus = 8;
  double deadline_hours = std::numeric_limits<double>::quiet_NaN(), budget = std::numeric_limits<double>::quiet_NaN();  // NaN: none
  bool spot = false, this_method = false, this_gpu = false;
  int lit = -1;  // the dot under the pointer or the keys
};

struct State {
  Options options;
  i18n::ByteUnit unit = i18n::ByteUnit::gb;

  Scenario scenario;
  Estimate estimate;
  AdviceList advice;
  std::vector<Saving> savings;
  std::uint64_t revision = 0;
  bool by_host = false;
  History history;
  std::optional<FieldError> error;
  std::vector<Pin> pins;
  probe::Report local;
  bool local_known = false;

  LearnState learn;
  std::optional<Calibration> calibration;
  PlanState plan;
  AccuracyState accuracy;
  // A view's own memory, never part of the scenario.
  Glide glide;
  Lit lit, next_lit;                  // `next_lit` is collected while drawing and becomes `lit` for the next frame
  int timeline_phase = -1;            // that the arrow keys are at
  std::uint64_t open_sections = 0;    // narrow: which groups of the question are unfolded, by bit
  std::uint64_t open_categories = 0;  // embedded: which categories of the ledger are unfolded, by bit
  std::uint64_t open_help = 0;        // fields whose sentence of help is shown, by index in the schema
  bool advanced_open = false, lora_open = false;
  std::string model_query, gpu_query;
  std::string assumed;  // what a config.json left out, for the model named in `assumed_of`
  ModelSpec assumed_of;
  std::optional<formats::ImportedFile> imported;  // another tool's file that was opened, until it is dismissed
  bool imported_open = false;
  bool parts_open = false;
  int export_tool = 0;    // formats::ExportTool
  std::string open_menu;  // the id of a menu that a key opens
  bool show_keys = false;
  std::string notice;  // "Copied", for two seconds
  double notice_until = 0;
};

}  // namespace gpudget::ui
