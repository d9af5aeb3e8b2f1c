// Fits the constants of core/step_time.h across the published training speeds, and says how large the error is on models that it did not see.
//   fit_throughput FOLDS.h  prints the fitted constants and the errors, writes the leave-one-model-out constants (src/formats/throughput_folds.h)
//   fit_throughput --quick  only the fit over all rows
//   fit_throughput --check  prints the errors with the constants in force
// How: Nelder-Mead from physical starting values, restarted, on the logarithms of the constants; the loss of a row is Huber's of
// ln(predicted / measured), linear beyond 10 %, each row once, with a weak pull to the starting value, so that what no row measures stays where it was. Leave
// one model out: all rows of a model, on any GPU and from any source, are absent from its fold's fit.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/memory.h"
#include "formats/throughput_validation.h"

using namespace gpudget;

namespace {

struct Constant {
  const char* name;
  double StepConstants::*field;
  double start;  // what the hardware's data sheets and the kernels' authors say, or a guess
  double most;   // physical ceiling; 0: none
};
const std::vector<Constant> kFitted{
#define GPUDGET_CONSTANT(name, start, most) {#name, &StepConstants::name, start, most}
    GPUDGET_CONSTANT(matmul_ampere, 0.86, 1.0),
    GPUDGET_CONSTANT(matmul_hopper, 0.72, 1.0),
    GPUDGET_CONSTANT(half_width, 150, 0),
    GPUDGET_CONSTANT(half_tokens, 250, 0),
    GPUDGET_CONSTANT(attention_rate, 0.62, 0.95),
    GPUDGET_CONSTANT(attention_hopper, 0.40, 0.95),
    GPUDGET_CONSTANT(head_dim_half, 24, 0),
    GPUDGET_CONSTANT(traffic, 1.0, 0),
    GPUDGET_CONSTANT(fused_traffic, 0.45, 1.0),
    GPUDGET_CONSTANT(kbit_traffic, 2.0, 0),
    GPUDGET_CONSTANT(dequantize, 2.5, 0),
    GPUDGET_CONSTANT(adapter_traffic, 6.0, 0),
    GPUDGET_CONSTANT(link, 0.70, 1.0),
    GPUDGET_CONSTANT(network, 0.60, 1.0),
    GPUDGET_CONSTANT(hidden_communication, 0.80, 1.0),
    GPUDGET_CONSTANT(never_hidden, 0.15, 1.0),
    GPUDGET_CONSTANT(fp8, 0.60, 1.0),
    GPUDGET_CONSTANT(step_seconds, 0.010, 0),
#undef GPUDGET_CONSTANT
};

struct Row {
  Scenario s;
  ModelWork work;
  double measured, tokens;
  std::string model;
  std::size_t index;
};
std::vector<Row> rows;

StepConstants constants(const std::vector<double>& x) {
  StepConstants k;
  for (std::size_t i = 0; i < kFitted.size(); ++i) {
    double v = kFitted[i].start * std::exp(x[i]);
    if (kFitted[i].most > 0 && v > kFitted[i].most) v = kFitted[i].most;
    k.*kFitted[i].field = v;
  }
  return k;
}
double log_error(const Row& r, const StepConstants& k) { return std::log(r.tokens / step_time(r.s, r.work, k).total / r.measured); }

double loss(const std::vector<double>& x, const std::vector<const Row*>& of) {
  const StepConstants k = constants(x);
  double sum = 0;
  for (const Row* r : of) {
    const double e = std::fabs(log_error(*r, k));
    sum += e < 0.1 ? e * e * 5 : e - 0.05;  // Huber
  }
  double pull = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    pull += 0.002 * x[i] * x[i];
    const double v = kFitted[i].start * std::exp(x[i]);
    if (kFitted[i].most > 0 && v > kFitted[i].most) pull += v - kFitted[i].most;
  }
  return sum / static_cast<double>(of.size()) + pull;
}

