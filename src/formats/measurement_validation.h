// Predicted memory beside the published measurements that ship with the program (tests/data/memory_measurements.json, made into a table at build time by
// tools/measurements_to_cpp.cpp): what `gpudget validate` and the Accuracy view show; views only lay it out. Each is compared with its own figure of the
// estimate: torch's peak with `allocated`, its reserved peak with `reserved`, nvidia-smi with `device`. Rows left out are counted with their reason.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate.h"
#include "core/scenario.h"

namespace gpudget::formats {

enum class MeasurementKind : std::uint8_t { allocated, reserved, device, limit };  // limit: it ran, or ran out of memory
inline constexpr std::size_t kMeasurementKinds = 3;                                // those with a figure

struct MeasurementRow {
  std::string_view id, model, stack, version, url;  // stack: the program that ran ("torchtune"); version: its kernels and libraries, where said
  MeasurementKind kind{};
  Scenario scenario;
  Confidence confidence{};
  std::int64_t measured = 0, predicted = 0, low = 0, high = 0;  // bytes; low and high: the estimate's range, for this figure
  bool ran = true, predicted_to_run = true;                     // of a limit
  std::string_view cause;                                       // id of a message on what sets the row apart; empty: nothing is known
  double error() const { return measured == 0 ? 0 : static_cast<double>(predicted) / static_cast<double>(measured) - 1.0; }
  bool within() const { return measured >= low && measured <= high; }
};

// Of a group of rows; relative (0.12 = 12 %).
struct MeasurementErrors {
  std::string_view group;
  MeasurementKind kind{};
  std::size_t rows = 0;
  double median = 0, p90 = 0, worst = 0, bias = 0;  // of the absolute error; bias: median of the signed one
  double within_range = 0;
};
struct LeftOutRows {
  std::string_view reason;  // message "validate.left_out.<reason>"
  std::size_t rows = 0;
};
// Of the rows that say only whether it ran.
struct LimitResults {
  std::size_t rows = 0, right = 0, within_range = 0, wrong = 0;  // within_range: wrong by less than the estimate's range
};

struct MeasurementValidation {
  std::vector<MeasurementRow> rows;                                         // as in the data; a limit's row has no figure
  std::array<MeasurementErrors, kMeasurementKinds> by_kind, without_cause;  // without_cause: of the rows that nothing known sets apart
  std::vector<MeasurementErrors> by_stack;                                  // a stack and a kind each
  std::array<std::vector<std::size_t>, kMeasurementKinds> worst;            // indices into rows, at most 10 a kind
  LimitResults limits;
  std::vector<std::size_t> wrong_limits;
  std::vector<LeftOutRows> left_out;
};
MeasurementValidation validate_measurements();

std::string_view measurement_kind_name(MeasurementKind kind);  // "allocated", "reserved", "device", "limit"

}  // namespace gpudget::formats
