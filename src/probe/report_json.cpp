#include "probe/report_json.h"

#include <nlohmann/json.hpp>

#include "probe/note.h"

namespace gpudget::probe {
namespace {

using Json = nlohmann::ordered_json;

Json size(Bytes value, bool known) { return known ? Json(value.in_bytes()) : Json(nullptr); }

std::string text(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}
std::int64_t integer(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}
bool flag(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_boolean() && at->get<bool>();
}
bool known(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer();
}

}  // namespace

std::string to_json(const Report& report) {
  Json gpus = Json::array();
  for (const Gpu& gpu : report.gpus) {
    Json processes = Json::array();
    for (const Process& process : gpu.processes)
      processes.push_back({{"pid", process.pid}, {"name", process.name}, {"used", size(process.used, process.used_known)}});
    Json capability = nullptr;
    if (gpu.compute_major > 0) capability = std::to_string(gpu.compute_major) + "." + std::to_string(gpu.compute_minor);
    gpus.push_back({{"index", gpu.index},
                    {"name", gpu.name},
                    {"uuid", gpu.uuid},
                    {"total", size(gpu.total, gpu.total != Bytes{})},
                    {"used", size(gpu.used, gpu.used_known)},
                    {"free", size(gpu.free, gpu.used_known)},
                    {"reserved", size(gpu.reserved, gpu.reserved_known)},
                    {"compute_capability", capability},
                    {"mig", gpu.mig},
                    {"shared", gpu.shared},
                    {"driver", report.driver},
                    {"processes", processes}});
  }
  Json json = {{"gpus", gpus}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("driver", report.driver);
  add("cuda", report.cuda);
  add("source", report.source);
  if (report.context_cost != Bytes{}) json["context_bytes"] = report.context_cost.in_bytes();
  if (report.note_id == "probe.no_driver") return json.dump();  // {"gpus":[]} says it
  add("note", report.note);
  add("note_id", report.note_id);
  add("note_detail", report.note_detail);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Report from_json(std::string_view source) {
  Report report;
  const Json json = Json::parse(source, nullptr, false);
  const auto gpus = json.is_object() ? json.find("gpus") : json.end();
  if (!json.is_object() || gpus == json.end() || !gpus->is_array()) {
    add_note(report, "probe.no_answer");
    return report;
  }
  for (const Json& row : *gpus) {
    Gpu gpu;
    gpu.index = static_cast<int>(integer(row, "index"));
    gpu.name = text(row, "name");
    gpu.uuid = text(row, "uuid");
    gpu.total = bytes(integer(row, "total"));
    gpu.used = bytes(integer(row, "used"));
    gpu.free = bytes(integer(row, "free"));
    gpu.reserved = bytes(integer(row, "reserved"));
    gpu.used_known = known(row, "used");
    gpu.reserved_known = known(row, "reserved");
    gpu.mig = flag(row, "mig");
    gpu.shared = flag(row, "shared");
    if (const std::string capability = text(row, "compute_capability"); !capability.empty()) {
      const std::size_t dot = capability.find('.');
      gpu.compute_major = std::atoi(capability.c_str());
      gpu.compute_minor = dot == std::string::npos ? 0 : std::atoi(capability.c_str() + dot + 1);
    }
    if (const auto processes = row.find("processes"); processes != row.end() && processes->is_array())
      for (const Json& process : *processes)
        gpu.processes.push_back({integer(process, "pid"), text(process, "name"), bytes(integer(process, "used")), known(process, "used")});
    report.gpus.push_back(std::move(gpu));
  }
  report.driver = text(json, "driver");
  report.cuda = text(json, "cuda");
  report.source = text(json, "source");
  report.context_cost = bytes(integer(json, "context_bytes"));
  report.note = text(json, "note");
  report.note_id = text(json, "note_id");
  report.note_detail = text(json, "note_detail");
  if (report.gpus.empty()) add_note(report, "probe.no_driver");
  return report;
}

}  // namespace gpudget::probe
