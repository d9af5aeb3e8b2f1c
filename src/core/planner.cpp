#include "core/planner.h"

#include <utility>

#include "core/cost.h"
#include "core/memory.h"
#include "core/step_time.h"

namespace gpudget {
namespace {

std::int64_t effective_batch(const Scenario& s) { return product(s.per_device_train_batch_size, s.gradient_accumulation_steps, data_parallel_degree(s)); }

// What each kind of sharding, optimizer and offload is tried with; the plainest first, so that a tie keeps the plainest.
constexpr std::array kSharding{DataParallel::ddp, DataParallel::zero1, DataParallel::zero2, DataParallel::zero3, DataParallel::fsdp};
constexpr std::array kCheckpointing{Checkpointing::none, Checkpointing::selective, Checkpointing::full};
constexpr std::array kOffload{Offload::none, Offload::optimizer, Offload::all};

bool is_sharded(DataParallel d) { return d != DataParallel::ddp && d != DataParallel::automatic; }

bool has_error_beside_size(const Estimate& e) {
  for (const Problem& p : e.problems.view())
    if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) return true;
  return false;
}

// Micro-batches that a number of sequences for one GPU and step can be cut into, with their accumulation; smallest first.
struct Batches {
  struct One {
    std::int64_t batch, accumulation;
  };
  std::array<One, 64> items{};
  std::size_t size = 0;
  void add(std::int64_t batch, std::int64_t accumulation) {
    if (size < items.size()) items[size++] = {batch, accumulation};
  }
};

Batches batches_of(const PlanRequest& r, std::int64_t gpus) {
  Batches b;
  const std::int64_t wanted = effective_batch(r.base);
  if (r.keep_effective_batch) {
    if (wanted % gpus != 0) return b;
    const std::int64_t each = wanted / gpus;
    for (std::int64_t batch = 1; batch <= each && batch <= 4096; ++batch)
      if (each % batch == 0) b.add(batch, each / batch);
    return b;
  }
  const std::int64_t most = wanted > kFreeBatch ? wanted : kFreeBatch;
  for (std::int64_t batch = 1; product(batch, gpus) <= most || batch == 1; batch *= 2) b.add(batch, ceil_divide(wanted, product(batch, gpus)));
  return b;
}

bool in_time(const PlanRequest& r, Seconds all) { return !r.deadline || all <= *r.deadline; }
bool in_budget(const PlanRequest& r, Usd all) { return !r.budget || all <= *r.budget; }

}  // namespace

void keep_method(PlanRequest& r) { r.full = r.base.method == Method::full, r.lora = r.base.method == Method::lora, r.qlora = r.base.method == Method::qlora; }
void forbid_adapters(PlanRequest& r) { r.lora = r.qlora = false; }

UsdPerHour Planner::price(const PlanHardware& h) const {
  if (request_.base.price.usd_per_gpu_hour && h.gpu == request_.base.gpu) return *request_.base.price.usd_per_gpu_hour;
  if (h.owned > 0) return UsdPerHour(0);
  return request_.market == Market::spot ? h.quote.spot : h.quote.on_demand;
}
bool Planner::has_price(const PlanHardware& h) const {
  return h.owned > 0 || price(h).value() > 0 || (request_.base.price.usd_per_gpu_hour && h.gpu == request_.base.gpu);
}
bool Planner::has_speed(const PlanHardware& h) const { return speed_known(h.gpu, request_.base.compute); }

