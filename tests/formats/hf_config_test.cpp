#include "formats/hf_config.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "catalog/catalog.h"
#include "core/parameters.h"

using namespace gpudget;
using namespace gpudget::formats;

namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::string fixture(std::string id) {
  id.replace(id.find('/'), 1, "--");
  return read_file(std::filesystem::path(GPUDGET_SOURCE_DIR) / "tests" / "data" / "configs" / (id + ".json"));
}
std::int64_t count(std::string_view text) {
  const auto m = read_hf_config(text);
  REQUIRE_MESSAGE(m, (m ? "" : m.error().path + ": " + m.error().message()));
  return count_parameters(m->architecture).total;
}
// The fixture with one piece of its text changed.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("real configs of every model of the catalog give its shape and its published size, and survive writing and reading") {
  std::size_t seen = 0;
  for (const ModelSpec& m : catalog::models()) {
    CAPTURE(std::string(m.id.view()));
    const auto read = read_hf_config(fixture(std::string(m.id.view())));
    REQUIRE_MESSAGE(read, (read ? "" : read.error().path + ": " + read.error().message()));
    CHECK(read->architecture == m.architecture);
    const std::string written = write_hf_config(m);
    REQUIRE_FALSE(written.empty());
    const auto back = read_hf_config(written);
    REQUIRE(back);
    CHECK(back->architecture == m.architecture);
    CHECK(back->id == m.id);
    ++seen;
  }
  CHECK(seen >= 60);
}

TEST_CASE("what a file leaves out is its own family's default, not Llama's") {
  CHECK(count(R"({"model_type": "gpt2"})") == 124'439'808);
  CHECK(count(R"({"model_type": "llama"})") == 6'738'415'616);
  const auto mistral = read_hf_config(
      R"({"model_type": "mistral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32})");
  REQUIRE(mistral);
  CHECK(mistral->architecture.num_key_value_heads == 8);
  CHECK(mistral->architecture.sliding_window == 4096);
  // Gemma 3's text_config says neither vocabulary nor heads.
  const auto gemma = read_hf_config(fixture("google/gemma-3-4b-pt"));
  REQUIRE(gemma);
  CHECK(gemma->architecture.vocab_size == 262'208);
  CHECK(gemma->architecture.num_attention_heads == 8);
  CHECK(gemma->architecture.tie_word_embeddings);
  // LLaVA's text_config says little more than its vocabulary.
  CHECK(count(R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064, "max_position_embeddings": 4096}})") == 6'738'939'904);
}

