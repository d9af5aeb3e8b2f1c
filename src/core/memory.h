// The memory half of an estimate: fills `out.memory` and `out.model`, appends to `out.problems`. One file a consumer: memory_weights.cpp,
// memory_gradients.cpp, memory_optimizer.cpp, memory_activations.cpp, memory_logits.cpp, memory_buffers.cpp, memory_framework.cpp.
#pragma once
#include "core/estimate.h"

namespace gpudget {
void estimate_memory(const Scenario& scenario, Estimate& out);
}
