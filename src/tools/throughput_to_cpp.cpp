// Host program of the build: turns the published training speeds into JSON, in throughput_table.h (for formats/accuracy_tables.cpp) and, for the page,
// throughput.json: {"rows": [[…]…]}, each row's values in the order of throughput_validation.cpp's Row.
//   throughput_to_cpp tests/data/throughput_measurements.json OUTPUT_FOLDER
// Fails, naming the row and the field, where a row lacks a field, has a wrong type or a value that is not positive.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;

int failures = 0;

void fail(const std::string& what) {
  std::cerr << "throughput_to_cpp: error: " << what << '\n';
  ++failures;
}

std::string text(const json& row, const char* key) {
  if (row.contains(key) && row[key].is_string()) return row[key].get<std::string>();
  fail(row.value("id", "a row") + ": " + key + " is no text");
  return {};
}

std::int64_t count(const json& row, const char* key, const std::string& id, std::int64_t absent = 0) {
  if (!row.contains(key) || row[key].is_null()) {
    if (absent == 0) fail(id + ": " + key + " is not there");
    return absent;
  }
  if (row[key].is_number_integer() && row[key].get<std::int64_t>() > 0) return row[key].get<std::int64_t>();
  fail(id + ": " + key + " is no positive integer");
  return 1;
}

// The name of the source without the row: the same for all rows of one table.
std::string table_of(std::string source) {
  for (const std::string_view cut : {", line", " row "}) {
    const std::size_t at = source.find(cut);
    if (at != std::string::npos) source.resize(at);
  }
  return source;
}

json read(const json& row) {
  const std::string id = text(row, "id");
  const json arch = row.value("arch", json::object()), lora = row.value("lora", json());
  const std::string kernels = row.value("framework_config", ""), mlp = text(arch, "mlp"), precision = text(row, "precision");
  if (!row.contains("tokens_per_s_per_gpu") || !row["tokens_per_s_per_gpu"].is_number() || !(row["tokens_per_s_per_gpu"].get<double>() > 0))
    fail(id + ": tokens_per_s_per_gpu is no positive number");
  bool fused_qkv_target = false;
  if (lora.is_object())
    for (const json& t : lora.value("targets", json::array())) fused_qkv_target = fused_qkv_target || t == "c_attn";
  const std::int64_t heads = count(arch, "heads", id);
  return json::array({id,
                      text(row, "model"),
                      text(row, "gpu"),
                      text(row, "method"),
                      kernels,
                      precision,
                      text(row.at("parallel"), "strategy"),
                      table_of(text(row, "source")),
                      text(row, "source_url"),
                      count(row, "num_gpus", id),
                      count(row, "seq_len", id),
                      count(row, "micro_batch", id),
                      count(row, "grad_accum", id),
                      text(row, "activation_checkpointing") == "full",
                      lora.is_object() ? count(lora, "rank", id) : 0,
                      fused_qkv_target,
                      count(arch, "layers", id),
                      count(arch, "hidden", id),
                      heads,
                      count(arch, "kv_heads", id, heads),
                      count(arch, "intermediate", id),
                      count(arch, "vocab", id),
                      arch.value("tied_embeddings", false),
                      mlp == "swiglu",
                      arch.contains("num_experts") ? count(arch, "num_experts", id) : 0,
                      arch.contains("experts_per_token") ? count(arch, "experts_per_token", id) : 0,
                      row.value("tokens_per_s_per_gpu", 0.0)});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "throughput_to_cpp: error: throughput_to_cpp MEASUREMENTS.json OUTPUT_FOLDER\n";
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  const json rows = json::parse(all, nullptr, false);
  if (!rows.is_array() || rows.empty()) {
    std::cerr << "throughput_to_cpp: error: " << argv[1] << ": no list of rows\n";
    return 1;
  }
  json list = json::array();
  for (const json& row : rows) {
    if (!row.is_object() || !row.contains("parallel") || !row["parallel"].is_object()) {
      fail("a row without `parallel`");
      continue;
    }
    list.push_back(read(row));
  }
  if (failures > 0) return 1;
  const std::string table = json{{"rows", list}}.dump();
  const std::filesystem::path folder = argv[2];
  std::ofstream out(folder / "throughput_table.h", std::ios::binary), page(folder / "throughput.json", std::ios::binary);
  out << "// Made by tools/throughput_to_cpp.cpp from tests/data/throughput_measurements.json: not to be edited.\n#pragma once\n\n"
         "namespace gpudget::formats::throughput_table {\n\ninline constexpr char kJson[] = R\"~("
      << table << ")~\";\n\n}  // namespace gpudget::formats::throughput_table\n";
  page << table;
  if (out && page) return 0;
  std::cerr << "throughput_to_cpp: error: " << folder.string() << " cannot be written\n";
  return 1;
}
