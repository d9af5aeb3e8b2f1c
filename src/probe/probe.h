// The local GPUs, read through NVML (no context is made) or, failing that, the CUDA driver (whose context costs memory, told in `context_cost`).
// Libraries are loaded at run time: one program runs with and without a driver. No GPU is an answer, not an error.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/units.h"

namespace gpudget::probe {

struct Process {
  std::int64_t pid = 0;
  std::string name;          // empty where not permitted
  Bytes used;
};
struct Gpu {
  int index = 0;
  std::string name, uuid;
  Bytes total, used, free, reserved;
  int compute_major = 0, compute_minor = 0;
  bool mig = false;          // a MIG slice; `name` says which
  std::vector<Process> processes;
};
struct Report {
  std::vector<Gpu> gpus;
  std::string driver, cuda;  // versions, empty where unknown
  std::string source;        // "nvml", "cuda", or empty
  Bytes context_cost;        // what reading itself took (cuda only)
  std::string note;          // in words: why there are no GPUs or what could not be read; empty when all is well
};
// Blocking, some milliseconds. Never throws; any failure of the driver is a `note`.
Report read();

}  // namespace gpudget::probe