std::vector<double> nelder_mead(std::vector<double> x, const std::vector<const Row*>& of, int evaluations, double size) {
  const std::size_t n = x.size();
  std::vector<std::vector<double>> p(n + 1, x);
  std::vector<double> f(n + 1);
  for (std::size_t i = 0; i < n; ++i) p[i + 1][i] += size;
  for (std::size_t i = 0; i <= n; ++i) f[i] = loss(p[i], of);
  const double dim = static_cast<double>(n), alpha = 1, gamma = 1 + 2 / dim, rho = 0.75 - 0.5 / dim, sigma = 1 - 1 / dim;
  while (evaluations > 0) {
    std::vector<std::size_t> order(n + 1);
    for (std::size_t i = 0; i <= n; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return f[a] < f[b]; });
    const std::size_t best = order[0], worst = order[n], second = order[n - 1];
    std::vector<double> c(n, 0);
    for (std::size_t i = 0; i <= n; ++i)
      if (i != worst)
        for (std::size_t j = 0; j < n; ++j) c[j] += p[i][j] / dim;
    const auto at = [&](double t) {
      std::vector<double> q(n);
      for (std::size_t j = 0; j < n; ++j) q[j] = c[j] + t * (p[worst][j] - c[j]);
      return q;
    };
    auto r = at(-alpha);
    const double fr = loss(r, of);
    --evaluations;
    if (fr < f[best]) {
      auto e = at(-gamma);
      const double fe = loss(e, of);
      --evaluations;
      if (fe < fr)
        p[worst] = e, f[worst] = fe;
      else
        p[worst] = r, f[worst] = fr;
    } else if (fr < f[second]) {
      p[worst] = r, f[worst] = fr;
    } else {
      auto q = at(fr < f[worst] ? -rho : rho);
      const double fq = loss(q, of);
      --evaluations;
      if (fq < std::min(fr, f[worst])) {
        p[worst] = q, f[worst] = fq;
      } else {
        for (std::size_t i = 0; i <= n; ++i) {
          if (i == best) continue;
          for (std::size_t j = 0; j < n; ++j) p[i][j] = p[best][j] + sigma * (p[i][j] - p[best][j]);
          f[i] = loss(p[i], of);
          --evaluations;
        }
      }
    }
  }
  return p[static_cast<std::size_t>(std::min_element(f.begin(), f.end()) - f.begin())];
}

std::vector<double> fit(const std::vector<const Row*>& of, std::vector<double> x, int restarts) {
  for (int i = 0; i < restarts; ++i) x = nelder_mead(x, of, 6000, i % 2 == 0 ? 0.3 : -0.2);
  return x;
}

double quantile(std::vector<double> v, double q) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}

template <class Key>
void errors(const char* title, const std::vector<double>& log_errors, Key key) {
  std::vector<std::string> groups;
  for (const Row& r : rows)
    if (std::find(groups.begin(), groups.end(), key(r)) == groups.end()) groups.push_back(key(r));
  std::printf("%s\n", title);
  for (const std::string& g : groups) {
    std::vector<double> size, sign;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (key(rows[i]) == g) sign.push_back(std::exp(log_errors[i]) - 1), size.push_back(std::fabs(sign.back()));
    std::printf("  %-42s %4zu rows  median %5.1f %%  p90 %5.1f %%  bias %+5.1f %%\n", g.c_str(), size.size(), 100 * quantile(size, 0.5),
                100 * quantile(size, 0.9), 100 * quantile(sign, 0.5));
  }
}