void Planner::start(PlanRequest request) {
  request_ = std::move(request);
  request_.base.throughput.reset();  // measured for another configuration
  request_.base.price.market = request_.market;
  counts_.clear(), configurations_.clear(), kinds_.clear(), kind_of_.clear(), best_.clear();
  work_ = {};
  next_ = candidates_ = fitting_ = evaluated_ = 0;
  nearest_ = {}, nearest_hardware_ = -1;
  answered_ = false;
  training_tokens_ = static_cast<double>(training_tokens(request_.base));

  std::int64_t most = request_.max_gpus;
  for (std::int64_t n = 1; n <= most; n *= 2) counts_.push_back(n);
  const auto add_count = [this](std::int64_t n) {
    for (const std::int64_t c : counts_)
      if (c == n) return;
    counts_.push_back(n);
  };
  if (most > 0) add_count(most);
  for (const PlanHardware& h : request_.hardware)
    if (h.owned > 0 && h.owned <= most) add_count(h.owned);

  std::array<Optimizer, 3> optimizers{request_.base.optim, Optimizer::adamw_8bit, Optimizer::adafactor};
  for (const std::int64_t n : counts_)
    for (const Method method : {Method::full, Method::lora, Method::qlora}) {
      if (!(method == Method::full ? request_.full : method == Method::lora ? request_.lora : request_.qlora)) continue;
      if (method == Method::qlora && !request_.quantization) continue;
      for (const DataParallel data : kSharding) {
        if (method == Method::qlora && data == DataParallel::zero3) continue;  // does not shard quantized weights
        for (const Checkpointing checkpointing : kCheckpointing) {
          if (checkpointing == Checkpointing::selective && request_.base.attn_implementation != Attention::eager) continue;
          for (std::size_t o = 0; o < optimizers.size(); ++o) {
            if (o > 0 && (!request_.any_optimizer || optimizers[o] == optimizers[0])) continue;
            if (o > 0 && optimizers[o] == Optimizer::adamw_8bit && !request_.quantization) continue;
            for (const Offload offload : kOffload) {
              if (offload != Offload::none && (!request_.any_offload || !is_sharded(data) || method != Method::full)) continue;
              if (offload == Offload::all && data != DataParallel::zero3 && data != DataParallel::fsdp) continue;
              if (n == 1 && is_sharded(data) && offload == Offload::none) continue;  // nothing to share
              configurations_.push_back({n, method, data, checkpointing, optimizers[o], offload});
            }
          }
        }
      }
    }
  for (std::uint32_t i = 0; i < request_.hardware.size(); ++i) {
    const Gpu& g = request_.hardware[i].gpu;
    const Kind kind{g.generation, g.supports_bf16, g.supports_flash_attention, i};
    std::uint32_t k = 0;
    while (k < kinds_.size() && !(kinds_[k] == kind)) ++k;
    if (k == kinds_.size()) kinds_.push_back(kind);
    kind_of_.push_back(k);
  }
  best_.assign(request_.hardware.size() * counts_.size(), Best{});
}

Scenario Planner::make(const Configuration& c, const PlanHardware& h, std::int64_t batch, std::int64_t accumulation) const {
  Scenario s = request_.base;
  s.gpu = h.gpu;
  s.quote = h.owned > 0 ? Quote{} : h.quote;
  if (h.owned > 0 && !s.price.usd_per_gpu_hour) s.price.usd_per_gpu_hour = UsdPerHour(0);
  if (!(h.gpu == request_.base.gpu) && h.owned == 0) s.price.usd_per_gpu_hour.reset();
  s.gpus = c.gpus;
  if (s.method != c.method) {
    s.method = c.method;
    s.weights.reset(), s.gradients.reset();
    s.master_weights = false;
  }
  s.parallelism = {};
  s.parallelism.data = c.gpus == 1 && c.offload == Offload::none ? DataParallel::automatic : c.data;
  s.parallelism.offload = c.offload;
  s.gradient_checkpointing = c.checkpointing;
  if (s.optim != c.optim) s.optim = c.optim, s.optimizer_states.reset();
  s.per_device_train_batch_size = batch;
  s.gradient_accumulation_steps = accumulation;
  if (s.optimizer_in_backward && accumulation > 1) s.optimizer_in_backward = false;
  if (!h.gpu.supports_bf16 && s.compute == DType::bf16) {
    s.compute = DType::fp16;
    if (c.method != Method::qlora && weights_dtype(s) == DType::bf16) s.weights = DType::fp16;
    if (c.method == Method::full) s.master_weights = true;
  }
  if (!h.gpu.supports_flash_attention && s.attn_implementation == Attention::flash_attention_2) s.attn_implementation = Attention::sdpa;
  return s;
}

