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

// What the roofline cannot know: how far real kernels stay from it. Fitted across 257 published runs of 14 models on A100 and H100
// (tests/data/throughput_measurements.json: MosaicML's llm-foundry and IBM's fms-acceleration; tests/fit/fit_throughput.cpp says how); one value for all
// rows, never one a row. On the rows of a model that was left out of the fit: median error 4 %, nine of ten within 12 % (QLoRA of the smallest model 23 to
// 93 %); `gpudget validate` shows each. matmul_other, bandwidth: no row measures them, they are what is usual.
struct StepConstants {
  double matmul_ampere = 0.964, matmul_hopper = 0.805, matmul_other = 0.80;  // of the achievable rate, for wide matrices and many tokens
  double half_width = 173;                                                   // hidden size at which matrix multiplications reach half of that
  double half_tokens = 857;                                                  // tokens of a micro-batch, likewise
  double attention_rate = 0.45;     // fused attention against the achievable rate, on the half of the square that is computed
  double attention_hopper = 0.258;  // the same on Hopper, where FlashAttention 2 cannot use all of the tensor cores
  double fp8 = 0.736;               // of the fp8 rate, beside what 16-bit products reach: scaling, transposes, casts
  double head_dim_half = 19.6;      // head size at which it reaches half of that
  double traffic = 1.51;            // elementwise bytes against those counted
  double fused_traffic = 0.417;     // the same with fused kernels (Liger, torch.compile)
  double bandwidth = 0.80;          // of the memory's bandwidth
  double dequantize = 3;            // bytes of a dequantized weight's traffic, as multiples of the 16-bit weight
  double adapter_traffic = 8.48;    // times 2 bytes for each input and output element of an adapted matrix, forward
  // Not fitted: rows of one small model alone would decide these three, and it is an odd one.
  double launch_seconds = 1e-5;       // of one kernel, with what Python takes to get there: half a millisecond a Llama layer
  double adapter_launches = 12;       // kernels (or what takes as long) that peft adds for each adapted matrix
  double quantized_launches = 10;     // and bitsandbytes for each quantized one
  double kbit_traffic = 2.04;         // elementwise bytes where 4-bit layers pass fp32 activations (prepare_model_for_kbit_training), against 16-bit ones
  double link = 0.627;                // of the link's bandwidth in collectives inside a node
  double network = 0.539;             // and between nodes
  double hidden_communication = 0.8;  // of what computation could hide
  double never_hidden = 0.186;        // of communication, what nothing hides: the first gather, the last reduction
  double step_seconds = 0.0164;       // the loop's own
};
inline constexpr StepConstants kStepConstants{};

// All zero where the GPU's speed is not known.
StepTime step_time(const Scenario& s, const ModelWork& work, const StepConstants& k = kStepConstants);

// Tokens of one optimizer step of the whole job: micro-batch * length * accumulation * data-parallel degree.
std::int64_t tokens_per_step(const Scenario& s);
// The GPU's dense peak in the scenario's compute type, operations a second; 0 where it has none.
double peak_flops(const Gpu& gpu, DType compute);
// A GPU given by its memory alone, or one of this computer that the catalog does not know, has no roofline.
bool speed_known(const Gpu& gpu, DType compute);
// True where the fit has no measurement of this kind of GPU, model size or method: the range is wider there.
bool outside_measurements(const Scenario& s, const ModelWork& work);

}  // namespace gpudget
