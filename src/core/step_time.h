// The time of one optimizer step on one GPU, by what takes it: a roofline of arithmetic, memory traffic and communication.
// All figures in seconds of one GPU's timeline. Constants and how they were fitted: step_time.cpp.
#pragma once
#include <array>

#include "core/flops.h"
#include "core/scenario.h"

namespace gpudget {

struct StepTime {
  double matmul = 0;         // matrix multiplications with weights, recomputation included
  double attention = 0;      // scores and weighted sum
  double elementwise = 0;    // norms, rotary embeddings, activations, residuals, dropout: memory traffic
  double loss = 0;           // the logits' way through cross-entropy: memory traffic
  double dequantize = 0;     // 4- and 8-bit weights made 16-bit before each use
  double launch = 0;         // kernel launches that the work above does not hide (small batches)
  double bubble = 0;         // pipeline stages that wait
  double communication = 0;  // all of it, hidden or not
  double exposed = 0;        // the part that computation does not hide
  double optimizer = 0;      // reading and writing weights, gradients and states
  double offload = 0;        // transfers to the host and the host's optimizer
  double fixed = 0;          // the training loop itself
  double total = 0;          // one step: all above but `communication`
  Bound bound = Bound::compute;
};

// What the roofline cannot know: how far real kernels stay from it. Fitted across published runs (tests/fit/fit_throughput.cpp says how, and
// with which error on the rows it did not see); one value for all rows, never one a row.
struct StepConstants {
  double matmul_ampere = 0.86, matmul_hopper = 0.72, matmul_other = 0.80;  // of the achievable rate, for wide matrices and many tokens
  double half_width = 150;         // hidden size at which matrix multiplications reach half of that
  double half_tokens = 250;        // tokens of a micro-batch, likewise
  double attention_rate = 0.62;    // fused attention against the achievable rate, on the half of the square that is computed
  double head_dim_half = 24;       // head size at which it reaches half of that
  double traffic = 1.0;            // elementwise bytes against those counted
  double fused_traffic = 0.45;     // the same with fused kernels (Liger, torch.compile)
  double bandwidth = 0.80;         // of the memory's bandwidth
  double dequantize = 2.5;         // bytes of a dequantized weight's traffic, as multiples of the 16-bit weight
  double adapter_traffic = 6.0;    // times 2 bytes for each input and output element of an adapted matrix, forward
  double launch_seconds = 6e-6;    // of one kernel
  double link = 0.70;              // of the link's bandwidth in collectives
  double hidden_communication = 0.80;  // of what computation could hide
  double step_seconds = 0.010;     // the loop's own
};
inline constexpr StepConstants kStepConstants{};

StepTime step_time(const Scenario& s, const ModelWork& work, const StepConstants& k = kStepConstants);

// Tokens of one optimizer step of the whole job: micro-batch * length * accumulation * data-parallel degree.
std::int64_t tokens_per_step(const Scenario& s);
// The GPU's dense peak in the scenario's compute type, operations a second; 0 where it has none.
double peak_flops(const Gpu& gpu, DType compute);
// True where the fit has no measurement of this kind of GPU, model size or method: the range is wider there.
bool outside_measurements(const Scenario& s, const ModelWork& work);

}  // namespace gpudget
