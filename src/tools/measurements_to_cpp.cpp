// Host program of the build: turns the published memory measurements into JSON, in measurement_table.h (for formats/accuracy_tables.cpp) and, for the page,
// measurements.json: {"configs", "models", "stacks", "versions", "urls", "rows": [[id, places in those five, kind, fits, bytes, scenario]…], "left_out":
// [[reason, rows]…]}.
//   measurements_to_cpp tests/data/memory_measurements.json OUTPUT_FOLDER
// Every row becomes a Scenario, as JSON, with what was measured of it, or is left out with its reason; no row is dropped in silence. Fails where a row that
// should become one lacks what it needs.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;
using std::string;
using std::string_view;

bool contains(string_view text, string_view part) { return text.find(part) != string_view::npos; }
string text(const json& row, const char* key) { return row.contains(key) && row[key].is_string() ? row[key].get<string>() : string(); }
std::int64_t integer(const json& row, const char* key, std::int64_t absent = 0) {
  return row.contains(key) && row[key].is_number_integer() ? row[key].get<std::int64_t>() : absent;
}
// A field, or what its recorder inferred of it.
string stated(const json& row, const char* key) {
  if (string s = text(row, key); !s.empty()) return s;
  const auto inferred = row.find("inferred");
  return inferred != row.end() && inferred->is_object() && inferred->contains(key) ? text((*inferred)[key], "value") : string();
}
bool is_true(const json& row, const char* key) { return row.contains(key) && row[key].is_boolean() && row[key].get<bool>(); }

// The shape that a row publishes, as a config.json of the family whose modelling code the model has.
json config_of(const json& row) {
  const json& a = row["arch"];
  const string model = text(row, "model");
  const std::int64_t layers = integer(a, "layers"), hidden = integer(a, "hidden"), heads = integer(a, "heads"), kv = integer(a, "kv_heads", heads),
                     wide = integer(a, "intermediate"), vocab = integer(a, "vocab");
  json c;
  if (contains(model, "bigcode"))
    return {{"model_type", "gpt_bigcode"}, {"n_layer", layers},  {"n_embd", hidden}, {"n_head", heads}, {"n_inner", wide},
            {"vocab_size", vocab},         {"n_positions", 2048}};
  if (contains(model, "mosaicml/mpt"))
    return {{"model_type", "mpt"}, {"n_layers", layers}, {"d_model", hidden}, {"n_heads", heads}, {"vocab_size", vocab}, {"max_seq_len", 8192}};
  if (contains(model, "falcon-7b"))
    return {{"model_type", "falcon"}, {"num_hidden_layers", layers}, {"hidden_size", hidden}, {"num_attention_heads", heads},
            {"vocab_size", vocab},    {"multi_query", true},         {"parallel_attn", true}, {"new_decoder_architecture", false}};
  if (contains(model, "falcon-40b"))
    return {{"model_type", "falcon"}, {"num_hidden_layers", layers}, {"hidden_size", hidden}, {"num_attention_heads", heads},
            {"vocab_size", vocab},    {"num_kv_heads", kv},          {"parallel_attn", true}, {"new_decoder_architecture", true}};
  c = {{"num_hidden_layers", layers}, {"hidden_size", hidden}, {"num_attention_heads", heads}, {"intermediate_size", wide}, {"vocab_size", vocab}};
  if (kv != heads) c["num_key_value_heads"] = kv;
  if (a.contains("tied_embeddings") && a["tied_embeddings"].is_boolean()) c["tie_word_embeddings"] = a["tied_embeddings"];
  if (integer(a, "head_dim") > 0) c["head_dim"] = integer(a, "head_dim");
  if (contains(model, "Mixtral")) {
    c["model_type"] = "mixtral", c["num_local_experts"] = 8, c["num_experts_per_tok"] = 2;
  } else if (contains(model, "Mistral") || contains(model, "mistral")) {
    c["model_type"] = "mistral";
  } else if (contains(model, "PowerLM")) {
    c["model_type"] = "granite";
  } else if (contains(model, "stablelm-base-alpha")) {
    c["model_type"] = "gpt_neox";
  } else if (contains(model, "phi-1_5") || contains(model, "phi-2")) {
    c["model_type"] = "phi";
  } else if (contains(model, "Phi-3")) {
    c["model_type"] = "phi3";
  } else if (contains(model, "google/gemma")) {
    c["model_type"] = "gemma", c["tie_word_embeddings"] = true;
  } else if (contains(model, "Qwen/Qwen-")) {
    c["model_type"] = "qwen2", c["num_key_value_heads"] = kv;  // the first Qwen's blocks are Qwen2's with as many keys as queries
  } else if (contains(model, "Qwen2")) {
    c["model_type"] = "qwen2";
  } else if (contains(model, "Qwen3")) {
    c["model_type"] = "qwen3";
  } else if (contains(model, "Baichuan")) {
    c["model_type"] = "baichuan";
  } else {
    c["model_type"] = "llama";
  }
  return c;
}

