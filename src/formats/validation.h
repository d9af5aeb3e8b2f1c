// Predicted memory beside the oracle's rows that ship with the program (tests/data/oracle_memory.jsonl and the held-out set beside it, made into a table
// at build time by tools/oracle_to_cpp.cpp): what `gpudget validate` and the Accuracy view show; views only lay it out.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ledger.h"
#include "core/scenario.h"

namespace gpudget::formats {

struct MemoryRow {
  std::string id, family, kind,
      cause;              // cause: id of a message on why it is predicted badly, empty: not known; kind: method, types and options in short: "lora bf16 ckpt"
  bool held_out = false;  // no formula was read from it
  bool first_families = false;  // llama, mistral, qwen2, qwen3, gemma, gemma2, phi3, olmo2
  Scenario scenario;
  Phase measured_phase{}, predicted_phase{};                 // of the peak; forward stands for forward and loss
  std::int64_t measured = 0, predicted = 0;                  // bytes allocated at the peak
  std::int64_t measured_phases[3]{}, predicted_phases[3]{};  // forward (with the loss), backward, step
  double error() const { return static_cast<double>(predicted) / static_cast<double>(measured) - 1.0; }
  double phase_error(int i) const { return static_cast<double>(predicted_phases[i]) / static_cast<double>(measured_phases[i]) - 1.0; }
};

// Of a group of rows; relative, of the absolute error (0.12 = 12 %).
struct MemoryErrors {
  std::string group;
  std::size_t rows = 0;
  double median = 0, p90 = 0, worst = 0;
  double phase_median = 0, phase_p90 = 0;
  double phase_name_right = 0;  // share of rows whose peak phase is named right
};

struct Validation {
  std::vector<MemoryRow> rows;  // as in the data
  MemoryErrors first, other, held_out_first, held_out_other;
  std::vector<MemoryErrors> by_method, by_family;  // of all rows
  std::vector<std::size_t> worst;                  // indices into rows, largest absolute error first, at most 10
};
Validation validate_memory();
std::string validation_json(const Validation& v);

}  // namespace gpudget::formats
