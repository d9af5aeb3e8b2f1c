#include <doctest/doctest.h>

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/advice.h"
#include "core/estimate.h"
#include "formats/advice_patch.h"
#include "formats/estimate_json.h"
#include "formats/json_reader.h"
#include "formats/random_scenario.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/url_state.h"

using namespace gpudget;
using formats::default_scenario;
using formats::read_scenario;
using nlohmann::json;
using tests::random_scenario;

namespace {

formats::Error error_of(std::string_view text) {
  const auto s = read_scenario(text, default_scenario());
  REQUIRE_MESSAGE(!s, text);
  return s.error();
}

void paths_of(const json& v, const std::string& prefix, std::set<std::string>& out) {
  for (auto it = v.begin(); it != v.end(); ++it) {
    const std::string path = prefix.empty() ? it.key() : prefix + "." + it.key();
    out.insert(path);
    if (it->is_object()) paths_of(*it, path, out);
    if (it->is_array() && !it->empty() && it->front().is_object()) paths_of(it->front(), path, out);
  }
}

}  // namespace

TEST_CASE("500 random scenarios come back from JSON as they were, from the whole text and from the compact one") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Scenario s = random_scenario(seed);
    CAPTURE(seed);
    CAPTURE(formats::write_scenario(s));
    const auto whole = read_scenario(formats::write_scenario(s), random_scenario(seed + 1000));  // nothing of the base shines through
    REQUIRE_MESSAGE(whole, (whole ? std::string() : whole.error().path + ": " + whole.error().message()));
    CHECK(*whole == s);
    const auto compact = read_scenario(formats::write_scenario_compact(s), default_scenario());
    REQUIRE(compact);
    CHECK(*compact == s);
    CHECK(formats::write_scenario(*compact) == formats::write_scenario(s));
  }
}

TEST_CASE("500 random scenarios come back from a link, and each has one link") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Scenario s = random_scenario(seed, 0.15);
    const std::string link = formats::write_url_state(s);
    CAPTURE(link);
    const auto back = formats::read_url_state(link);
    REQUIRE(back);
    CHECK(*back == s);
    CHECK(formats::write_url_state(*back) == link);
    CHECK(link.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos);
  }
}

TEST_CASE("the difference of two random scenarios turns one into the other") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Scenario a = random_scenario(seed), b = random_scenario(seed + 5000);
    const auto patched = read_scenario(formats::write_difference(a, b), a);
    CAPTURE(seed);
    REQUIRE(patched);
    CHECK(*patched == b);
  }
}

TEST_CASE("an advice's patch is the advised scenario") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Scenario s = random_scenario(seed, 0.1);
    const json e = json::parse(formats::write_estimate(s, estimate(s), advise(s, estimate(s))));
    for (const json& a : e["advice"]) {
      const auto id = from_name<AdviceId>(a["id"].get<std::string>());
      REQUIRE(id);
      const auto patched = read_scenario(a["scenario_patch"].dump(), s);
      REQUIRE(patched);
      if (a["applicable"] == true)
        CHECK(*patched == formats::advised(*id, s));
      else
        CHECK(*patched == s);
    }
  }
}

TEST_CASE("damaged links are errors, whatever is damaged") {
  const std::string link = formats::write_url_state(random_scenario(7));
  tests::Random r(11);
  for (int i = 0; i < 2000; ++i) {
    std::string broken = link;
    broken[static_cast<std::size_t>(r.below(broken.size()))] = static_cast<char>(r.below(256));
    if (r.one_in(3)) broken.resize(static_cast<std::size_t>(r.below(broken.size())));
    const auto s = formats::read_url_state(broken);  // a changed digit of a number is another valid link; nothing may crash
    if (!s) CHECK_FALSE(s.error().message().empty());
  }
  CHECK(formats::read_url_state("").error().id == formats::ErrorId::bad_link);
  CHECK(formats::read_url_state("2abc").error().id == formats::ErrorId::bad_version);
  CHECK(formats::read_url_state("1!").error().id == formats::ErrorId::bad_link);
  CHECK(formats::read_url_state(link.substr(0, link.size() / 2)).error().path == "s");
}

TEST_CASE("the Scenario has every field of the contract, and no default is another than the contract's") {
  const json s = json::parse(formats::write_scenario(default_scenario()));
  const json contract = json::parse(R"({
    "model": "meta-llama/Llama-3.1-8B", "method": "full",
    "lora": {"r": 16, "target_modules": "all-linear", "dropout": 0.0, "dora": false, "adapter_dtype": "fp32"},
    "quantization": {"double_quant": true, "prepare_kbit": true},
    "compute": "bf16", "master_weights": false, "optim": "adamw_torch_fused", "optimizer_states": null,
    "per_device_train_batch_size": 1, "max_length": 2048, "gradient_accumulation_steps": 1, "gradient_checkpointing": "none",
    "attn_implementation": "flash_attention_2", "loss": "full", "max_grad_norm": 1.0, "optimizer_in_backward": false, "compile": false,
    "parallelism": {"data": "auto", "tensor": 1, "pipeline": 1, "context": 1, "expert": 1, "sequence_parallel": false, "offload": "none"},
    "gpu": "a100-80gb-sxm", "gpus": 1, "gpus_per_node": 8, "dataset": {"examples": 10000, "tokens_per_example": 512}, "epochs": 3, "throughput": null,
    "price": {"market": "on_demand", "usd_per_gpu_hour": null, "provider": null}, "runs": 1})");
  for (auto it = contract.begin(); it != contract.end(); ++it) {
    CAPTURE(it.key());
    REQUIRE(s.contains(it.key()));
    CHECK(s[it.key()] == *it);
  }
  CHECK(s.contains("weights"));
  CHECK(s.contains("gradients"));
  CHECK(weights_dtype(default_scenario()) == DType::bf16);
  CHECK(gradients_dtype(default_scenario()) == DType::bf16);
}

