#include "probe/note.h"

namespace gpudget::probe {
namespace {

struct Sentence {
  std::string_view id, text;  // {detail} stands for what the driver said
};
// The English of assets/i18n (probe.*), so that this room needs no languages.
constexpr Sentence kSentences[] = {
    {"probe.no_driver", "No GPU found: this computer has no GPU driver that answers."},
    {"probe.no_devices", "The driver found no GPU in this computer."},
    {"probe.driver_not_loaded", "The NVIDIA driver is installed but not running: load its kernel module or restart the computer."},
    {"probe.no_permission", "The driver does not let this user read the GPU."},
    {"probe.version_mismatch", "The NVIDIA driver was updated while running: restart the computer."},
    {"probe.too_old", "The NVIDIA driver is too old: it lacks {detail}."},
    {"probe.unusable", "The driver's library could not be opened: {detail}"},
    {"probe.lost", "GPU {detail} does not answer: it has fallen off the bus; restart the computer."},
    {"probe.blocked", "The operating system keeps this program from the GPU (a container or a control group without access)."},
    {"probe.no_answer", "The driver did not answer in time."},
    {"probe.failed", "The driver could not say: {detail}"},
};

}  // namespace

void add_note(Report& report, std::string_view id, std::string_view detail) {
  if (!report.note_id.empty()) return;
  for (const Sentence& sentence : kSentences)
    if (sentence.id == id) {
      report.note_id = id;
      report.note_detail = detail;
      report.note = sentence.text;
      constexpr std::string_view kHole = "{detail}";
      if (const std::size_t at = report.note.find(kHole); at != std::string::npos) report.note.replace(at, kHole.size(), detail);
    }
}

}  // namespace gpudget::probe