// A catalog id, or the figures of one that the catalog does not have.
json gpu_of(const string& name) {
  static const std::map<string, string> ids{{"A100 80GB", "a100-80gb-sxm"},
                                            {"A100", "a100-80gb-sxm"},
                                            {"NVIDIA A100-SXM4-80GB", "a100-80gb-sxm"},
                                            {"A100-SXM4-40GB", "a100-40gb-sxm"},
                                            {"A100 40GB", "a100-40gb-sxm"},
                                            {"A10G 24GB", "a10g"},
                                            {"NVIDIA L40S", "l40s"},
                                            {"H100 80GB", "h100-80gb-sxm"},
                                            {"H800 80GB", "h800-80gb-sxm"},
                                            {"RTX 3090 24GB", "rtx-3090"},
                                            {"RTX 3090", "rtx-3090"},
                                            {"RTX 4090", "rtx-4090"},
                                            {"H200 141GB", "h200-sxm"}};
  if (const auto it = ids.find(name); it != ids.end()) return it->second;
  if (contains(name, "H100 96GB"))  // 49.58 GiB are 52.20 % of it (torchtitan's own log)
    return {{"name", "H100 96GB HBM2e"}, {"memory_gib", 94.97}, {"bf16_tflops", 989}, {"memory_bandwidth_gb_s", 2400}, {"generation", "hopper"}};
  return nullptr;
}

bool from_fms(const json& row) { return contains(text(row, "source"), "fms-acceleration"); }
bool lit(const json& row) { return contains(text(row, "source"), "litgpt"); }

json targets_of(const json& row) {
  const json lora = row.value("lora", json());
  const string model = text(row, "model");
  if (!lora.is_object() || !lora.contains("targets") || lora["targets"].is_null()) return nullptr;
  const bool fused = contains(model, "stablelm") || contains(model, "falcon");
  if (lora["targets"].is_string()) return lora["targets"] == "all-linear" ? json("all-linear") : json(nullptr);
  json out = json::array();
  const auto add = [&out](const char* name) {
    for (const json& have : out)
      if (have == name) return;
    out.push_back(name);
  };
  for (const json& t : lora["targets"]) {
    const string name = t.is_string() ? t.get<string>() : string();
    if (contains(name, "all linear")) return "all-linear";
    if (contains(name, "qkv") || (name == "c_attn" && contains(model, "Qwen"))) {
      contains(model, "Baichuan") ? add("qkv_proj") : (add("q_proj"), add("k_proj"), add("v_proj"));
    } else if (name == "c_attn" || name == "c_proj" || name == "c_fc") {
      if (contains(model, "bigcode")) add(name.c_str());
    } else if (name == "query" || name == "key" || name == "value") {
      add(fused ? "query_key_value" : name == "query" ? "q_proj" : name == "key" ? "k_proj" : "v_proj");
    } else if (name == "projection" || name == "output_proj") {
      add(fused ? "dense" : "o_proj");
    } else if (name == "mlp") {
      add("gate_proj"), add("up_proj"), add("down_proj");
    } else if (name == "head") {
      add("lm_head");
    } else if (!contains(model, "bigcode")) {
      add(name.c_str());
    }
  }
  return out;
}