TEST_CASE("the Estimate has every field of the contract, and its categories sum to the device's bytes") {
  const std::set<std::string> contract{"model.name",
                                       "model.parameters",
                                       "model.active_parameters",
                                       "model.trainable_parameters",
                                       "memory.per_gpu.allocated",
                                       "memory.per_gpu.reserved",
                                       "memory.per_gpu.device",
                                       "memory.range.low",
                                       "memory.range.high",
                                       "memory.capacity",
                                       "memory.headroom",
                                       "memory.fits",
                                       "memory.confidence",
                                       "memory.peak_phase",
                                       "memory.phases.phase",
                                       "memory.phases.bytes",
                                       "memory.categories.weights",
                                       "memory.categories.gradients",
                                       "memory.categories.optimizer_states",
                                       "memory.categories.activations",
                                       "memory.categories.logits",
                                       "memory.categories.kv_cache",
                                       "memory.categories.buffers",
                                       "memory.categories.framework",
                                       "memory.ledger.id",
                                       "memory.ledger.category",
                                       "memory.ledger.bytes",
                                       "memory.ledger.from",
                                       "memory.ledger.to",
                                       "memory.ledger.formula",
                                       "memory.host_bytes",
                                       "compute.flops_per_token",
                                       "compute.tokens_per_step",
                                       "compute.step_seconds",
                                       "compute.tokens_per_second",
                                       "compute.mfu",
                                       "compute.bound",
                                       "time.training_tokens",
                                       "time.steps",
                                       "time.seconds",
                                       "time.seconds_all_runs",
                                       "cost.usd",
                                       "cost.usd_all_runs",
                                       "cost.usd_on_demand",
                                       "cost.usd_spot",
                                       "cost.priced_on",
                                       "cost.source",
                                       "advice.id",
                                       "advice.enabled",
                                       "advice.saves_bytes",
                                       "advice.saves_usd",
                                       "advice.costs_seconds",
                                       "advice.scenario_patch",
                                       "problems.severity",
                                       "problems.path",
                                       "problems.id",
                                       "problems.message"};
  Scenario wrong = default_scenario();
  REQUIRE(formats::set_field_text(wrong, "gpu", "v100-32gb-sxm"));  // no bf16 there: a problem to be said
  std::set<std::string> there;
  paths_of(json::parse(formats::write_estimate(wrong, estimate(wrong), advise(wrong, estimate(wrong)))), "", there);
  for (const std::string& path : contract) CHECK_MESSAGE(there.contains(path), path);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Scenario s = random_scenario(seed);
    const json e = json::parse(formats::write_estimate(s, estimate(s), advise(s, estimate(s))));
    std::int64_t sum = 0;
    for (const json& bytes : e["memory"]["categories"]) sum += bytes.get<std::int64_t>();
    CAPTURE(formats::write_scenario(s));
    CHECK(sum == e["memory"]["per_gpu"]["device"].get<std::int64_t>());
    CHECK(e["memory"]["fits"].get<bool>() == (e["memory"]["headroom"].get<std::int64_t>() >= 0));
    for (const json& v : {e["compute"]["step_seconds"], e["time"]["seconds"], e["cost"]["usd"], e["compute"]["mfu"]})
      CHECK(v.is_number());  // a value that is not finite would be null
  }
}