void report(const std::vector<double>& e, bool worst) {
  errors("all", e, [](const Row&) { return std::string("all"); });
  errors("GPU", e, [](const Row& r) { return std::string(r.s.gpu.id.view()); });
  errors("method", e,
         [](const Row& r) { return std::string(name(r.s.method)) + (r.s.loss == Loss::fused ? " fused" : "") + (r.s.compute == DType::fp8 ? " fp8" : ""); });
  errors("model", e, [](const Row& r) { return r.model + " " + std::string(r.s.gpu.id.view()); });
  errors("gpus", e, [](const Row& r) { return std::to_string(r.s.gpus); });
  errors("length", e, [](const Row& r) { return std::to_string(r.s.max_length); });
  if (!worst) return;
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::fabs(e[a]) > std::fabs(e[b]); });
  for (std::size_t i = 0; i < 30; ++i) {
    const Row& r = rows[order[i]];
    const StepTime t = step_time(r.s, r.work);
    std::printf(
        "%+6.1f %% %s %s %s g%lld L%lld b%lld a%lld ck%d %s: measured %.0f; mm %.0f att %.0f el %.0f loss %.0f deq %.0f launch %.0f exp %.0f opt %.0f of %.0f "
        "ms\n",
        100 * (std::exp(e[order[i]]) - 1), r.model.c_str(), std::string(r.s.gpu.id.view()).c_str(), std::string(name(r.s.method)).c_str(),
        static_cast<long long>(r.s.gpus), static_cast<long long>(r.s.max_length), static_cast<long long>(r.s.per_device_train_batch_size),
        static_cast<long long>(r.s.gradient_accumulation_steps), r.s.gradient_checkpointing == Checkpointing::full, r.s.loss == Loss::fused ? "fused" : "",
        r.measured, 1e3 * t.matmul, 1e3 * t.attention, 1e3 * t.elementwise, 1e3 * t.loss, 1e3 * t.dequantize, 1e3 * t.launch, 1e3 * t.exposed,
        1e3 * t.optimizer, 1e3 * t.total);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (std::size_t i = 0; i < formats::throughput_rows(); ++i) {
    Row r;
    r.s = formats::throughput_scenario(i);
    r.index = i;
    Estimate e;
    estimate_memory(r.s, e);
    r.work = model_work(r.s, e.model);
    r.measured = formats::measured_throughput(i);
    r.tokens = static_cast<double>(tokens_per_step(r.s)) / static_cast<double>(r.s.gpus);
    r.model = formats::throughput_model(i);
    rows.push_back(r);
  }
  std::vector<double> e;
  for (const Row& r : rows) e.push_back(log_error(r, kStepConstants));
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  report(e, check);
  if (check) return 0;
  std::vector<const Row*> all;
  for (const Row& r : rows) all.push_back(&r);
  const std::vector<double> x = fit(all, std::vector<double>(kFitted.size(), 0), 24);
  const auto print = [](const std::vector<double>& v) {
    const StepConstants k = constants(v);
    for (std::size_t i = 0; i < kFitted.size(); ++i) std::printf("%s = %.3g, ", kFitted[i].name, k.*kFitted[i].field);
    std::printf("\n");
  };
  print(x);
  for (std::size_t i = 0; i < rows.size(); ++i) e[i] = log_error(rows[i], constants(x));
  std::printf("fitted\n");
  report(e, false);
  if (argc > 1 && std::strcmp(argv[1], "--quick") == 0) return 0;
  std::vector<std::string> models;
  for (const Row& r : rows)
    if (std::find(models.begin(), models.end(), r.model) == models.end()) models.push_back(r.model);
  std::printf("left out\n");
  std::FILE* out = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (out == nullptr) return std::fprintf(stderr, "fit_throughput: error: name the file to write\n"), 2;
  std::fprintf(out,
               "// Constants of core/step_time.h fitted without any row of the model named: made by tests/fit/fit_throughput.cpp, not to be edited.\n"
               "#pragma once\n#include <array>\n#include <string_view>\n\n#include \"core/step_time.h\"\n\nnamespace gpudget::formats {\n\n"
               "inline constexpr std::array<double StepConstants::*, %zu> kFittedConstants{\n",
               kFitted.size());
  for (const Constant& c : kFitted) std::fprintf(out, "    &StepConstants::%s,\n", c.name);
  std::fprintf(out,
               "};\nstruct ThroughputFold {\n  std::string_view model;\n  std::array<double, kFittedConstants.size()> values;\n};\n"
               "inline constexpr std::array<ThroughputFold, %zu> kThroughputFolds{{\n",
               models.size());
  for (const std::string& m : models) {
    std::vector<const Row*> others;
    for (const Row& r : rows)
      if (r.model != m) others.push_back(&r);
    const std::vector<double> y = fit(others, std::vector<double>(kFitted.size(), 0), 24);
    const StepConstants k = constants(y);
    std::fprintf(out, "    {\"%s\",\n     {", m.c_str());
    for (std::size_t i = 0; i < kFitted.size(); ++i) std::fprintf(out, "%s%.4g", i > 0 ? ", " : "", k.*kFitted[i].field);
    std::fprintf(out, "}},\n");
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].model == m) e[i] = log_error(rows[i], k);
  }
  std::fprintf(out, "}};\n\n}  // namespace gpudget::formats\n");
  std::fclose(out);
  report(e, true);
}