const char* optimizer_of(const string& name) {
  if (contains(name, "foreach") || contains(name, "HF Trainer default") || name == "adamw_torch" || name == "adamw" || name == "decoupled_adamw" ||
      name == "AdamW" || name == "Adam" || name == "AdamW + optimizer_in_bwd")
    return "adamw_torch";
  if (contains(name, "AdamW fused")) return "adamw_torch_fused";
  if (contains(name, "PagedAdamW")) return "paged_adamw_32bit";
  if (contains(name, "8-bit AdamW") || name == "adamw_bnb_8bit" || name == "adamw_8bit") return "adamw_bnb_8bit";
  if (name == "SGD") return "sgd";
  return nullptr;
}

// Why a row is not compared; empty: it is. The words are ids of messages ("validate.left_out.<id>").
string left_out(const json& row) {
  const string grade = text(row, "grade"), kind = text(row, "kind"), method = text(row, "method"), held = stated(row, "weight_dtype");
  if (kind == "published_guideline") return "guideline";
  if (grade == "component") return "component";
  const bool limit = kind == "fits_or_oom";
  if (!(grade == "A" || (grade == "B" && limit))) return "incomplete";
  if (kind == "measured_unspecified") return "kind";
  if (method != "full" && method != "lora" && method != "qlora" && method != "dora") return "method";
  if (!row["arch"].is_object() || integer(row["arch"], "layers") == 0) return "incomplete";
  if (integer(row, "seq_len") == 0 || integer(row, "micro_batch") == 0 || integer(row, "num_gpus") == 0) return "incomplete";
  if (stated(row, "activation_checkpointing").empty() || optimizer_of(stated(row, "optimizer")) == nullptr) return "incomplete";
  if (text(row, "cpu_offload").starts_with("activations")) return "activation_offload";
  if (contains(held, "gptq")) return "gptq";
  const json p = row.value("parallel", json());
  if (p.is_object() && contains(text(p, "strategy"), "naive")) return "layers_over_gpus";
  if (integer(p.is_object() ? p : json::object(), "pp", 1) > 1) return "microbatches";
  if (contains(text(row, "notes"), "is a cap")) return "length";
  if (!limit && !row["value_gib"].is_number() && text(row, "unit_as_published") != "bytes") return "unit";
  if (gpu_of(text(row, "gpu")).is_null()) return "gpu";
  if ((method == "lora" || method == "qlora" || method == "dora") && targets_of(row).is_null()) return "incomplete";
  return {};
}

// The range of versions that the one a row names is in; nullptr: it names none, or has its own modelling code.
const char* transformers_of(const json& row) {
  const string notes = text(row, "notes");
  const std::size_t at = notes.find("transformers 4.");
  if (at == string::npos) return nullptr;
  const int minor = std::atoi(notes.c_str() + at + 15);
  return minor <= 45 ? "v4.45" : minor <= 49 ? "v4.48" : "v4.57";
}

