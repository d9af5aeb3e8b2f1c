// Undo and redo: snapshots of the scenario. Changes that belong together (a drag, typing in one field) are one step.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario.h"

namespace gpudget::ui {

class History {
 public:
  // Remembers `before`, unless the step that is open has the same non-empty `key`.
  void record(const Scenario& before, std::string_view key);
  void close_step() { key_.clear(); }  // nothing is held or typed any more: the next change is a step of its own
  // The scenario to return to; `now` becomes what redo returns to.
  std::optional<Scenario> undo(const Scenario& now);
  std::optional<Scenario> redo(const Scenario& now);
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }

 private:
  static constexpr std::size_t kDepth = 200;
  std::vector<Scenario> past_, future_;
  std::string key_;
};

}  // namespace gpudget::ui
