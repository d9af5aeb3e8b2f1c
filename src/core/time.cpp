#include "core/cost.h"

namespace gpudget {

std::int64_t training_tokens(const Scenario& s) {
  const std::int64_t once = s.dataset.by_tokens ? s.dataset.tokens : saturating_multiply(s.dataset.examples, s.dataset.tokens_per_example);
  return saturating_multiply(once, s.epochs);
}

void estimate_time(const Scenario& s, Estimate& out) {
  TimeEstimate& t = out.time;
  const std::int64_t once = s.dataset.by_tokens ? s.dataset.tokens : saturating_multiply(s.dataset.examples, s.dataset.tokens_per_example);
  t.training_tokens = training_tokens(s);
  if (out.compute.tokens_per_step > 0) {
    // Sequences are packed to max_length; each epoch ends with a partial batch, as Hugging Face's Trainer counts.
    t.steps = saturating_multiply(ceil_divide(once, out.compute.tokens_per_step), s.epochs);
  }
  const double speed = out.compute.tokens_per_second.value();
  if (speed > 0) {
    t.seconds = Seconds(static_cast<double>(t.training_tokens) / speed);
    t.seconds_all_runs = Seconds(static_cast<double>(t.training_tokens) * static_cast<double>(s.runs) / speed);
  }
}

}  // namespace gpudget
