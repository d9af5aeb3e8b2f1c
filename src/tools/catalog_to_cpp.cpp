// Host program of the build: turns assets/models.json, gpus.json and prices.json into tables.h, included by catalog/catalog.cpp alone.
//   catalog_to_cpp ASSETS_FOLDER OUTPUT_FOLDER
// Each file is a JSON list of rows. A model's "architecture" has the fields of core/architecture.h by name, those at their default left out.
// Fails, naming file, row and field, on an unknown or missing field, a wrong type, a value out of range, an id that stands twice, a fact
// without source, a price without date or for a GPU that is not in the catalog, and figures that look like sparse ones.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/architecture.h"
#include "core/scenario.h"

namespace {

using gpudget::Architecture;
using nlohmann::json;

int failures = 0;

void fail(const std::string& what) {
  std::cerr << "catalog_to_cpp: error: " << what << '\n';
  ++failures;
}

json read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  json rows;
  try {
    rows = json::parse(text);
  } catch (const json::exception& e) {
    fail(file.string() + ": " + e.what());
    return json::array();
  }
  if (!rows.is_array()) {
    fail(file.string() + ": not a list of rows");
    return json::array();
  }
  return rows;
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string number(double v) {
  std::ostringstream out;
  out.precision(17);
  out << v;
  return out.str();
}

// Reads a row's fields one by one; what is left over at the end is an error.
class Row {
 public:
  Row(const json& row, std::string where) : row_(row), where_(std::move(where)) {
    if (!row_.is_object()) fail(where_ + ": not an object");
  }
  ~Row() {
    if (!row_.is_object()) return;
    for (const auto& [key, value] : row_.items())
      if (seen_.count(key) == 0) fail(where_ + ": unknown field '" + key + "'");
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  bool has(const std::string& key) const { return row_.is_object() && row_.contains(key); }
  const std::string& where() const { return where_; }
  std::string text(const std::string& key, std::size_t longest, bool required = true) {
    const json* v = get(key, required);
    if (v == nullptr) return {};
    if (!v->is_string() || v->get<std::string>().empty() || v->get<std::string>().size() > longest) {
      fail(where_ + ": '" + key + "' is not a text of 1 to " + std::to_string(longest) + " bytes");
      return {};
    }
    return v->get<std::string>();
  }
  double real(const std::string& key, double low, double high, bool required = true) {
    const json* v = get(key, required);
    if (v == nullptr) return 0;
    if (!v->is_number() || v->get<double>() < low || v->get<double>() > high) {
      fail(where_ + ": '" + key + "' is not a number from " + number(low) + " to " + number(high));
      return 0;
    }
    return v->get<double>();
  }
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high, bool required = true) {
    const json* v = get(key, required);
    if (v == nullptr) return 0;
    if (!v->is_number_integer() || v->get<std::int64_t>() < low || v->get<std::int64_t>() > high) {
      fail(where_ + ": '" + key + "' is not a whole number from " + std::to_string(low) + " to " + std::to_string(high));
      return 0;
    }
    return v->get<std::int64_t>();
  }
  bool flag(const std::string& key, bool otherwise) {
    const json* v = get(key, false);
    if (v == nullptr) return otherwise;
    if (!v->is_boolean()) fail(where_ + ": '" + key + "' is not true or false");
    return v->is_boolean() ? v->get<bool>() : otherwise;
  }
  // A name of an enum, as C++ writes it.
  template <class E>
  std::string choice(const std::string& key, std::string_view type) {
    const std::string name = text(key, 64);
    if (!gpudget::from_name<E>(name)) fail(where_ + ": '" + key + "' has no value '" + name + "'");
    return std::string(type) + "::" + name;
  }
  const json* get(const std::string& key, bool required) {
    seen_.insert(key);
    if (!has(key)) {
      if (required) fail(where_ + ": lacks '" + key + "'");
      return nullptr;
    }
    return &row_[key];
  }