json scenario_of(const json& row) {
  const string method = text(row, "method"), held = stated(row, "weight_dtype"), compute = stated(row, "compute_dtype"), notes = text(row, "notes");
  const json p = row.value("parallel", json::object());
  json s;
  s["method"] = method == "dora" ? "lora" : method;
  if (method != "full") {
    s["lora"] = {{"r", integer(row["lora"], "rank", 16)}, {"target_modules", targets_of(row)}};
    if (method == "dora") s["lora"]["dora"] = true;
    if (contains(stated(row, "grad_dtype"), "bf16") && (lit(row) || contains(notes, "torchtune"))) s["lora"]["adapter_dtype"] = "bf16";
    if (contains(stated(row, "grad_dtype"), "bf16") && contains(text(row, "source"), "fsdp_qlora")) s["lora"]["adapter_dtype"] = "bf16";
  }
  if (method == "qlora") {
    // fms-acceleration's own loader leaves norms, embeddings and head in 16 bits; its "baseline" calls peft's preparation,
    // which under FSDP changes nothing: there its peaks are the loader's, to the byte.
    // torchao's NF4Tensor always has 8-bit scalers, each with a factor for 256 of them.
    s["quantization"] = {{"double_quant", contains(held, "double") || contains(held, "nested") || contains(held, "torchao")},
                         {"prepare_kbit", contains(notes, "baseline-peft-bnb;") && integer(row, "num_gpus", 1) == 1}};
    if (!from_fms(row) && contains(text(row, "source"), "ms-swift")) s["quantization"]["prepare_kbit"] = true;
  } else if (!held.empty()) {
    s["weights"] = contains(held, "fp32") ? "fp32" : contains(held, "fp16") ? "fp16" : "bf16";
  }
  if (contains(compute, "fp8")) s["compute"] = "fp8";
  if (compute == "fp16" || compute == "fp32") s["compute"] = compute;
  if (is_true(row, "master_weights")) s["master_weights"] = true;
  s["optim"] = optimizer_of(stated(row, "optimizer"));
  if (contains(text(row, "optimizer"), "optimizer_in_bwd")) s["optimizer_in_backward"] = true;
  s["per_device_train_batch_size"] = integer(row, "micro_batch"), s["max_length"] = integer(row, "seq_len");
  if (integer(row, "grad_accum", 1) > 1) s["gradient_accumulation_steps"] = integer(row, "grad_accum", 1);
  s["gradient_checkpointing"] = stated(row, "activation_checkpointing");
  const string attention = stated(row, "attention"), loss = stated(row, "loss");
  s["attn_implementation"] = attention == "eager" ? "eager" : attention == "sdpa" ? "sdpa" : "flash_attention_2";
  if (loss == "chunked") s["loss"] = "chunked";
  if (loss == "fused") s["loss"] = "fused";
  // "fast kernels: fused CE (not fused linear)": torch.nn.CrossEntropyLoss replaced by Unsloth's, which writes the gradient over the logits.
  if (loss == "full_logits" && contains(notes, "fused CE")) s["loss"] = "in_place";
  if (loss == "fused CE (logits kept)") s["loss"] = "in_place";
  if (const char* version = transformers_of(row)) s["transformers"] = version;
  // torchtitan of December 2024 compiled the blocks alone, not the loss that `compile` has, too.
  if (is_true(row, "compile") && !contains(text(row, "source"), "llama3_h100_202412")) s["compile"] = true;
  const string strategy = text(p, "strategy");
  const std::int64_t tp = integer(p, "tp", 1), cp = integer(p, "cp", 1);
  json parallel = json::object();
  if (strategy == "fsdp" || strategy == "zero2" || strategy == "zero3" || strategy == "ddp") parallel["data"] = strategy;
  if (tp > 1) parallel["tensor"] = tp, parallel["sequence_parallel"] = is_true(p, "sequence_parallel");
  if (cp > 1) parallel["context"] = cp;
  if (is_true(row, "cpu_offload")) parallel["offload"] = strategy == "zero2" ? "optimizer" : "all";
  if (!parallel.empty()) s["parallelism"] = parallel;
  s["gpu"] = gpu_of(text(row, "gpu"));
  if (integer(row, "num_gpus", 1) > 1) s["gpus"] = integer(row, "num_gpus", 1);
  return s;
}

// What ran: the program, and its kernels or versions where the row says.
string stack_of(const json& row) {
  const string source = text(row, "source"), notes = text(row, "notes");
  string out;
  for (const string_view name : {"fms-acceleration", "torchtune", "torchtitan", "litgpt", "ms-swift", "fsdp_qlora", "llm-foundry", "ColossalAI", "unsloth",
                                 "huggingface/peft", "huggingface/blog", "BAdam", "xtuner"})
    if (out.empty() && contains(source, name)) out = name == "huggingface/peft" ? string("peft") : string(name);
  if (out.empty()) out = source.substr(0, source.find(' '));
  return out;
}
string version_of(const json& row) {
  const string notes = text(row, "notes");
  string out;
  if (contains(notes, "foak")) out = contains(notes, "liger") ? "foak, liger" : "foak";
  for (const string_view name : {"transformers ", "torch "}) {
    const std::size_t at = notes.find(name);
    if (at == string::npos || !from_fms(row)) continue;
    std::size_t end = at + name.size();
    while (end < notes.size() && (std::isdigit(static_cast<unsigned char>(notes[end])) != 0 || notes[end] == '.')) ++end;
    while (end > at && notes[end - 1] == '.') --end;
    out += (out.empty() ? "" : ", ") + notes.substr(at, end - at);
  }
  return out;
}

