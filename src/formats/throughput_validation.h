// Predicted training speed beside the published rows that ship with the program (tests/data/throughput_measurements.json, made into a table at
// build time by tools/throughput_to_cpp.cpp). What `gpudget validate` and the Accuracy view show; views only lay it out.
//
// Each row has two predictions. `predicted`: with the constants in force (core/step_time.h). `left_out`: with constants fitted without any row of
// the same model (leave one model out), which is what the error on a model that nobody measured looks like; the statistics that judge are of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/scenario.h"
#include "core/step_time.h"

namespace gpudget::formats {

struct ThroughputRow {
  std::string_view id, model, gpu;  // gpu: a catalog id
  std::string_view method;          // full | lora | qlora
  std::string_view kernels;         // "fused": fused norms, rotary embeddings, loss (foak, Liger); else "plain"
  std::string_view source, url;     // the table the row stands in, and where
  std::string_view why;             // id of a message on what sets the row apart ("validate.why.fp8"); empty: nothing is known
  std::int64_t gpus = 1, max_length = 0, micro_batch = 0, accumulation = 1;
  bool checkpointing = false;
  bool in_goal = true;                 // a complete configuration of a kind that the model knows; the rest is shown and not judged
  double measured = 0;                 // tokens/s of one GPU, as published
  double predicted = 0, left_out = 0;  // tokens/s of one GPU
  double low = 0, high = 0;            // the range that an estimate states
  double error() const { return predicted / measured - 1.0; }
  double left_out_error() const { return left_out / measured - 1.0; }
};

// Of a group of rows; errors relative (0.12 = 12 %).
struct ThroughputErrors {
  std::string_view group;  // "all", a GPU's id, a method or a source's short name
  std::size_t rows = 0;
  double median = 0, p90 = 0;                                       // of the absolute error, left out
  double bias = 0;                                                  // median of the signed error, left out; > 0: predicted too fast
  double median_in_force = 0, p90_in_force = 0, bias_in_force = 0;  // with the constants in force
  double within_range = 0;                                          // share of rows whose measurement is inside [low, high]
};

struct ThroughputValidation {
  std::vector<ThroughputRow> rows;  // as in the data
  ThroughputErrors all;             // of the rows in the goal
  std::vector<ThroughputErrors> by_gpu, by_method, by_source;
  std::vector<std::size_t> worst;  // indices into rows, largest absolute error (left out) first, at most 12
};
ThroughputValidation validate_throughput();

// For tests and the fit: how many rows there are, row i as a Scenario (price and data at their defaults), and what was measured.
std::size_t throughput_rows();
Scenario throughput_scenario(std::size_t i);
double measured_throughput(std::size_t i);  // tokens/s of one GPU
std::string_view throughput_model(std::size_t i);
// Tokens/s of one GPU with these constants.
double predicted_throughput(const Scenario& s, const StepConstants& k = kStepConstants);

}  // namespace gpudget::formats
