// The planner's question and answer as text: the options that the command line and the JavaScript module share, and the plan as JSON.
//
// Options: gpus (list of catalog ids, or "a,b"; none: all that can be rented), owned ({"rtx-4090": 2}), max_gpus, deadline ("24h", "3d", "90m",
// or seconds), budget (USD), market, methods ("any", "kept" or a list; default: the scenario's own), keep_effective_batch, no_quantization,
// no_lora, keep_optimizer, no_offload, top (rows written).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/planner.h"
#include "formats/error.h"

namespace gpudget::formats {

struct PlanOptions {
  PlanRequest request;
  std::int64_t top = 0;  // 0: the whole front
};
// All GPUs that somebody rents, with the cheapest offer of the market; what a plan starts from.
std::vector<PlanHardware> rentable_hardware(const Scenario& base, Market market);
// The scenario's own GPU alone, whether the catalog has it and a price for it or not.
std::vector<PlanHardware> this_hardware(const Scenario& base, Market market);
// An empty text or "{}" gives the defaults. Errors name the option ("deadline").
Result<PlanOptions> read_plan_options(std::string_view json, const Scenario& base);
// "24h", "3d", "1d12h", "90m", "1.5h", "3600s" or seconds.
Result<Seconds> read_duration(std::string_view text);
// {"front": [row…], "candidates": …, "nearest": null | {…}}; a row carries the full Scenario.
std::string write_plan(const PlanOptions& options, const PlanResult& result);

}  // namespace gpudget::formats