TEST_CASE("an error names the field, and what would do") {
  CHECK(error_of(R"({"lora":{"rank":3}})").path == "lora.rank");
  CHECK(error_of(R"({"lora":{"rank":3}})").suggestion == "lora.r");
  CHECK(error_of(R"({"max_len":3})").suggestion == "max_length");
  CHECK(error_of(R"({"batch_size":3})").suggestion == "per_device_train_batch_size");
  CHECK(error_of(R"({"zzz":3})").suggestion.empty());
  CHECK(error_of(R"({"zzz":3})").accepted.starts_with("one of model, method, lora"));
  CHECK(error_of(R"({"zzz":{"a":3}})").path == "zzz");
  CHECK(error_of(R"({"parallelism":{"tensor":2.5}})").path == "parallelism.tensor");
  CHECK(error_of(R"({"parallelism":{"tensor":0}})").id == formats::ErrorId::out_of_range);
  CHECK(error_of(R"({"gpus":1e300})").id == formats::ErrorId::out_of_range);
  CHECK(error_of(R"({"gpu":{"memory_gib":24,"bf16_tflops":1e-300}})").id == formats::ErrorId::out_of_range);
  CHECK(error_of(R"({"gpu":{"memory_gib":24,"memory_bandwidth_gb_s":-1}})").id == formats::ErrorId::out_of_range);
  CHECK(error_of(R"({"gpus":1e999})").path == "gpus");
  CHECK(error_of(R"({"gpus":"8"})").id == formats::ErrorId::wrong_type);
  CHECK(error_of(R"({"method":"full","method":"lora"})").id == formats::ErrorId::duplicate_key);
  CHECK(error_of(R"({"lora":{"r":1,"r":2}})").path == "lora.r");
  CHECK(error_of(R"({"dataset":{"tokens":5,"examples":3}})").path == "dataset.tokens");
  CHECK(error_of(R"({"model":{"params":"7B","config":{}}})").id == formats::ErrorId::contradiction);
  CHECK(error_of(R"({"model":"meta-llama/Llama-3.1-8"})").suggestion == "meta-llama/Llama-3.1-8B");
  CHECK(error_of("{").id == formats::ErrorId::not_json);
  CHECK(error_of("[1]").id == formats::ErrorId::wrong_type);
  CHECK(error_of(std::string(100'000, '[')).id == formats::ErrorId::too_deep);
  CHECK(error_of(std::string(formats::kMaxScenarioBytes + 1, ' ')).id == formats::ErrorId::too_large);
}

TEST_CASE("an error changes nothing") {
  Scenario s = random_scenario(3);
  const Scenario before = s;
  CHECK_FALSE(formats::set_field_text(s, "lora", R"({"r": 8, "dropout": 7})"));
  CHECK_FALSE(formats::set_field_text(s, "gpus", "0"));
  CHECK_FALSE(formats::set_field_text(s, "gpu", "b900"));
  CHECK_FALSE(formats::set_field_text(s, "dataset", R"({"examples": 3, "tokens": 4})"));
  CHECK(s == before);
}

TEST_CASE("--set takes JSON values, bare words and whole groups") {
  Scenario s = default_scenario();
  for (const auto& field : {std::pair{"method", "qlora"},
                            {"lora.r", "8"},
                            {"lora.dora", "true"},
                            {"parallelism", R"({"tensor": 2})"},
                            {"throughput", "1e4"},
                            {"weights", "null"},
                            {"price.provider", "\"course\""},
                            {"lora.target_modules", R"(["q_proj"])"},
                            {"gradient_checkpointing", "true"},
                            {"optim", "adamw_bnb_8bit"},
                            {"model", R"({"params": "13B"})"}}) {
    const auto done = formats::set_field_text(s, field.first, field.second);
    CHECK_MESSAGE(done, field.first);
  }
  CHECK(s.method == Method::qlora);
  CHECK(s.lora.r == 8);
  CHECK(s.lora.dora);
  CHECK(s.parallelism.tensor == 2);
  CHECK(s.throughput->value() == 1e4);
  CHECK_FALSE(s.weights);
  CHECK(s.price.provider.view() == "course");
  CHECK(s.gradient_checkpointing == Checkpointing::full);
  CHECK(s.optim == Optimizer::adamw_8bit);
  CHECK(s.model.source == ModelSpec::Source::params);
}

TEST_CASE("the schema describes itself: every path is found, every default is valid, every name is found again") {
  const json schema = json::parse(formats::schema_json());
  REQUIRE(schema.size() == formats::fields().size());
  Scenario s = default_scenario();
  for (const json& f : schema) {
    const auto path = f["path"].get<std::string>();
    CAPTURE(path);
    REQUIRE(formats::find_field(path) != nullptr);
    CHECK(formats::nearest_field(path) == path);
    if (path != "dataset.tokens") CHECK(formats::set_field_text(s, path, f["default"].dump()));
  }
  CHECK(s == default_scenario());
}

TEST_CASE("the quantization that a config.json says is the weights' type, and stands back behind one that is given") {
  const std::string config =
      R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"intermediate_size":11008,"vocab_size":32000,)";
  const auto weights = [&](const std::string& quantization, const std::string& rest = "") {
    const auto s =
        read_scenario(R"({"method":"lora","model":{"config":)" + config + R"("quantization_config":)" + quantization + "}}" + rest + "}", default_scenario());
    REQUIRE_MESSAGE(s, (s ? std::string() : s.error().path + s.error().message()));
    const auto back = read_scenario(formats::write_scenario(*s), default_scenario());
    REQUIRE(back);
    CHECK(*back == *s);
    return s->weights;
  };
  CHECK(weights(R"({"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_quant_type":"nf4"})") == DType::nf4);
  CHECK(weights(R"({"quant_method":"gptq","bits":4})") == DType::int4);
  CHECK(weights(R"({"quant_method":"gptq","bits":4})", R"(,"weights":"bf16")") == DType::bf16);
}