void Planner::look_at(const Configuration& c, std::int32_t index) {
  const Batches batches = batches_of(request_, c.gpus);
  if (batches.size == 0) return;
  std::size_t count_index = 0;
  while (counts_[count_index] != c.gpus) ++count_index;
  Estimate e;
  e.memory.ledger.keep_only_totals();
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    // Memory by micro-batch, for all GPUs of this kind; filled in as bisection asks.
    std::array<Bytes, 64> memory{};
    std::array<bool, 64> known{};
    bool possible = true;
    Scenario s = make(c, request_.hardware[kinds_[k].example], 1, 1);
    const auto device = [&](std::size_t i) {
      if (!known[i]) {
        s.per_device_train_batch_size = batches.items[i].batch;
        s.gradient_accumulation_steps = batches.items[i].accumulation;
        e.problems = {};
        estimate_memory(s, e);
        if (has_error_beside_size(e)) possible = false;
        if (!work_[static_cast<std::size_t>(c.method)]) work_[static_cast<std::size_t>(c.method)] = model_work(s, e.model);
        memory[i] = e.memory.least;
        known[i] = true;
        ++evaluated_;
      }
      return memory[i];
    };
    for (std::uint32_t i = 0; i < request_.hardware.size(); ++i) {
      if (kind_of_[i] != k) continue;
      const PlanHardware& h = request_.hardware[i];
      if (h.owned > 0 && c.gpus > h.owned) continue;
      if (!has_price(h) || !has_speed(h)) continue;
      candidates_ += static_cast<std::int64_t>(batches.size);
      const Bytes capacity = h.gpu.memory, least = device(0);
      if (!possible) break;
      if (least > capacity) {
        if (nearest_hardware_ < 0 || least - capacity < least_lacking_) {
          least_lacking_ = least - capacity;
          nearest_hardware_ = static_cast<std::int32_t>(i);
          nearest_ = {-1, index, batches.items[0].batch, batches.items[0].accumulation};
        }
        continue;
      }
      std::size_t low = 0, high = batches.size;  // low fits
      while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (device(middle) <= capacity ? low : high) = middle;
      }
      if (!possible) break;
      fitting_ += static_cast<std::int64_t>(low) + 1;
      s.gpu = h.gpu;
      s.per_device_train_batch_size = batches.items[low].batch;
      s.gradient_accumulation_steps = batches.items[low].accumulation;
      const double step = step_time(s, *work_[static_cast<std::size_t>(c.method)]).total;
      ++evaluated_;
      const double seconds = training_tokens_ / (static_cast<double>(tokens_per_step(s)) / step);
      answered_ = true;
      Best& best = best_[i * counts_.size() + count_index];
      if (best.seconds < 0 || seconds < best.seconds) best = {seconds, index, batches.items[low].batch, batches.items[low].accumulation};
    }
  }
}

PlanProgress Planner::step(std::int64_t units) {
  const std::int64_t end = static_cast<std::int64_t>(configurations_.size());
  for (; units > 0 && next_ < end; --units, ++next_) look_at(configurations_[static_cast<std::size_t>(next_)], static_cast<std::int32_t>(next_));
  return progress();
}

PlanRow Planner::row(const Configuration& c, const PlanHardware& h, const Best& b) const {
  PlanRow r;
  r.scenario = make(c, h, b.batch, b.accumulation);
  Estimate e;
  estimate(r.scenario, e);
  r.seconds = e.time.seconds, r.seconds_all_runs = e.time.seconds_all_runs;
  r.usd = e.cost.usd, r.usd_all_runs = e.cost.usd_all_runs;
  r.device = e.memory.device, r.headroom = e.memory.headroom;
  r.tokens_per_second = e.compute.tokens_per_second;
  return r;
}

// Each reason is tried: the plainer way, everything else the same, with one sequence at a time.
void Planner::explain(PlanRow& r, const Configuration& c, const PlanHardware& h) const {
  const auto plainer_fits = [&](Configuration p) {
    Estimate e;
    estimate(make(p, h, 1, 1), e);
    return e.memory.fits;
  };
  if (h.owned > 0) r.add(PlanReason::owned_hardware);
  Configuration p = c;
  if (c.offload != Offload::none) {
    p.offload = c.offload == Offload::all ? Offload::optimizer : Offload::none;
    if (!plainer_fits(p)) r.add(PlanReason::offload_needed);
    p = c;
  }
  if (is_sharded(c.data) && c.offload == Offload::none) {
    p.data = DataParallel::ddp;
    if (!plainer_fits(p)) r.add(PlanReason::sharding_needed);
    p = c;
  }
  if (c.checkpointing != Checkpointing::none) {
    p.checkpointing = Checkpointing::none;
    r.add(plainer_fits(p) ? PlanReason::checkpointing_faster : PlanReason::checkpointing_needed);
    p = c;
  }
  if (c.optim != request_.base.optim) {
    p.optim = request_.base.optim;
    r.add(plainer_fits(p) ? PlanReason::optimizer_faster : PlanReason::optimizer_needed);
    p = c;
  }
  if (c.method != Method::full && request_.full) r.add(PlanReason::adapters_cheaper);
  if (r.scenario.compute != request_.base.compute) r.add(PlanReason::fp16_here);
  if (r.scenario.per_device_train_batch_size > 1) r.add(PlanReason::largest_batch);
}

