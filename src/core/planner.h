// Every way to train a model on given hardware: GPU x count x method x sharding x checkpointing x optimizer x offload x micro-batch, what does
// not fit dropped, and the Pareto front of cost and time kept. Runs in slices, so that a page stays fluid and can stop it; the answer so far
// is there after each slice. Plain numbers decide it; only what is on the front is made into a full Scenario.
//
// What keeps it cheap: memory does not depend on price or provider and hardly on the GPU, so it is computed once for all GPUs of a kind; it
// grows with the micro-batch and a step's time for one sequence falls, so only the largest micro-batch that fits is timed (found by bisection).
// Candidates ruled out by that argument count as decided.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "core/flops.h"

namespace gpudget {

struct PlanHardware {
  Gpu gpu;
  Quote quote;             // for rentable hardware
  std::int64_t owned = 0;  // how many of them one has; 0: to be rented
};

struct PlanRequest {
  Scenario base;  // model, data, lengths and everything that is not enumerated
  std::vector<PlanHardware> hardware;
  std::int64_t max_gpus = 8;
  std::optional<Seconds> deadline;  // for all runs, one after the other
  std::optional<Usd> budget;        // for all runs
  Market market = Market::on_demand;
  bool full = true, lora = true, qlora = true;  // methods that may be used; kept_method(base) leaves one
  bool any_optimizer = true;                    // also AdamW with 8-bit states and Adafactor
  bool any_offload = true;
  bool quantization = true;           // false: no 4-bit weights and no 8-bit states
  bool keep_effective_batch = false;  // micro-batch x accumulation x data-parallel degree as in `base`; else at least that and at most kFreeBatch
};
inline constexpr std::int64_t kFreeBatch = 128;  // sequences of a step where the effective batch is free
void keep_method(PlanRequest& r);                // only the base's method
void forbid_adapters(PlanRequest& r);            // "no LoRA"

// Why a row is as it is, most important first. Its message is "plan.why.<name>".
enum class PlanReason : std::uint8_t {
  cheapest,
  fastest,
  between,
  checkpointing_needed,
  checkpointing_faster,
  sharding_needed,
  optimizer_needed,
  optimizer_faster,
  offload_needed,
  adapters_cheaper,
  fp16_here,
  largest_batch,
  owned_hardware
};
template <>
struct Names<PlanReason> {
  static constexpr std::array<std::string_view, 13> values{
      "cheapest",        "fastest",          "between",          "checkpointing_needed", "checkpointing_faster",
      "sharding_needed", "optimizer_needed", "optimizer_faster", "offload_needed",       "adapters_cheaper",
      "fp16_here",       "largest_batch",    "owned_hardware"};
};

struct PlanRow {
  Scenario scenario;
  Seconds seconds, seconds_all_runs;
  Usd usd, usd_all_runs;
  Bytes device, headroom;
  TokensPerSecond tokens_per_second;
  std::array<PlanReason, 6> reasons{};
  std::size_t reason_count = 0;
  void add(PlanReason r) {
    if (reason_count < reasons.size()) reasons[reason_count++] = r;
  }
};
// The best of one kind of GPU and count: a dot in a chart.
struct PlanDot {
  std::uint32_t hardware = 0;  // index into the request
  std::int64_t gpus = 0;
  Seconds seconds;  // all runs
  Usd usd;
  bool on_front = false;
  bool within = true;  // deadline and budget
};
// What came nearest when nothing is left.
struct PlanMiss {
  enum class Kind : std::uint8_t { memory, deadline, budget } kind = Kind::memory;
  PlanRow row;  // memory: the one that lacks least; deadline: the fastest; budget: the cheapest
  Bytes lacks;
  Seconds late;
  Usd over;
};
struct PlanResult {
  std::vector<PlanRow> front;  // cheapest first; none dominates another
  std::vector<PlanDot> dots;
  std::optional<PlanMiss> nearest;  // only when front is empty
  std::int64_t candidates = 0;      // scenarios decided
  std::int64_t fitting = 0;         // micro-batches among them that fit (what bisection left out is counted by monotony)
  std::int64_t evaluated = 0;       // memory estimates and step times really computed
  std::int64_t without_price = 0;   // GPUs of the request left out for lack of a price
  std::int64_t without_speed = 0;   // likewise, of figures that a time could come from
};
struct PlanProgress {
  std::int64_t done = 0, of = 0;
  bool finished() const { return done >= of; }
};

class Planner {
 public:
  void start(PlanRequest request);
  // Does at most `units` units of work, each some ten microseconds per dozen GPUs; call again until finished.
  PlanProgress step(std::int64_t units);
  PlanProgress progress() const { return {next_, static_cast<std::int64_t>(configurations_.size())}; }
  void cancel() { next_ = static_cast<std::int64_t>(configurations_.size()); }
  bool has_answer() const { return answered_; }  // something fits, of what has been looked at
  const PlanRequest& request() const { return request_; }
  // Of what has been looked at so far.
  PlanResult result() const;

 private:
  struct Configuration {
    std::int64_t gpus = 1;
    Method method{};
    DataParallel data{};
    Checkpointing checkpointing{};
    Optimizer optim{};
    Offload offload{};
  };
  struct Kind {  // GPUs for which memory is the same but for the capacity
    GpuGeneration generation{};
    bool bf16 = true, flash = true;
    std::uint32_t example = 0;
    bool operator==(const Kind& k) const { return generation == k.generation && bf16 == k.bf16 && flash == k.flash; }
  };
  struct Best {           // for one hardware and count
    double seconds = -1;  // one run; < 0: none
    std::int32_t configuration = -1;
    std::int64_t batch = 0, accumulation = 0;
  };
  Scenario make(const Configuration& c, const PlanHardware& h, std::int64_t batch, std::int64_t accumulation) const;
  void look_at(const Configuration& c, std::int32_t index);
  PlanRow row(const Configuration& c, const PlanHardware& h, const Best& b) const;
  void explain(PlanRow& r, const Configuration& c, const PlanHardware& h) const;
  UsdPerHour price(const PlanHardware& h) const;
  bool has_price(const PlanHardware& h) const;
  bool has_speed(const PlanHardware& h) const;

  PlanRequest request_;
  std::vector<std::int64_t> counts_;
  std::vector<Configuration> configurations_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> kind_of_;  // of each hardware
  std::vector<Best> best_;              // hardware x counts
  std::array<std::optional<ModelWork>, 4> work_;
  std::int64_t next_ = 0, candidates_ = 0, fitting_ = 0, evaluated_ = 0;
  Bytes least_lacking_;
  Best nearest_;
  std::int32_t nearest_hardware_ = -1;
  double training_tokens_ = 0;
  bool answered_ = false;
};

// All at once.
PlanResult plan(PlanRequest request);

}  // namespace gpudget
