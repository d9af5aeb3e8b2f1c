// What must hold of the memory of any scenario, over random ones (the seed is fixed): sizes are sums of what is there, more work never takes less,
// sharding and checkpointing never take more of what they are for. 3,000 scenarios in a fraction of a second.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "core/architecture_presets.h"
#include "core/memory.h"
#include "core/parameters.h"

using namespace gpudget;

namespace {

struct Random {
  std::uint64_t state;
  std::uint64_t next() { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class E, class... More>
  E of(E first, More... more) {
    const E all[] = {first, static_cast<E>(more)...};
    return all[static_cast<std::size_t>(below(1 + static_cast<std::int64_t>(sizeof...(more))))];
  }
};

Architecture shape(Random& r) {
  constexpr std::int64_t sizes[] = {5'000'000, 150'000'000, 1'000'000'000, 7'000'000'000, 70'000'000'000};
  Architecture a = llama_like(sizes[r.below(5)]);
  a.family = r.of(Family::llama, Family::mistral, Family::qwen2, Family::qwen3, Family::gemma, Family::olmo2, Family::granite);
  if (r.one_in(3)) a.tie_word_embeddings = true;
  if (r.one_in(4)) a.qkv_bias = true;
  if (r.one_in(4)) a.q_norm_size = a.k_norm_size = a.head_dim;
  if (r.one_in(5)) a.sliding_window = 1024, a.global_every = r.of<std::int64_t>(0, 2, 6);
  if (r.one_in(5)) a.norm = Norm::layer;
  if (r.one_in(5)) a.gated_mlp = false;
  if (r.one_in(6)) a.num_experts = 8, a.num_experts_per_tok = 2, a.moe_intermediate_size = a.intermediate_size / 4, a.family = Family::mixtral;
  return a;
}

Scenario random_scenario(Random& r) {
  Scenario s;
  s.model.architecture = shape(r);
  s.method = r.of(Method::full, Method::full, Method::lora, Method::qlora, Method::inference);
  s.lora.r = r.of<std::int64_t>(4, 16, 64);
  s.lora.dropout = r.one_in(3) ? 0.05 : 0.0;
  s.quantization.double_quant = r.one_in(2);
  s.quantization.prepare_kbit = r.one_in(2);
  if (s.method != Method::qlora && r.one_in(4)) s.weights = DType::fp32;
  if (s.method == Method::full) {
    s.optim = r.of(Optimizer::adamw_torch, Optimizer::adamw_torch_fused, Optimizer::adamw_8bit, Optimizer::adamw_torch_4bit, Optimizer::adafactor,
                   Optimizer::sgd, Optimizer::lion_8bit, Optimizer::ademamix_8bit);
    s.master_weights = r.one_in(5);
  }
  s.per_device_train_batch_size = 1 + r.below(8);
  s.max_length = r.of<std::int64_t>(128, 512, 1000, 2048, 4096);
  s.gradient_accumulation_steps = r.of<std::int64_t>(1, 1, 4);
  s.gradient_checkpointing = r.of(Checkpointing::none, Checkpointing::full, Checkpointing::selective);
  s.attn_implementation = r.of(Attention::eager, Attention::sdpa, Attention::flash_attention_2);
  s.loss = r.of(Loss::full, Loss::full, Loss::chunked, Loss::fused, Loss::in_place);
  s.transformers = r.of(Transformers::v5, Transformers::v5, Transformers::v4_57, Transformers::v4_48, Transformers::v4_45);
  s.gpus = r.of<std::int64_t>(1, 1, 2, 8);
  s.gpu.memory = gib(80);
  return s;
}

MemoryEstimate memory(const Scenario& s) {
  Estimate e;
  estimate_memory(s, e);
  return e.memory;
}
Bytes largest(const MemoryEstimate& m, Category c) {
  Bytes most;
  for (std::size_t p = 0; p < kPhases; ++p)
    if (const Bytes size = m.ledger.phase_total(static_cast<Phase>(p), c); size > most) most = size;
  return most;
}
std::string told(const Scenario& s) {
  const Architecture& a = s.model.architecture;
  const auto name = [](auto e) { return std::string(Names<decltype(e)>::values[static_cast<std::size_t>(e)]); };
  return name(a.family) + " " + name(s.method) + " " + name(s.optim) + " " + name(s.gradient_checkpointing) + " " + name(s.attn_implementation) + " " +
         name(s.loss) + " " + name(s.transformers) + " " + name(weights_dtype(s)) + " layers " + std::to_string(a.num_hidden_layers) + " hidden " +
         std::to_string(a.hidden_size) + " batch " + std::to_string(s.per_device_train_batch_size) + " length " + std::to_string(s.max_length) + " gpus " +
         std::to_string(s.gpus) + " r " + std::to_string(s.lora.r) + " accumulation " + std::to_string(s.gradient_accumulation_steps) + " experts " +
         std::to_string(a.num_experts);
}

constexpr int kScenarios = 3000;

}  // namespace

TEST_CASE("every byte of a random scenario is counted once and none is negative") {
  Random r{0x9e3779b97f4a7c15u};
  for (int i = 0; i < kScenarios; ++i) {
    const Scenario s = random_scenario(r);
    const MemoryEstimate m = memory(s);
    INFO(told(s));
    Bytes at_peak, categories;
    for (const LedgerEntry& e : m.ledger.entries()) {
      REQUIRE(e.size > Bytes{});
      REQUIRE(e.size.in_bytes() < kMaxBytes);
      if (e.alive_in(m.peak_phase)) at_peak += e.size;
    }
    for (const Bytes c : m.categories) {
      REQUIRE(c >= Bytes{});
      categories += c;
    }
    REQUIRE(categories == m.device);
    REQUIRE(at_peak == m.device);
    REQUIRE(m.allocated <= m.reserved);
    REQUIRE(m.reserved <= m.device);
    REQUIRE(m.range_low <= m.device);
    REQUIRE(m.device <= m.range_high);
  }
}

TEST_CASE("a larger batch, length, rank or model never takes less memory") {
  Random r{0xd1b54a32d192ed03u};
  for (int i = 0; i < kScenarios; ++i) {
    Scenario s = random_scenario(r);
    // Not of these: a tensor that grows past 4096 elements, or to a multiple of the block, is quantized and then takes less.
    if (s.optim == Optimizer::adamw_torch_4bit || s.optim == Optimizer::adamw_8bit || s.optim == Optimizer::lion_8bit || s.optim == Optimizer::ademamix_8bit)
      s.optim = Optimizer::adamw_torch_fused;
    INFO(told(s));
    const Bytes before = memory(s).allocated;
    std::string changed = "batch";
    switch (r.below(5)) {
      case 0: s.per_device_train_batch_size += 1 + r.below(4); break;
      case 1: s.max_length += 1 + r.below(1024), changed = "length"; break;
      case 2: s.lora.r += 1 + r.below(64), changed = "rank"; break;
      case 3: s.model.architecture.num_hidden_layers += 1 + r.below(8), changed = "layers"; break;
      default: s.model.architecture.hidden_size += 128 * (1 + r.below(4)), changed = "hidden"; break;
    }
    CAPTURE(changed);
    REQUIRE(memory(s).allocated >= before);
  }
}

TEST_CASE("sharding never raises a GPU's share, and one GPU has nothing to shard") {
  Random r{0x94d049bb133111ebu};
  for (int i = 0; i < kScenarios; ++i) {
    Scenario s = random_scenario(r);
    if (s.method == Method::inference || s.method == Method::qlora) continue;
    s.gpus = r.of<std::int64_t>(1, 2, 8);
    const auto states_of = [&](DataParallel d) {
      s.parallelism.data = d;
      const MemoryEstimate m = memory(s);
      return largest(m, Category::weights) + largest(m, Category::gradients) + largest(m, Category::optimizer_states);
    };
    INFO(told(s));
    const Bytes ddp = states_of(DataParallel::ddp), one = states_of(DataParallel::zero1), two = states_of(DataParallel::zero2);
    const Bytes three = states_of(DataParallel::zero3);
    REQUIRE(one <= ddp);
    REQUIRE(two <= one);
    REQUIRE(three <= two);
    if (s.gpus == 1) REQUIRE(one == ddp);
    if (s.gpus == 1) REQUIRE(three == ddp);
  }
}

TEST_CASE("checkpointing never raises activations, and accumulation changes none") {
  Random r{0xbf58476d1ce4e5b9u};
  for (int i = 0; i < kScenarios; ++i) {
    Scenario s = random_scenario(r);
    if (s.method == Method::inference) continue;
    INFO(told(s));
    s.gradient_checkpointing = Checkpointing::none;
    const Bytes kept = largest(memory(s), Category::activations);
    s.gradient_checkpointing = Checkpointing::full;
    REQUIRE(largest(memory(s), Category::activations) <= kept);
    const Bytes inputs = memory(s).ledger.phase_total(Phase::loss, Category::activations);
    s.gradient_checkpointing = Checkpointing::selective;
    REQUIRE(memory(s).ledger.phase_total(Phase::loss, Category::activations) >= inputs);
    s.gradient_checkpointing = r.of(Checkpointing::none, Checkpointing::full);
    s.gradient_accumulation_steps = 1;
    const Bytes once = memory(s).ledger.phase_total(Phase::forward, Category::activations);
    s.gradient_accumulation_steps = 4;
    REQUIRE(memory(s).ledger.phase_total(Phase::forward, Category::activations) == once);
  }
}

TEST_CASE("8-bit optimizers keep embeddings and small tensors in 32 bits, but not under ZeRO's flat partitions") {
  Scenario s;
  s.model.architecture = llama_like(8'000'000'000);
  s.optim = Optimizer::adamw_8bit;
  s.gpu.memory = gib(80);
  const std::int64_t embedding = s.model.architecture.vocab_size * s.model.architecture.hidden_size;
  const auto states = [&] { return memory(s).ledger.phase_total(Phase::load, Category::optimizer_states).in_bytes(); };
  const std::int64_t trainer = states();
  s.gpus = 2, s.parallelism.data = DataParallel::zero1;
  const std::int64_t flat = 2 * states();
  // 32 bits instead of 8 and a 64th of 32 for scales, for both moments; norms are of 4,096 elements or fewer and add little.
  CHECK(trainer - flat >= 6 * embedding - embedding / 32);
  CHECK(trainer - flat < 6 * embedding + 4'000'000);
  s.gpus = 1, s.optim = Optimizer::adamw_torch_8bit;
  CHECK(states() < trainer - 5 * embedding);  // torchao quantizes embeddings as the rest
}

TEST_CASE("selective checkpointing keeps every other product and the attention's result, to the byte of torchtitan's policy") {
  Scenario s;
  s.model.architecture = llama_like(8'000'000'000);
  s.gpu.memory = gib(80);
  const Architecture& a = s.model.architecture;
  const auto activations = [&](Checkpointing c) {
    s.gradient_checkpointing = c;
    return memory(s).ledger.phase_total(Phase::forward, Category::activations).in_bytes();
  };
  // Queries, values, gate and down projections; the attention's result and its log-sum-exp.
  const std::int64_t each =
      2 * (2 * a.hidden_size + a.num_key_value_heads * a.head_dim + a.intermediate_size + a.num_attention_heads * a.head_dim) + 4 * a.num_attention_heads;
  CHECK(activations(Checkpointing::selective) - activations(Checkpointing::full) == a.num_hidden_layers * s.max_length * each);
  s.compile = true;
  CHECK(activations(Checkpointing::selective) - activations(Checkpointing::full) == a.num_hidden_layers * s.max_length * (each - 2 * a.hidden_size));
}

TEST_CASE("older losses hold more copies of the logits: 14 bytes each before 4.50, 12 before 4.46, 10 since; one written over them 4 fewer") {
  Scenario s;
  s.model.architecture = llama_like(8'000'000'000);
  s.per_device_train_batch_size = 1;
  const std::int64_t vocabulary = s.model.architecture.vocab_size, tokens = s.max_length;
  const auto logits = [&](Transformers version, Loss loss) {
    s.transformers = version, s.loss = loss;
    return memory(s).ledger.phase_total(Phase::loss, Category::logits).in_bytes() / vocabulary;
  };
  CHECK(logits(Transformers::v5, Loss::full) == 10 * tokens);
  CHECK(logits(Transformers::v4_57, Loss::full) == 10 * tokens);
  CHECK(logits(Transformers::v4_48, Loss::full) == 6 * tokens + 8 * (tokens - 1));
  CHECK(logits(Transformers::v4_45, Loss::full) == 4 * tokens + 8 * (tokens - 1));
  CHECK(logits(Transformers::v5, Loss::in_place) == 6 * tokens);
  CHECK(logits(Transformers::v4_48, Loss::in_place) == 6 * tokens + 4 * (tokens - 1));
}

TEST_CASE("transformers 4 holds experts as linear layers: QLoRA packs them, and an adapter is put on each") {
  Scenario s;
  Architecture& a = s.model.architecture;
  a = llama_like(8'000'000'000);
  a.family = Family::mixtral, a.num_experts = 8, a.num_experts_per_tok = 2, a.moe_intermediate_size = a.intermediate_size;
  s.gpu.memory = gib(80);
  s.method = Method::qlora;
  const std::int64_t experts = 3 * 8 * a.hidden_size * a.intermediate_size * a.num_hidden_layers;
  const auto weights = [&](Transformers version) {
    s.transformers = version;
    return memory(s).ledger.phase_total(Phase::load, Category::weights).in_bytes();
  };
  s.quantization.prepare_kbit = false;
  s.lora.target_modules.kind = TargetModules::Kind::attention;
  const double saved = static_cast<double>(weights(Transformers::v5) - weights(Transformers::v4_57)) / static_cast<double>(experts);
  CHECK(saved > 1.48);  // 2 bytes to half a byte and its scales
  CHECK(saved < 1.5);
  const auto trained = [&](Transformers version) { return lora_parameters(parameter_list(a, version), s.lora); };
  s.lora.target_modules.kind = TargetModules::Kind::all_linear;
  s.lora.r = 8;
  const std::int64_t attention = [&] {
    Lora only = s.lora;
    only.target_modules.kind = TargetModules::Kind::attention;
    return lora_parameters(parameter_list(a), only);
  }();
  CHECK(trained(Transformers::v4_57) - attention == a.num_hidden_layers * 8 * (8 * 3 * (a.hidden_size + a.intermediate_size) + a.hidden_size + 8));
}

TEST_CASE("adapters under the first FSDP: the gradients of all blocks' inputs stay, the second frees them") {
  Scenario s;
  s.model.architecture = llama_like(8'000'000'000);
  s.gpu.memory = gib(80);
  s.method = Method::lora, s.gpus = 2, s.parallelism.data = DataParallel::fsdp;
  s.gradient_checkpointing = Checkpointing::full, s.loss = Loss::chunked, s.max_length = 16'384;
  const auto peak = [&](Transformers version) {
    s.transformers = version;
    return memory(s).allocated.in_bytes();
  };
  const std::int64_t stream = 2 * s.max_length * s.model.architecture.hidden_size, layers = s.model.architecture.num_hidden_layers;
  // One block fewer is gathered at that moment.
  CHECK(peak(Transformers::v4_57) > peak(Transformers::v5) + (layers - 3) * stream - gib(1).in_bytes());
  CHECK(peak(Transformers::v4_57) < peak(Transformers::v5) + (layers + 1) * stream);
}
