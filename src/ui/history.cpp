#include "ui/history.h"

namespace gpudget::ui {

void History::record(const Scenario& before, std::string_view key) {
  future_.clear();
  if (!key.empty() && key == key_) return;
  key_ = key;
  if (past_.size() == kDepth) past_.erase(past_.begin());
  past_.push_back(before);
}

std::optional<Scenario> History::undo(const Scenario& now) {
  if (past_.empty()) return std::nullopt;
  const Scenario back = past_.back();
  past_.pop_back();
  future_.push_back(now);
  key_.clear();
  return back;
}

std::optional<Scenario> History::redo(const Scenario& now) {
  if (future_.empty()) return std::nullopt;
  const Scenario forward = future_.back();
  future_.pop_back();
  past_.push_back(now);
  key_.clear();
  return forward;
}

}  // namespace gpudget::ui
