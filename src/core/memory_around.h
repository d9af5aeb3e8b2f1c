// What stands around the tensors: from `allocated` (torch.cuda.max_memory_allocated) to `reserved` (the caching allocator's segments) to `device` (what
// nvidia-smi shows), how far off that may be, and what the word for it is.
//
// Slack of the caching allocator: freed blocks stay in its segments (2 MiB for small requests, 20 MiB or the request's own size for large ones) and serve
// only what fits into them. What a step frees and asks for again grows with what it holds for a while, so
//   slack = 0.30 x (most that forward and backward add to what stays) + 0.32 x (what `step` adds, full fine-tuning) + min(1.1 GiB, allocated / 8)
// Around it, one process on a GPU: CUDA context with the kernels that PyTorch loads, cuBLAS and cuDNN workspaces, 500 MiB; with more GPUs NCCL's buffers and
// kernels, 0.9 GiB. The five numbers are fitted together (least absolute deviations) across 86 runs of fms-acceleration on A100s (five models; full, LoRA
// and QLoRA; one and two GPUs) that publish both torch's peak and nvidia-smi's, none of them fitted to one row; leaving one model out, the median error of
// `device` from a measured `allocated` is 3.5 % and nine of ten are within 11 %. Other generations of GPU publish no such pair, so they take the same.
// An allocator that finds no room gives its unused blocks back before it fails: slack is held only where the GPU has room for it, down to 2 % of allocated.
#pragma once
#include "core/estimate.h"

namespace gpudget {

struct MemoryAround {
  Bytes slack, least_slack, context, communication;  // least_slack: where the GPU has no room for more
};
// `kept`: bytes that stay from load to step; `passing`: the most that forward, loss and backward add to them; `stepping`: what step adds.
MemoryAround memory_around(const Scenario& s, std::int64_t allocated, std::int64_t passing, std::int64_t stepping);

// measured: published runs of this kind are compared by `gpudget validate`; modelled: the oracle's exact peaks are; extrapolated: neither.
Confidence memory_confidence(const Scenario& s);

// Of `device`, in thousandths below and above: some nine of ten published runs of the kind lie inside, of those whose program is the one that is predicted
// (tests/formats/measurement_validation_test.cpp). Most ran with older libraries, whose loss holds more, so the upper side is the wider one for adapters.
struct RangeShare {
  std::int64_t below = 0, above = 0;
};
RangeShare memory_range(const Scenario& s);

}  // namespace gpudget
