// The local GPUs, read through NVML (no context is made) or, failing that, the CUDA driver (whose context costs memory, told in `context_cost`); where NVIDIA
// has none, AMD's through ROCm SMI or the kernel's files, or Apple's through Metal.
// Libraries are loaded at run time: one program runs with and without a driver. No GPU is an answer, not an error.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/units.h"

namespace gpudget::probe {

struct Process {
  std::int64_t pid = 0;
  std::string name;  // empty where not permitted
  Bytes used;
  bool used_known = true;  // false under Windows and WSL, whose drivers do not say
};
struct Gpu {
  int index = 0;
  std::string name, uuid;
  Bytes total, used, free, reserved;
  int compute_major = 0, compute_minor = 0;
  bool mig = false;            // a MIG slice; `name` says which
  bool shared = false;         // the memory is the computer's own (Jetson, DGX Spark): `free` is what the system could still give
  bool used_known = true;      // used and free were told (an AMD driver may tell the total alone)
  bool reserved_known = true;  // false: an old driver counts its own reserve as used
  std::vector<Process> processes;
};
struct Report {
  std::vector<Gpu> gpus;
  std::string driver, cuda;  // versions, empty where unknown
  std::string source;        // "nvml", "cuda", "rocm", "sysfs" (AMD without ROCm), "metal", or empty
  Bytes context_cost;        // what reading itself took while it read (cuda only; 0: not measured)
  std::string note;          // in words: why there are no GPUs or what could not be read; empty when all is well
  std::string note_id;       // the same as a message id ("probe.no_driver"), whose {detail} is note_detail
  std::string note_detail;
};

// Where to look. `nvml`, `cuda`, `rocm`, `apple`: a library's path, "none", or empty for the system's own; the programs set the first three from GPUDGET_NVML,
// GPUDGET_CUDA and GPUDGET_ROCM.
// `drm`: the folder of the kernel's graphics cards.
struct Sources {
  std::string nvml, cuda;
  std::string drm = "/sys/class/drm";
  std::string rocm, apple;
};
Sources sources_from_environment();

// Blocking, some milliseconds. Never throws; any failure of the driver is a `note`.
Report read();  // read(sources_from_environment())
Report read(const Sources& sources);

}  // namespace gpudget::probe