 private:
  const json& row_;
  std::string where_;
  std::set<std::string> seen_;
};

bool is_date(const std::string& s) {
  if (s.size() != 10 || s[4] != '-' || s[7] != '-') return false;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (i != 4 && i != 7 && (s[i] < '0' || s[i] > '9')) return false;
  const int month = std::stoi(s.substr(5, 2)), day = std::stoi(s.substr(8, 2));
  return s >= "2020-01-01" && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool is_lower_id(const std::string& id) { return !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos; }

// The fields of Architecture in the order of its declaration, which is the order that designated initialisers need.
struct ArchitectureField {
  enum class Kind { integer, flag, real, family, norm, activation, positions } kind;
  const char* name;
  std::int64_t limit;
};
using K = ArchitectureField::Kind;
const std::vector<ArchitectureField> kArchitecture{
    {K::family, "family", 0},
    {K::integer, "vocab_size", gpudget::kMaxVocab},
    {K::integer, "hidden_size", gpudget::kMaxWidth},
    {K::integer, "intermediate_size", gpudget::kMaxWidth},
    {K::integer, "num_hidden_layers", gpudget::kMaxLayers},
    {K::integer, "num_attention_heads", gpudget::kMaxWidth},
    {K::integer, "num_key_value_heads", gpudget::kMaxWidth},
    {K::integer, "head_dim", gpudget::kMaxWidth},
    {K::integer, "max_position_embeddings", gpudget::kMaxContext},
    {K::integer, "position_offset", gpudget::kMaxContext},
    {K::integer, "word_embed_proj_dim", gpudget::kMaxWidth},
    {K::flag, "tie_word_embeddings", 0},
    {K::norm, "norm", 0},
    {K::integer, "norms_per_layer", 8},
    {K::flag, "final_norm", 0},
    {K::flag, "embedding_norm", 0},
    {K::flag, "gated_mlp", 0},
    {K::activation, "activation", 0},
    {K::positions, "positions", 0},
    {K::integer, "rotary_dim", gpudget::kMaxWidth},
    {K::flag, "qkv_bias", 0},
    {K::flag, "attention_out_bias", 0},
    {K::flag, "mlp_bias", 0},
    {K::flag, "lm_head_bias", 0},
    {K::flag, "fused_qkv", 0},
    {K::flag, "fused_gate_up", 0},
    {K::flag, "parallel_residual", 0},
    {K::integer, "q_norm_size", gpudget::kMaxWidth},
    {K::integer, "k_norm_size", gpudget::kMaxWidth},
    {K::flag, "attention_sinks", 0},
    {K::integer, "sliding_window", gpudget::kMaxContext},
    {K::integer, "global_every", gpudget::kMaxLayers},
    {K::flag, "attention_softcap", 0},
    {K::flag, "logits_softcap", 0},
    {K::flag, "logits_scaled", 0},
    {K::flag, "embedding_scaled", 0},
    {K::flag, "residual_scaled", 0},
    {K::real, "attention_dropout", 1},
    {K::real, "residual_dropout", 1},
    {K::real, "embedding_dropout", 1},
    {K::integer, "num_experts", gpudget::kMaxExperts},
    {K::integer, "num_experts_per_tok", gpudget::kMaxExperts},
    {K::integer, "moe_intermediate_size", gpudget::kMaxWidth},
    {K::integer, "shared_intermediate_size", gpudget::kMaxWidth},
    {K::flag, "shared_expert_gate", 0},
    {K::flag, "router_bias", 0},
    {K::flag, "router_correction", 0},
    {K::flag, "expert_bias", 0},
    {K::integer, "first_k_dense_replace", gpudget::kMaxLayers},
    {K::integer, "q_lora_rank", gpudget::kMaxWidth},
    {K::integer, "kv_lora_rank", gpudget::kMaxWidth},
    {K::integer, "qk_rope_head_dim", gpudget::kMaxWidth},
    {K::integer, "qk_nope_head_dim", gpudget::kMaxWidth},
    {K::integer, "v_head_dim", gpudget::kMaxWidth},
};

std::string architecture(const json& fields, const std::string& where) {
  Row row(fields, where);
  std::string out = "{";
  for (const ArchitectureField& f : kArchitecture) {
    const std::string name = f.name;
    if (name == "family" || name == "vocab_size" || name == "hidden_size" || name == "num_hidden_layers" || name == "num_attention_heads" ||
        name == "num_key_value_heads" || name == "head_dim" || name == "max_position_embeddings")
      row.get(name, true);
    if (!row.has(name)) continue;
    std::string value;
    switch (f.kind) {
      case K::integer: value = std::to_string(row.integer(name, 0, f.limit)); break;
      case K::flag: value = row.flag(name, false) ? "true" : "false"; break;
      case K::real: value = number(row.real(name, 0, static_cast<double>(f.limit))); break;
      case K::family: value = row.choice<gpudget::Family>(name, "Family"); break;
      case K::norm: value = row.choice<gpudget::Norm>(name, "Norm"); break;
      case K::activation: value = row.choice<gpudget::Activation>(name, "Activation"); break;
      case K::positions: value = row.choice<gpudget::Positions>(name, "Positions"); break;
    }
    out += (out.size() > 1 ? ", ." : ".") + name + " = " + value;
  }
  return out + "}";
}

void check_url(const std::string& where, const std::string& url) {
  if (!url.empty() && url.rfind("https://", 0) != 0) fail(where + ": 'source' is not an https address");
}

void models(const std::filesystem::path& file, std::ostream& out) {
  std::set<std::string> ids, names;
  std::ostringstream sources;
  out << "inline constexpr ModelSpec kModels[] = {\n";
  for (const json& fields : read(file)) {
    const std::string label = fields.is_object() && fields.contains("id") ? fields["id"].dump() : fields.dump().substr(0, 60);
    Row row(fields, file.filename().string() + " " + label);
    const std::string id = row.text("id", 96), name = row.text("name", 96), source = row.text("source", 300);
    const std::int64_t parameters = row.integer("parameters", 1, gpudget::kMaxBytes);
    row.text("parameters_source", 300, false);
    if (!ids.insert(id).second) fail(row.where() + ": stands there twice");
    if (!names.insert(name).second) fail(row.where() + ": the name '" + name + "' stands there twice");
    if (id.find('/') == std::string::npos) fail(row.where() + ": the id is not a Hugging Face repository, owner/name");
    check_url(row.where(), source);
    const json* shape = row.get("architecture", true);
    if (shape == nullptr) continue;
    out << "    {ModelSpec::Source::catalog, " << literal(id) << ", " << literal(name) << ", " << parameters << ",\n     "
        << architecture(*shape, row.where() + " architecture") << "},\n";
    sources << "    " << literal(source) << ",\n";
  }
  out << "};\ninline constexpr std::string_view kModelSources[] = {\n" << sources.str() << "};\n\n";
}

std::set<std::string> gpus(const std::filesystem::path& file, std::ostream& out) {
  std::set<std::string> ids, names;
  std::ostringstream facts;
  out << "inline constexpr Gpu kGpus[] = {\n";
  for (const json& fields : read(file)) {
    const std::string label = fields.is_object() && fields.contains("id") ? fields["id"].dump() : fields.dump().substr(0, 60);
    Row row(fields, file.filename().string() + " " + label);
    const std::string id = row.text("id", 48), name = row.text("name", 64), maker = row.text("maker", 32), source = row.text("source", 300);
    const std::string generation = row.choice<gpudget::GpuGeneration>("generation", "GpuGeneration");
    const std::string kind = row.text("class", 32);
    const std::int64_t label_gb = row.integer("label_gb", 1, 4096), mib = row.integer("memory_mib", 256, 4'000'000);
    row.text("memory_source", 300);
    const double fp32 = row.real("fp32_tflops", 0, 1e5), tf32 = row.real("tf32_tflops", 0, 1e5, false), bf16 = row.real("bf16_tflops", 0, 1e5, false),
                 fp16 = row.real("fp16_tflops", 0, 1e5, false), fp8 = row.real("fp8_tflops", 0, 1e5, false), int8 = row.real("int8_tflops", 0, 1e5, false),
                 achievable = row.real("bf16_tflops_achievable", 0, 1e5, false), bandwidth = row.real("memory_bandwidth_gb_s", 10, 1e5),
                 interconnect = row.real("interconnect_gb_s", 0, 1e4), network = row.real("network_gb_s", 0, 1e4, false);
    const bool supports_bf16 = row.flag("supports_bf16", true), flash = row.flag("supports_flash_attention", true);
    row.text("note", 300, false);
    if (!is_lower_id(id)) fail(row.where() + ": the id is not of lower-case letters, digits, '-' and '.'");
    if (!ids.insert(id).second) fail(row.where() + ": stands there twice");
    if (!names.insert(name).second) fail(row.where() + ": the name '" + name + "' stands there twice");
    if (kind != "datacenter" && kind != "workstation" && kind != "consumer") fail(row.where() + ": 'class' is not datacenter, workstation or consumer");
    check_url(row.where(), source);
    // What the driver reports is never above the label counted in GiB, nor much below it counted in GB.
    const double bytes = static_cast<double>(mib) * 1048576.0;
    if (bytes > static_cast<double>(label_gb) * 1073741824.0 || bytes < static_cast<double>(label_gb) * 0.9e9)
      fail(row.where() + ": 'memory_mib' does not go with 'label_gb'");
    if (supports_bf16 && bf16 <= 0) fail(row.where() + ": supports bf16, but has no bf16_tflops");
    if (!supports_bf16 && bf16 > 0) fail(row.where() + ": has bf16_tflops, but does not support bf16");
    if (achievable > bf16) fail(row.where() + ": more bf16 is measured than its peak");
    // Halving the width at most doubles the dense rate of a chip (rounding aside); four times is a figure with sparsity. GeForce cards are the
    // exception in int8: their 16-bit rates are the halved ones with fp32 accumulation.
    const auto check_ratio = [&](const char* narrow_name, double narrow, const char* wide_name, double wide) {
      if (wide > 0 && narrow > 2.1 * wide) fail(row.where() + ": " + narrow_name + " is more than twice " + wide_name + ": one of them is not dense");
    };
    if (maker == "NVIDIA") check_ratio("bf16", bf16, "tf32", tf32);
    check_ratio("fp8", fp8, "bf16", bf16);
    if (kind == "datacenter" && generation != "GpuGeneration::volta") check_ratio("int8", int8, "fp16", fp16);

    out << "    {.id = " << literal(id) << ", .name = " << literal(name) << ", .generation = " << generation << ", .memory = mib(" << mib << "),\n     ";
    const auto rate = [&](const char* field, double v) {
      if (v > 0) out << '.' << field << " = " << number(v) << ", ";
    };
    rate("fp32_tflops", fp32), rate("tf32_tflops", tf32), rate("bf16_tflops", bf16), rate("fp16_tflops", fp16), rate("fp8_tflops", fp8);
    rate("int8_tflops", int8), rate("bf16_tflops_achievable", achievable), rate("memory_bandwidth_gb_s", bandwidth);
    rate("interconnect_gb_s", interconnect), rate("network_gb_s", network);
    out << ".supports_bf16 = " << (supports_bf16 ? "true" : "false") << ", .supports_flash_attention = " << (flash ? "true" : "false") << "},\n";
    facts << "    {" << literal(source) << ", " << literal(maker) << ", GpuClass::" << kind << ", " << label_gb << "},\n";
  }
  out << "};\ninline constexpr GpuFacts kGpuFacts[] = {\n" << facts.str() << "};\n\n";
  return ids;
}

void prices(const std::filesystem::path& file, const std::set<std::string>& gpu_ids, std::ostream& out) {
  std::set<std::string> seen;
  std::vector<std::string> providers;
  out << "inline constexpr PriceRow kPrices[] = {\n";
  for (const json& fields : read(file)) {
    Row row(fields, file.filename().string() + " " + fields.dump().substr(0, 80));
    const std::string gpu = row.text("gpu", 48), provider = row.text("provider", 32), date = row.text("date", 10), source = row.text("source", 160);
    const double on_demand = row.real("on_demand", 0.01, 1000, false), spot = row.real("spot", 0.01, 1000, false);
    const std::string note = row.text("note", 160, false);
    if (gpu_ids.count(gpu) == 0) fail(row.where() + ": no GPU '" + gpu + "' in gpus.json");
    if (!is_lower_id(provider)) fail(row.where() + ": the provider is not of lower-case letters, digits, '-' and '.'");
    if (!is_date(date)) fail(row.where() + ": 'date' is not YYYY-MM-DD");
    if (!seen.insert(gpu + ' ' + provider + ' ' + date).second) fail(row.where() + ": stands there twice");
    if (on_demand <= 0 && spot <= 0) fail(row.where() + ": has no price");
    if (std::find(providers.begin(), providers.end(), provider) == providers.end()) providers.push_back(provider);
    out << "    {" << literal(gpu) << ", " << literal(provider) << ", UsdPerHour(" << number(on_demand) << "), UsdPerHour(" << number(spot) << "), "
        << literal(date) << ", " << literal(source) << ", " << literal(note) << "},\n";
  }
  out << "};\ninline constexpr std::string_view kProviders[] = {\n";
  std::sort(providers.begin(), providers.end(), [](const auto& a, const auto& b) { return std::pair(a != "course", a) < std::pair(b != "course", b); });
  for (const std::string& p : providers) out << "    " << literal(p) << ",\n";
  out << "};\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: catalog_to_cpp ASSETS_FOLDER OUTPUT_FOLDER\n";
    return 2;
  }
  const std::filesystem::path assets = argv[1], output = std::filesystem::path(argv[2]) / "tables.h";
  std::ostringstream out;
  out << "// Made by catalog_to_cpp from assets: do not edit. Included by catalog/catalog.cpp alone.\n#pragma once\n"
      << "#include \"catalog/catalog.h\"\n\nnamespace gpudget::catalog {\n\n"
      << "struct GpuFacts {\n  std::string_view source, maker;\n  GpuClass kind;\n  std::int64_t label_gb;\n};\n\n";
  models(assets / "models.json", out);
  const std::set<std::string> gpu_ids = gpus(assets / "gpus.json", out);
  prices(assets / "prices.json", gpu_ids, out);
  out << "}  // namespace gpudget::catalog\n";
  if (failures != 0) return 1;

  std::ifstream before(output, std::ios::binary);
  const std::string old{std::istreambuf_iterator<char>(before), {}};
  if (old == out.str()) return 0;
  std::filesystem::create_directories(output.parent_path());
  if (!(std::ofstream(output, std::ios::binary) << out.str())) {
    std::cerr << "catalog_to_cpp: error: cannot write " << output << '\n';
    return 1;
  }
  return 0;
}
