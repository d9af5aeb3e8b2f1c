#include "core/compute.h"

#include "core/step_time.h"

namespace gpudget {
namespace {

// What validation says of the error (formats/throughput_validation.h): at least nine of ten rows, left out of the fit, are within these factors of
// the prediction. QLoRA and experts run many small kernels, which vary with the libraries' versions. Where nothing was measured: a guess, said so.
constexpr double kModelled = 1.20, kManyKernels = 1.45, kExtrapolated = 1.80;

double range_factor(const Scenario& s, bool outside) {
  if (outside) return kExtrapolated;
  return s.method == Method::qlora || s.model.architecture.num_experts > 0 ? kManyKernels : kModelled;
}

}  // namespace

void estimate_compute(const Scenario& s, Estimate& out) {
  ComputeEstimate& c = out.compute;
  const ModelWork work = model_work(s, out.model);
  const TokenFlops f = token_flops(s, work);
  const bool training = s.method != Method::inference;
  c.flops_per_token = Flops(f.total);
  c.tokens_per_step = training ? tokens_per_step(s) : saturating_multiply(s.per_device_train_batch_size, data_parallel_degree(s));
  const double tokens = static_cast<double>(c.tokens_per_step);
  if (s.throughput) {
    c.tokens_per_second = c.tokens_per_second_low = c.tokens_per_second_high = *s.throughput;
    c.step_seconds = Seconds(tokens / s.throughput->value());
    c.bound = step_time(s, work).bound;
  } else if (!speed_known(s.gpu, s.compute)) {  // every time stays 0: not known
    out.problems.add(Severity::note, ProblemId::gpu_speed_unknown, "gpu");
  } else {
    const StepTime t = step_time(s, work);
    const bool outside = outside_measurements(s, work);
    const double factor = range_factor(s, outside);
    c.step_seconds = Seconds(t.total);
    c.tokens_per_second = TokensPerSecond(tokens / t.total);
    c.tokens_per_second_low = c.tokens_per_second / factor;
    c.tokens_per_second_high = c.tokens_per_second * factor;
    c.bound = t.bound;
    if (outside) out.problems.add(Severity::note, ProblemId::throughput_extrapolated, "throughput");
  }
  const double peak = peak_flops(s.gpu, s.compute) * static_cast<double>(s.gpus);
  c.mfu = peak > 0 ? c.tokens_per_second.value() * f.model / peak : 0.0;
}

}  // namespace gpudget
