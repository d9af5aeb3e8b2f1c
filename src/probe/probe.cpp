#include "probe/probe.h"

#include <algorithm>
#include <cstdlib>

#include "probe/amd_sysfs.h"
#include "probe/apple_metal.h"
#include "probe/cuda_driver.h"
#include "probe/note.h"
#include "probe/nvml.h"
#include "probe/rocm_smi.h"

namespace gpudget::probe {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// GPUs whose memory is the computer's own: NVML does not know its size, the CUDA driver does. Joined by UUID, never by index: the two count differently.
void complete_shared(const std::string& cuda, Report& report) {
  const bool any = std::any_of(report.gpus.begin(), report.gpus.end(), [](const Gpu& gpu) { return gpu.shared; });
  if (!any || cuda == "none") return;
  Report seen;
  if (read_cuda(cuda, false, seen) != CudaAnswer::answered) return;
  for (Gpu& gpu : report.gpus)
    for (const Gpu& other : seen.gpus)
      if (gpu.shared && !gpu.uuid.empty() && gpu.uuid == other.uuid) {
        gpu.shared = other.shared;
        gpu.total = other.total;
        gpu.used = other.used;
        gpu.free = other.free;
        gpu.used_known = other.used_known;
      }
}

}  // namespace

Sources sources_from_environment() {
  Sources sources;
  sources.nvml = environment("GPUDGET_NVML");
  sources.cuda = environment("GPUDGET_CUDA");
  sources.rocm = environment("GPUDGET_ROCM");
  return sources;
}

Report read() { return read(sources_from_environment()); }

Report read(const Sources& sources) {
  Report report;
  const NvmlAnswer nvml = sources.nvml == "none" ? NvmlAnswer::absent : read_nvml(sources.nvml, report);
  if (nvml == NvmlAnswer::answered) {
    report.source = "nvml";
    complete_shared(sources.cuda, report);
  } else if (sources.cuda != "none") {
    Report other;
    const CudaAnswer cuda = read_cuda(sources.cuda, true, other);
    if (cuda == CudaAnswer::answered) {
      other.source = "cuda";
      if (other.note_id.empty()) other.note_id = report.note_id, other.note = report.note, other.note_detail = report.note_detail;  // why not NVML
      report = std::move(other);
    } else if (report.note_id.empty()) {
      report.note_id = other.note_id, report.note = other.note, report.note_detail = other.note_detail;
    }
  }
  // Other makers: a missing NVIDIA driver is then no news. The library knows more than the kernel's files.
  const auto other_maker = [&](const char* source, bool (*read_there)(const std::string&, Report&), const std::string& where) {
    if (!report.gpus.empty() || where == "none") return;
    Report there;
    if (read_there(where, there)) {
      there.source = source;
      report = std::move(there);
    } else if (report.note_id.empty()) {
      report.note_id = there.note_id, report.note = there.note, report.note_detail = there.note_detail;
    }
  };
  other_maker("rocm", read_rocm, sources.rocm);
  other_maker("sysfs", read_amd, sources.drm);
  other_maker("metal", read_apple, sources.apple);
  if (report.gpus.empty()) add_note(report, "probe.no_driver");
  return report;
}

}  // namespace gpudget::probe
