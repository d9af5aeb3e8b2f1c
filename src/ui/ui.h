// The interface as the programs see it: one object that holds the state, draws one frame, and answers for the scenario on show.
// It is a pure view of Scenario and Estimate; every change goes through its actions, so undo, the URL and the host see them all.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/estimate.h"
#include "core/scenario.h"
#include "formats/error.h"
#include "i18n/text.h"
#include "probe/probe.h"

struct ImFont;

namespace gpudget::ui {

enum class Theme : std::uint8_t { light, dark };
enum class View : std::uint8_t { memory, time, plan, checklist, learn, export_view, accuracy, compare };
inline constexpr std::string_view kViewNames[] = {"memory", "time", "plan", "checklist", "learn", "export", "accuracy", "compare"};
enum class Controls : std::uint8_t { none, basic, full };

struct Options {
  i18n::Language language = i18n::Language::en;
  Theme theme = Theme::light;
  View view = View::memory;
  bool embed = false;                  // no header, no navigation; a link "open in gpudget"
  Controls controls = Controls::full;  // which inputs an embed shows
  bool links = true;                   // false: no links out
  bool desktop = false;                // files, This computer
  bool reduced_motion = false;
  bool coarse_pointer = false;  // targets of 40 px and more
};

// What the interface asks of the place it runs in. Calls come from inside draw().
class Host {
 public:
  virtual ~Host() = default;
  virtual void copy(std::string_view text) = 0;
  virtual void save(std::string_view file_name, std::string_view mime, std::string_view content) = 0;
  virtual void save_png(std::string_view file_name) = 0;  // the picture of the frame being drawn
  virtual void choose_file() = 0;                         // its text comes back through Interface::open_text
  virtual void open_link(std::string_view url) = 0;
  virtual std::string page_address() = 0;                    // without hash and query; what share links start with; "" on the desktop
  virtual void options_changed(const Options& options) = 0;  // language, theme or view chosen by the person
  virtual void activity(std::string_view verb, std::string_view id, bool success) = 0;  // the quiz
  virtual void load_accuracy() {}  // where the measurements are a file of their own: brings it; Interface::open_accuracy takes it
};

class Interface {
 public:
  // `regular` and `semibold` are fonts already added to the current ImGui context.
  Interface(Host& host, const Options& options, ImFont* regular, ImFont* semibold);
  ~Interface();
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  // Draws the whole surface: between ImGui::NewFrame() and ImGui::Render(). `seconds`: a monotonic clock, for motion.
  void draw(double seconds);
  // Until when frames are needed without input (gliding bars, the planner in slices): 0 when nothing moves.
  double wants_frames_until() const;
  float content_height() const;  // CSS pixels that the whole content of the current view takes, for embeds that size themselves

  const Scenario& scenario() const;
  const Estimate& estimate() const;
  std::uint64_t revision() const;  // grows with every change of the scenario
  bool last_change_by_host() const;
  const Options& options() const;
  void set_options(const Options& options);                                         // from the page: language, theme, view …
  formats::Result<void> set(std::string_view partial_scenario_json, bool by_host);  // unchanged on error; the error is shown beside its field
  formats::Result<void> set_url_state(std::string_view state);                      // "#s=" without the "s="; a broken one shows its message
  // The measurements' file (formats/accuracy_tables.h); what is none, or empty, is said in the Accuracy view, which offers to try again.
  void open_accuracy(std::string_view json);
  formats::Result<void> open_text(std::string_view file_name, std::string_view text);  // a scenario, a config.json, a safetensors index …
  void set_local_gpus(const probe::Report& report);                                    // desktop
  void texts_came();                                                   // those of a language that was not built in: what was made of its stand-ins is made anew
  void refuse_file(std::string_view file_name, formats::Error error);  // shown as that of a file which open_text could not read
  // What was read of another tool's file that was opened (formats/import.h), as the fold shows it: what was assumed without its reason; "" where none stands.
  std::string imported_json() const;
  std::string scenario_json() const;
  std::string estimate_json() const;  // with advice, in the interface's language
  std::string url_state() const;
  bool undo();
  bool redo();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What was wrong, what would do, what was probably meant, as the interface says it beside a field.
std::string error_words(i18n::Language language, const formats::Error& error);

}  // namespace gpudget::ui
