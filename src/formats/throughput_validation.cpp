#include "formats/throughput_validation.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
#include "core/architecture.h"
#include "core/estimate.h"
#include "core/memory.h"
#include "formats/accuracy_tables.h"
#include "formats/throughput_folds.h"

namespace gpudget::formats {
namespace {

using std::string_view;

// As tools/throughput_to_cpp.cpp writes it.
struct Row {
  string_view id, model, gpu, method, kernels, precision, strategy, source, url;
  std::int64_t gpus, length, batch, accumulation;
  bool checkpointing;
  std::int64_t rank;
  bool fused_qkv_target;
  std::int64_t layers, hidden, heads, kv_heads, intermediate, vocab;
  bool tied, gated;
  std::int64_t experts, experts_per_token;
  double measured;
};

const std::vector<Row>& table() {
  static std::vector<Row> rows;
  if (!rows.empty()) return rows;
  for (const nlohmann::json& j : table_member(accuracy_table(AccuracyTable::throughput), "rows")) {
    if (!j.is_array() || j.size() != 27 || !j[26].is_number()) continue;
    const auto text = [&j](std::size_t i) { return table_text(j, i); };
    const auto number = [&j](std::size_t i) { return table_integer(j, i); };
    rows.push_back({text(0),    text(1),    text(2),    text(3),    text(4),         text(5),         text(6),         text(7),    text(8),
                    number(9),  number(10), number(11), number(12), number(13) != 0, number(14),      number(15) != 0, number(16), number(17),
                    number(18), number(19), number(20), number(21), number(22) != 0, number(23) != 0, number(24),      number(25), j[26].get<double>()});
  }
  return rows;
}

bool contains(string_view text, string_view part) { return text.find(part) != string_view::npos; }

// Fused norms, rotary embeddings and cross-entropy: fms-acceleration's "foak" kernels and Liger's.
bool fused(const Row& r) { return contains(r.kernels, "foak") || contains(r.kernels, "liger"); }

Architecture architecture_of(const Row& r) {
  Architecture a;
  a.vocab_size = r.vocab, a.hidden_size = r.hidden, a.intermediate_size = r.intermediate, a.num_hidden_layers = r.layers;
  a.num_attention_heads = r.heads, a.num_key_value_heads = r.kv_heads, a.head_dim = r.hidden / r.heads, a.rotary_dim = a.head_dim;
  a.max_position_embeddings = r.length;
  a.tie_word_embeddings = r.tied;
  a.gated_mlp = r.gated;
  if (contains(r.model, "mpt")) {
    a.family = Family::mpt;
    a.norm = Norm::layer_no_bias, a.activation = Activation::gelu, a.positions = Positions::learned, a.fused_qkv = true;
  } else if (contains(r.model, "bigcode")) {
    a.family = Family::gpt_bigcode;
    a.norm = Norm::layer, a.activation = Activation::gelu_tanh, a.positions = Positions::learned, a.fused_qkv = true;
    a.qkv_bias = a.attention_out_bias = a.mlp_bias = true;
    a.residual_dropout = a.embedding_dropout = a.attention_dropout = 0.1;  // its config.json
  } else if (r.experts > 0) {
    a.family = Family::mixtral;
    a.num_experts = r.experts, a.num_experts_per_tok = r.experts_per_token, a.moe_intermediate_size = r.intermediate;
  } else if (contains(r.model, "Mistral")) {
    a.family = Family::mistral;
  } else if (contains(r.model, "PowerLM")) {
    a.family = Family::granite;
  }
  return a;
}

double median_of(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}
double p90_of(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[(v.size() * 9 + 9) / 10 - 1];  // nearest rank
}

template <class Wanted>
ThroughputErrors errors_of(string_view group, const std::vector<ThroughputRow>& rows, Wanted wanted) {
  ThroughputErrors e;
  e.group = group;
  std::vector<double> size, sign, size_in_force, sign_in_force;
  std::size_t inside = 0;
  for (const ThroughputRow& r : rows) {
    if (!r.in_goal || !wanted(r)) continue;
    sign.push_back(r.left_out_error()), size.push_back(std::max(r.left_out_error(), -r.left_out_error()));
    sign_in_force.push_back(r.error()), size_in_force.push_back(std::max(r.error(), -r.error()));
    if (r.measured >= r.low && r.measured <= r.high) ++inside;
  }
  e.rows = sign.size();
  e.median = median_of(size), e.p90 = p90_of(size), e.bias = median_of(sign);
  e.median_in_force = median_of(size_in_force), e.p90_in_force = p90_of(size_in_force), e.bias_in_force = median_of(sign_in_force);
  if (e.rows > 0) e.within_range = static_cast<double>(inside) / static_cast<double>(e.rows);
  return e;
}

string_view method_of(const Row& r) { return r.method == "pretrain" ? string_view("full") : r.method; }

// What sets a row apart that is predicted badly; the rules are by configuration, not by error.
string_view why_of(const Row& r) {
  const bool adapters = r.method == "lora" || r.method == "qlora";
  if (contains(r.model, "bigcode") && r.method == "qlora") return "validate.why.small_adapters";
  if (r.experts > 0) return "validate.why.experts";
  if (r.method == "qlora" && contains(r.kernels, "baseline")) return "validate.why.kbit";
  if (!adapters && r.gpus > 1 && contains(r.model, "Llama")) return "validate.why.near_capacity";
  if (contains(r.model, "mpt-30b") && r.length >= 8192) return "validate.why.near_capacity";
  if (contains(r.model, "mpt-70b") && r.batch * r.length <= 4096) return "validate.why.few_tokens";
  if (contains(r.model, "mpt-760m") && r.gpu == "a100-80gb-sxm" && r.length <= 1024) return "validate.why.contradicts";
  if (r.gpus > 128) return "validate.why.many_nodes";
  if (r.precision == "amp_fp8") return "validate.why.fp8";
  return {};
}

StepConstants left_out_constants(string_view model) {
  StepConstants k;
  for (const ThroughputFold& f : kThroughputFolds) {
    if (f.model != model) continue;
    for (std::size_t i = 0; i < kFittedConstants.size(); ++i) k.*kFittedConstants[i] = f.values[i];
  }
  return k;
}

string_view source_of(const Row& r) { return contains(r.source, "llm-foundry") ? string_view("llm-foundry") : string_view("fms-acceleration"); }

template <class Key>
std::vector<ThroughputErrors> grouped(const std::vector<ThroughputRow>& rows, Key key) {
  std::vector<string_view> names;
  for (const ThroughputRow& r : rows)
    if (std::find(names.begin(), names.end(), key(r)) == names.end()) names.push_back(key(r));
  std::vector<ThroughputErrors> all;
  for (const string_view n : names) {
    ThroughputErrors e = errors_of(n, rows, [&](const ThroughputRow& r) { return key(r) == n; });
    if (e.rows > 0) all.push_back(e);
  }
  return all;
}

}  // namespace

std::size_t throughput_rows() { return table().size(); }
double measured_throughput(std::size_t i) { return table()[i].measured; }
string_view throughput_model(std::size_t i) { return table()[i].model; }

Scenario throughput_scenario(std::size_t i) {
  const Row& r = table()[i];
  Scenario s;
  s.model.source = ModelSpec::Source::config;
  s.model.id = r.model, s.model.name = r.model;
  s.model.architecture = architecture_of(r);
  if (const Gpu* g = catalog::find_gpu(r.gpu)) s.gpu = *g;
  s.gpus = r.gpus;
  s.max_length = r.length, s.per_device_train_batch_size = r.batch, s.gradient_accumulation_steps = r.accumulation;
  s.gradient_checkpointing = r.checkpointing ? Checkpointing::full : Checkpointing::none;
  s.loss = fused(r) ? Loss::fused : Loss::full;
  if (r.method == "lora" || r.method == "qlora") {
    s.method = r.method == "lora" ? Method::lora : Method::qlora;
    s.lora.r = r.rank > 0 ? r.rank : 16;
    s.quantization.prepare_kbit = contains(r.kernels, "baseline");  // the accelerated plugin leaves norms and head in 16 bits
    s.lora.target_modules.kind = TargetModules::Kind::attention;
  }
  if (r.strategy == "fsdp") s.parallelism.data = DataParallel::fsdp;
  if (r.strategy == "zero2") s.parallelism.data = DataParallel::zero2;
  if (r.precision == "amp_bf16" || r.precision == "amp_fp8" || (contains(r.source, "llm-foundry"))) {
    // Composer under FSDP: fp32 shards, gathered and reduced in 16 bits.
    s.master_weights = true;
  }
  if (r.precision == "amp_fp8") s.compute = DType::fp8;
  return s;
}

double predicted_throughput(const Scenario& s, const StepConstants& k) {
  Estimate e;
  estimate_memory(s, e);
  const double step = step_time(s, model_work(s, e.model), k).total;
  return static_cast<double>(tokens_per_step(s)) / step / static_cast<double>(s.gpus);
}

ThroughputValidation validate_throughput() {
  ThroughputValidation v;
  v.rows.reserve(table().size());
  Estimate e;
  for (std::size_t i = 0; i < table().size(); ++i) {
    const Row& r = table()[i];
    const Scenario s = throughput_scenario(i);
    ThroughputRow row;
    row.id = r.id, row.model = r.model, row.gpu = r.gpu, row.method = method_of(r);
    row.kernels = fused(r) ? "fused" : "plain";
    row.source = source_of(r), row.url = r.url, row.why = why_of(r);
    row.gpus = r.gpus, row.max_length = r.length, row.micro_batch = r.batch, row.accumulation = r.accumulation;
    row.checkpointing = r.checkpointing;
    row.measured = r.measured;
    estimate(s, e);
    const double gpus = static_cast<double>(s.gpus);
    row.predicted = e.compute.tokens_per_second.value() / gpus;
    row.low = e.compute.tokens_per_second_low.value() / gpus, row.high = e.compute.tokens_per_second_high.value() / gpus;
    row.left_out = predicted_throughput(s, left_out_constants(r.model));
    v.rows.push_back(row);
  }
  const auto every = [](const ThroughputRow&) { return true; };
  v.all = errors_of("all", v.rows, every);
  v.by_gpu = grouped(v.rows, [](const ThroughputRow& r) { return r.gpu; });
  v.by_method = grouped(v.rows, [](const ThroughputRow& r) { return r.method; });
  v.by_source = grouped(v.rows, [](const ThroughputRow& r) { return r.source; });
  const auto size = [&v](std::size_t i) { return std::max(v.rows[i].left_out_error(), -v.rows[i].left_out_error()); };
  for (std::size_t i = 0; i < table().size(); ++i) v.worst.push_back(i);
  std::stable_sort(v.worst.begin(), v.worst.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  if (v.worst.size() > 12) v.worst.resize(12);
  return v;
}

}  // namespace gpudget::formats