PlanResult Planner::result() const {
  PlanResult out;
  out.candidates = candidates_, out.fitting = fitting_, out.evaluated = evaluated_;
  const double runs = static_cast<double>(request_.base.runs);
  std::vector<std::uint32_t> index;  // of the best behind each dot
  for (std::uint32_t i = 0; i < request_.hardware.size(); ++i) {
    const PlanHardware& h = request_.hardware[i];
    if (!has_price(h)) {
      ++out.without_price;
      continue;
    }
    if (!has_speed(h)) {
      ++out.without_speed;
      continue;
    }
    for (std::size_t n = 0; n < counts_.size(); ++n) {
      const Best& b = best_[i * counts_.size() + n];
      if (b.seconds < 0) continue;
      PlanDot d;
      d.hardware = i, d.gpus = counts_[n];
      d.seconds = Seconds(b.seconds * runs);
      d.usd = cost_of(Seconds(b.seconds), d.gpus, price(h), request_.base.runs);
      d.within = in_time(request_, d.seconds) && in_budget(request_, d.usd);
      out.dots.push_back(d);
      index.push_back(static_cast<std::uint32_t>(i * counts_.size() + n));
    }
  }
  const auto dominates = [&out](std::size_t a, std::size_t b) {
    const PlanDot &x = out.dots[a], &y = out.dots[b];
    if (x.usd > y.usd || x.seconds > y.seconds) return false;
    return x.usd < y.usd || x.seconds < y.seconds || a < b;  // of equals the first stays
  };
  std::vector<std::size_t> front;
  for (std::size_t a = 0; a < out.dots.size(); ++a) {
    if (!out.dots[a].within) continue;
    bool dominated = false;
    for (std::size_t b = 0; b < out.dots.size() && !dominated; ++b) dominated = b != a && out.dots[b].within && dominates(b, a);
    if (!dominated) front.push_back(a);
  }
  const auto cheaper = [&out](std::size_t a, std::size_t b) { return out.dots[a].usd < out.dots[b].usd; };
  for (std::size_t i = 1; i < front.size(); ++i)  // a few dozen at most
    for (std::size_t j = i; j > 0 && cheaper(front[j], front[j - 1]); --j) std::swap(front[j], front[j - 1]);
  const auto row_of = [&](std::size_t dot) {
    const Best& b = best_[index[dot]];
    return row(configurations_[static_cast<std::size_t>(b.configuration)], request_.hardware[out.dots[dot].hardware], b);
  };
  for (std::size_t i = 0; i < front.size(); ++i) {
    PlanRow r = row_of(front[i]);
    out.dots[front[i]].on_front = true;
    if (i == 0) r.add(PlanReason::cheapest);
    if (i + 1 == front.size()) r.add(PlanReason::fastest);
    if (i > 0 && i + 1 < front.size()) r.add(PlanReason::between);
    explain(r, configurations_[static_cast<std::size_t>(best_[index[front[i]]].configuration)], request_.hardware[out.dots[front[i]].hardware]);
    out.front.push_back(r);
  }
  if (!out.front.empty()) return out;
  if (!out.dots.empty()) {
    // Something fits, but not in time or not for the money: the fastest within the budget, else the cheapest within the deadline, else the cheapest.
    std::size_t best = 0;
    const bool some_in_budget = [&] {
      for (const PlanDot& d : out.dots)
        if (in_budget(request_, d.usd)) return true;
      return false;
    }();
    bool chosen = false;
    for (std::size_t i = 0; i < out.dots.size(); ++i) {
      const PlanDot &d = out.dots[i], &b = out.dots[best];
      if (some_in_budget ? !in_budget(request_, d.usd) : request_.deadline && !in_time(request_, d.seconds) && chosen && in_time(request_, b.seconds)) continue;
      const bool first_in_time = !some_in_budget && chosen && in_time(request_, d.seconds) && !in_time(request_, b.seconds);
      if (!chosen || first_in_time || (some_in_budget ? d.seconds < b.seconds : d.usd < b.usd)) best = i, chosen = true;
    }
    PlanMiss m;
    m.kind = some_in_budget ? PlanMiss::Kind::deadline : PlanMiss::Kind::budget;
    m.row = row_of(best);
    if (request_.deadline && out.dots[best].seconds > *request_.deadline) m.late = out.dots[best].seconds - *request_.deadline;
    if (request_.budget && out.dots[best].usd > *request_.budget) m.over = out.dots[best].usd - *request_.budget;
    out.nearest = m;
  } else if (nearest_hardware_ >= 0) {
    PlanMiss m;
    const Configuration& c = configurations_[static_cast<std::size_t>(nearest_.configuration)];
    m.row = row(c, request_.hardware[static_cast<std::size_t>(nearest_hardware_)], nearest_);
    m.lacks = least_lacking_;
    out.nearest = m;
  }
  return out;
}

PlanResult plan(PlanRequest request) {
  Planner p;
  p.start(std::move(request));
  while (!p.step(1'000'000).finished()) {
  }
  return p.result();
}

}  // namespace gpudget