string literal(const string& text) { return "R\"~(" + text + ")~\""; }

struct Pool {
  std::vector<string> items;
  std::size_t of(const string& s) {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i] == s) return i;
    items.push_back(s);
    return items.size() - 1;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::cerr << "measurements_to_cpp: error: measurements_to_cpp MEASUREMENTS.json OUTPUT_FOLDER\n", 2;
  std::ifstream in(argv[1], std::ios::binary);
  const json rows = json::parse(in, nullptr, false);
  if (!rows.is_array() || rows.empty()) return std::cerr << "measurements_to_cpp: error: " << argv[1] << ": no list of rows\n", 1;
  Pool models, names, urls, stacks, versions;
  std::map<string, std::vector<string>> out_of;
  json table = json::array();
  for (const json& row : rows) {
    const string id = text(row, "id"), why = left_out(row);
    if (!why.empty()) {
      out_of[why].push_back(id);
      continue;
    }
    const string kind = text(row, "kind");
    std::int64_t measured = 0;
    if (row["value"].is_number() && text(row, "unit_as_published") == "bytes")
      measured = row["value"].get<std::int64_t>();
    else if (row["value_gib"].is_number())
      measured = std::llround(row["value_gib"].get<double>() * 1073741824.0);
    const char* k = kind == "measured_peak_allocated" ? "allocated" : kind == "measured_peak_reserved" ? "reserved" : kind == "nvidia_smi" ? "device" : "limit";
    if (measured <= 0 && string_view(k) != "limit") return std::cerr << "measurements_to_cpp: error: " << id << ": no bytes\n", 1;
    table.push_back(json::array({id, models.of(config_of(row).dump()), names.of(text(row, "model")), stacks.of(stack_of(row)), versions.of(version_of(row)),
                                 urls.of(text(row, "source_url")), k, is_true(row, "fits"), measured, scenario_of(row)}));
  }
  if (table.empty()) return std::cerr << "measurements_to_cpp: error: no row is complete\n", 1;
  json configs = json::array(), counted = json::array();
  for (const string& config : models.items) configs.push_back(json::parse(config));
  for (const auto& [why, ids] : out_of) counted.push_back(json::array({why, ids.size()}));
  const string all = json{{"configs", configs}, {"models", names.items}, {"stacks", stacks.items}, {"versions", versions.items},
                          {"urls", urls.items}, {"rows", table},         {"left_out", counted}}
                         .dump();
  std::ostringstream out;
  out << "// Made by tools/measurements_to_cpp.cpp from tests/data/memory_measurements.json: not to be edited.\n#pragma once\n\n"
         "namespace gpudget::formats::measurement_table {\n\ninline constexpr char kJson[] = R\"~("
      << all << ")~\";\n\n}  // namespace gpudget::formats::measurement_table\n";
  const auto write = [&](const char* name, const string& content) {
    const std::filesystem::path file = std::filesystem::path(argv[2]) / name;
    std::ofstream written(file, std::ios::binary);
    written << content;
    if (!written) std::cerr << "measurements_to_cpp: error: " << file.string() << " cannot be written\n";
    return static_cast<bool>(written);
  };
  std::filesystem::create_directories(argv[2]);
  // The names of the rows left out are for the command line alone, so that the page does not carry them.
  std::ostringstream ids;
  ids << "// Made by tools/measurements_to_cpp.cpp: not to be edited.\n#pragma once\n\nnamespace gpudget::formats::measurement_table {\n\n"
         "struct LeftOutRow {\n  const char *id, *why;\n};\ninline constexpr LeftOutRow kLeftOutRows[] = {\n";
  for (const auto& [why, list] : out_of)
    for (const string& id : list) ids << "    {" << literal(id) << ", " << literal(why) << "},\n";
  ids << "};\n\n}  // namespace gpudget::formats::measurement_table\n";
  return write("measurement_table.h", out.str()) && write("measurement_left_out.h", ids.str()) && write("measurements.json", all) ? 0 : 1;
}