TEST_CASE("a family's defaults count what transformers' own class counts with its default configuration, and survive writing and reading") {
  // Counted on PyTorch's meta device with transformers 5.12: AutoModelForCausalLM.from_config(AutoConfig.for_model(name)).
  struct Family {
    std::string_view name;
    std::int64_t parameters;
  };
  constexpr Family kFamilies[] = {{"arcee", 4'022'766'080},
                                  {"biogpt", 346'763'264},
                                  {"bloom", 16'156'544},
                                  {"codegen", 6'050'882'784},
                                  {"cohere", 34'980'831'232},
                                  {"cohere2", 34'980'831'232},
                                  {"cwm", 32'581'097'472},
                                  {"deepseek_v2", 38'035'591'168},
                                  {"deepseek_v3", 671'026'404'352},
                                  {"ernie4_5", 360'748'032},
                                  {"ernie4_5_moe", 21'825'437'888},
                                  {"exaone4", 9'429'069'824},
                                  {"exaone_moe", 28'550'639'616},
                                  {"falcon", 6'921'720'704},
                                  {"flex_olmo", 33'270'665'216},
                                  {"gemma", 8'537'680'896},
                                  {"gemma2", 2'614'341'888},
                                  {"gemma3_text", 2'628'658'432},
                                  {"glm", 9'399'951'360},
                                  {"glm4", 9'400'279'040},
                                  {"glm4_moe_lite", 29'943'390'976},
                                  {"gpt2", 124'439'808},
                                  {"gpt_bigcode", 111'446'784},
                                  {"gpt_neo", 1'315'575'808},
                                  {"gpt_neox", 20'554'567'680},
                                  {"gpt_oss", 116'829'156'672},
                                  {"gptj", 6'050'882'784},
                                  {"granite", 6'738'415'616},
                                  {"granitemoe", 37'039'116'288},
                                  {"granitemoeshared", 37'039'116'288},
                                  {"helium", 2'172'643'840},
                                  {"hyperclovax", 6'738'677'760},
                                  {"jais2", 8'090'401'280},
                                  {"llama", 6'738'415'616},
                                  {"llama4_text", 107'769'861'120},
                                  {"mellum", 12'149'923'072},
                                  {"minimax_m2", 228'689'748'992},
                                  {"ministral3", 8'489'553'920},
                                  {"mistral", 7'241'732'096},
                                  {"mixtral", 46'702'792'704},
                                  {"mpt", 1'311'213'568},
                                  {"olmo", 6'888'095'744},
                                  {"olmo2", 6'888'624'128},
                                  {"olmo3", 6'888'624'128},
                                  {"olmoe", 13'361'612'800},
                                  {"opt", 125'239'296},
                                  {"phi", 1'418'270'720},
                                  {"phi3", 3'821'079'552},
                                  {"phimoe", 41'872'793'600},
                                  {"qwen2", 12'049'846'272},
                                  {"qwen2_moe", 14'315'784'192},
                                  {"qwen3", 12'049'461'248},
                                  {"qwen3_moe", 15'350'731'776},
                                  {"seed_oss", 28'921'040'896},
                                  {"smollm3", 3'075'098'624},
                                  {"solar_open", 102'651'793'408},
                                  {"stablelm", 2'795'443'200},
                                  {"starcoder2", 3'030'371'328},
                                  {"vaultgemma", 2'614'222'080},
                                  {"xglm", 564'463'616},
                                  {"youtu", 1'961'560'064}};
  for (const Family& family : kFamilies) {
    CAPTURE(std::string(family.name));
    const auto read = read_hf_config(std::string(R"({"model_type": ")").append(family.name).append("\"}"));
    REQUIRE_MESSAGE(read, (read ? "" : read.error().path + ": " + read.error().message()));
    CHECK(count_parameters(read->architecture).total == family.parameters);
    const auto back = read_hf_config(write_hf_config(*read));
    REQUIRE_MESSAGE(back, (back ? "" : back.error().path + ": " + back.error().message()));
    CHECK(back->architecture == read->architecture);
  }
}

TEST_CASE("null means not there where the family says so") {
  const std::string text = fixture("mistralai/Mistral-7B-Instruct-v0.2");
  const auto m = read_hf_config(text);
  REQUIRE(m);
  CHECK(m->architecture.sliding_window == 0);
  const auto heads = read_hf_config(R"({"model_type": "mistral", "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": null})");
  REQUIRE(heads);
  CHECK(heads->architecture.num_key_value_heads == 32);
}

TEST_CASE("a family by its class where model_type is missing") {
  const auto m = read_hf_config(R"({"architectures": ["Qwen2ForCausalLM"], "vocab_size": 151936, "hidden_size": 896, "intermediate_size": 4864,
    "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2, "tie_word_embeddings": true})");
  REQUIRE(m);
  CHECK(m->architecture.family == Family::qwen2);
  CHECK(count_parameters(m->architecture).total == 494'032'768);
}

TEST_CASE("quantization_config is read as the weights' type") {
  const std::string llama = R"({"model_type": "llama", "quantization_config": )";
  struct Case {
    const char* config;
    DType type;
  };
  for (const Case& c : {Case{R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "quant_method": "bitsandbytes"})", DType::nf4},
                        Case{R"({"load_in_8bit": true, "quant_method": "bitsandbytes"})", DType::int8},
                        Case{R"({"bits": 4, "quant_method": "gptq"})", DType::int4}, Case{R"({"bits": 4, "quant_method": "awq"})", DType::int4},
                        Case{R"({"quant_method": "fp8", "fmt": "e4m3"})", DType::fp8}, Case{R"({"quant_method": "mxfp4"})", DType::int4}}) {
    CAPTURE(c.config);
    const auto read = inspect_hf_config(llama + c.config + "}");
    REQUIRE(read);
    REQUIRE(read->quantized_weights);
    CHECK(*read->quantized_weights == c.type);
  }
  const auto unknown = inspect_hf_config(llama + R"({"quant_method": "magic"}})");
  REQUIRE(unknown);
  CHECK_FALSE(unknown->quantized_weights);
  CHECK(std::any_of(unknown->assumed.begin(), unknown->assumed.end(), [](const std::string& s) { return s.find("magic") != std::string::npos; }));
}

TEST_CASE("a damaged config is an error that names the field") {
  const std::string llama = fixture("meta-llama/Llama-3.1-8B"), qwen_moe = fixture("Qwen/Qwen3-30B-A3B"), gemma = fixture("google/gemma-3-4b-pt");
  struct Case {
    std::string text;
    const char* path;
    ErrorId id;
  };
  const Case cases[] = {
      {with(llama, "\"num_hidden_layers\": 32", "\"layers\": 32"), "num_hidden_layers", ErrorId::missing_field},
      {with(llama, "\"hidden_size\": 4096", "\"hidden_size\": null"), "hidden_size", ErrorId::missing_field},
      {with(llama, "\"vocab_size\": 128256", "\"vocab_size\": \"many\""), "vocab_size", ErrorId::wrong_type},
      {with(llama, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 0"), "num_hidden_layers", ErrorId::out_of_range},
      {with(llama, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": -1"), "num_hidden_layers", ErrorId::out_of_range},
      {with(llama, "\"hidden_size\": 4096", "\"hidden_size\": 1e300"), "hidden_size", ErrorId::out_of_range},
      {with(llama, "\"hidden_size\": 4096", "\"hidden_size\": 4096.5"), "hidden_size", ErrorId::wrong_type},
      {with(llama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7"), "num_key_value_heads", ErrorId::contradiction},
      {with(llama, "\"model_type\": \"llama\"", "\"model_type\": \"lama\""), "model_type", ErrorId::unknown_family},
      {with(llama, "\"model_type\": \"llama\"", "\"model_type\": 7"), "model_type", ErrorId::wrong_type},
      {with(llama, "\"hidden_act\": \"silu\"", "\"hidden_act\": \"sigh\""), "hidden_act", ErrorId::unknown_name},
      {with(llama, "\"mlp_bias\": false", "\"mlp_bias\": \"no\""), "mlp_bias", ErrorId::wrong_type},
      {with(llama, "\"hidden_size\": 4096", "\"hidden_size\": 4096, \"hidden_size\": 8192"), "hidden_size", ErrorId::duplicate_key},
      {with(qwen_moe, "\"num_experts_per_tok\": 8", "\"num_experts_per_tok\": 800"), "num_experts_per_tok", ErrorId::contradiction},
      {with(qwen_moe, "\"model_type\": \"qwen3_moe\"", "\"model_type\": \"qwen3\""), "num_experts", ErrorId::contradiction},
      {with(gemma, "\"num_hidden_layers\": 34", "\"num_hidden_layers\": true"), "text_config.num_hidden_layers", ErrorId::wrong_type},
      {R"({"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text"}})", "text_config.model_type", ErrorId::unknown_family},
      {"{}", "model_type", ErrorId::missing_field},
      {"[1, 2]", "", ErrorId::wrong_type},
      {llama.substr(0, llama.size() / 2), "", ErrorId::not_json},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto read = read_hf_config(c.text);
    REQUIRE_FALSE(read);
    CHECK(read.error().id == c.id);
    if (c.id != ErrorId::not_json) CHECK(read.error().path == c.path);
    CHECK_FALSE(read.error().message().empty());
  }
  CHECK(read_hf_config(cases[8].text).error().suggestion == "llama");
  CHECK(read_hf_config(cases[0].text, "model.config").error().path == "model.config.num_hidden_layers");
}

TEST_CASE("a text that is too large or too deep is refused before it is read") {
  const auto large = read_hf_config(std::string(50u << 20, ' '));
  REQUIRE_FALSE(large);
  CHECK(large.error().id == ErrorId::too_large);
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "{\"text_config\":";
  const auto nested = read_hf_config(deep);
  REQUIRE_FALSE(nested);
  CHECK(nested.error().id == ErrorId::too_deep);
}

TEST_CASE("every text cut short or with one byte changed is read or refused, never worse") {
  const std::string text = fixture("google/gemma-3-4b-pt");
  for (std::size_t i = 0; i < text.size(); ++i) {
    (void)read_hf_config(std::string_view(text).substr(0, i));
    for (const char c : {'0', '-', '"', '}', 'e'}) {
      std::string changed = text;
      changed[i] = c;
      const auto read = read_hf_config(changed);
      if (read) CHECK(count_parameters(read->architecture).total > 0);
    }
  }
}

TEST_CASE("the largest sizes that are accepted stay inside 64 bits") {
  const auto m = read_hf_config(R"({"model_type": "llama", "vocab_size": 100000000, "hidden_size": 10000000, "intermediate_size": 10000000,
    "num_hidden_layers": 10000, "num_attention_heads": 10000000})");
  REQUIRE(m);
  CHECK(count_parameters(m->architecture).total == kMaxBytes);
}

TEST_CASE("a safetensors index gives the bytes of the tensors") {
  const auto index =
      read_safetensors_index(R"({"metadata": {"total_size": 16060522496}, "weight_map": {"lm_head.weight": "a.safetensors", "b": "b.safetensors"}})");
  REQUIRE(index);
  CHECK(index->total_size == 2 * 8'030'261'248);
  CHECK(index->tensors == 2);
  const auto no_size = read_safetensors_index(R"({"metadata": {}, "weight_map": {}})");
  REQUIRE_FALSE(no_size);
  CHECK(no_size.error().path == "metadata.total_size");
  CHECK_FALSE(read_safetensors_index(R"({"metadata": {"total_size": 1}})"));
  CHECK_FALSE(read_safetensors_index("{\"metadata\""));
}
