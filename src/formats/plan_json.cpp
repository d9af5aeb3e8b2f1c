#include "formats/plan_json.h"

#include <array>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "formats/field_json.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/nearest.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

constexpr std::size_t kMostOptionBytes = 1 << 20;
constexpr std::int64_t kMostGpus = 4'096;
constexpr std::array<string_view, 13> kOptions{
    "gpus",    "owned",          "max_gpus",   "deadline", "budget", "market", "methods", "keep_effective_batch", "no_quantization",
    "no_lora", "keep_optimizer", "no_offload", "top"};
constexpr std::array<string_view, 3> kMethods{"full", "lora", "qlora"};

tl::unexpected<Error> wrong(string_view path, ErrorId id, const json& got, string_view accepted, string_view suggestion = {}) {
  return tl::unexpected(Error{std::string(path), id, described(got), std::string(accepted), std::string(suggestion)});
}

PlanHardware rentable(const Gpu& gpu, const Scenario& base, Market market) {
  PlanHardware h;
  h.gpu = gpu;
  if (const auto q = catalog::quote(gpu.id.view(), base.price.provider.view(), market)) h.quote = *q;
  return h;
}

Result<const Gpu*> gpu_of(string_view path, const json& id) {
  if (!id.is_string()) return wrong(path, ErrorId::wrong_type, id, "a GPU of the catalog (gpudget list gpus)");
  const std::string text = id.get<std::string>();
  if (const Gpu* g = catalog::find_gpu(text)) return g;
  return tl::unexpected(
      Error{std::string(path), ErrorId::unknown_gpu, shortened(text), "gpudget list gpus shows them", std::string(catalog::nearest_gpu(text))});
}

Result<std::int64_t> whole(string_view path, const json& v, std::int64_t low, std::int64_t high) {
  const std::string range = fmt::format("an integer from {} to {}", low, high);
  if (!v.is_number()) return wrong(path, ErrorId::wrong_type, v, range);
  const double d = v.get<double>();
  if (!(d >= static_cast<double>(low) && d <= static_cast<double>(high))) return wrong(path, ErrorId::out_of_range, v, range);
  const auto n = static_cast<std::int64_t>(d);
  if (static_cast<double>(n) != d) return wrong(path, ErrorId::wrong_type, v, range);
  return n;
}

Result<bool> yes_or_no(string_view path, const json& v) {
  if (!v.is_boolean()) return wrong(path, ErrorId::wrong_type, v, "true or false");
  return v.get<bool>();
}

json listed(string_view text) {
  json list = json::array();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const string_view one = text.substr(0, comma);
    if (!one.empty()) list.push_back(std::string(one));
    text = comma == string_view::npos ? string_view{} : text.substr(comma + 1);
  }
  return list;
}

Result<void> read_methods(PlanRequest& r, const json& v) {
  constexpr string_view kAccepted = R"("any", "kept" or a list of full, lora, qlora)";
  if (v == "kept") return keep_method(r), Result<void>();
  r.full = r.lora = r.qlora = true;
  if (v == "any") return {};
  const json list = v.is_string() ? listed(v.get<std::string>()) : v;
  if (!list.is_array() || list.empty()) return wrong("methods", ErrorId::wrong_type, v, kAccepted);
  r.full = r.lora = r.qlora = false;
  for (const json& m : list) {
    if (!m.is_string()) return wrong("methods", ErrorId::wrong_type, m, kAccepted);
    const std::string name = m.get<std::string>();
    if (name == "full")
      r.full = true;
    else if (name == "lora")
      r.lora = true;
    else if (name == "qlora")
      r.qlora = true;
    else
      return tl::unexpected(Error{"methods", ErrorId::unknown_name, shortened(name), std::string(kAccepted), std::string(nearest(name, kMethods))});
  }
  return {};
}

Result<void> read_hardware(PlanRequest& r, const json& options) {
  std::vector<const Gpu*> wanted;
  const bool named = options.contains("gpus") && !options["gpus"].is_null(), some_owned = options.contains("owned") && !options["owned"].is_null();
  if (some_owned) {
    const json& owned = options["owned"];
    if (!owned.is_object() || owned.empty()) return wrong("owned", ErrorId::wrong_type, owned, R"(an object such as {"rtx-4090": 2})");
    for (auto it = owned.begin(); it != owned.end(); ++it) {
      const auto gpu = gpu_of("owned", json(it.key()));
      if (!gpu) return tl::unexpected(gpu.error());
      const auto n = whole("owned." + it.key(), it.value(), 1, kMostGpus);
      if (!n) return tl::unexpected(n.error());
      PlanHardware h;
      h.gpu = **gpu, h.owned = *n;
      r.hardware.push_back(h);
    }
  }
  if (named) {
    const json list = options["gpus"].is_string() ? listed(options["gpus"].get<std::string>()) : options["gpus"];
    if (!list.is_array() || list.empty()) return wrong("gpus", ErrorId::wrong_type, options["gpus"], "a list of GPUs of the catalog (gpudget list gpus)");
    for (const json& id : list) {
      const auto gpu = gpu_of("gpus", id);
      if (!gpu) return tl::unexpected(gpu.error());
      r.hardware.push_back(rentable(**gpu, r.base, r.market));
    }
  } else if (!some_owned) {
    r.hardware = rentable_hardware(r.base, r.market);
  }
  return {};
}

void write_reasons(JsonWriter& out, const PlanRow& r) {
  out.key("reasons").open('[');
  for (std::size_t i = 0; i < r.reason_count; ++i) out.value(name(r.reasons[i]));
  out.close(']');
}

void write_row(JsonWriter& out, const PlanRow& r) {
  const Scenario& s = r.scenario;
  out.open('{').field("gpu", s.gpu.custom ? s.gpu.name.view() : s.gpu.id.view()).field("gpus", s.gpus).field("method", name(s.method));
  out.field("seconds", r.seconds.value()).field("seconds_all_runs", r.seconds_all_runs.value());
  out.field("usd", r.usd.value()).field("usd_all_runs", r.usd_all_runs.value());
  out.field("tokens_per_second", r.tokens_per_second.value());
  out.field("device_bytes", r.device.in_bytes()).field("headroom_bytes", r.headroom.in_bytes());
  write_reasons(out, r);
  out.key("scenario").raw(write_scenario(s));
  out.close('}');
}

constexpr std::array<string_view, 3> kMisses{"memory", "deadline", "budget"};

}  // namespace

std::vector<PlanHardware> this_hardware(const Scenario& base, Market market) {
  for (PlanHardware& h : rentable_hardware(base, market))
    if (h.gpu.id == base.gpu.id) return {h};
  return {{base.gpu, base.quote, 0}};
}

std::vector<PlanHardware> rentable_hardware(const Scenario& base, Market market) {
  std::vector<PlanHardware> all;
  bool has_base = false;
  for (const Gpu& g : catalog::gpus()) {
    PlanHardware h = rentable(g, base, market);
    has_base = has_base || g == base.gpu;
    if ((market == Market::spot ? h.quote.spot : h.quote.on_demand).value() > 0 || (g == base.gpu && base.price.usd_per_gpu_hour)) all.push_back(h);
  }
  if (!has_base && base.price.usd_per_gpu_hour) {  // a GPU given by its figures, with its price
    PlanHardware h;
    h.gpu = base.gpu;
    all.push_back(h);
  }
  return all;
}

Result<Seconds> read_duration(string_view text) {
  constexpr string_view kAccepted = R"(a duration such as "24h", "3d", "1d12h" or "90m", or seconds)";
  const auto bad = [&] {
    return tl::unexpected(Error{"deadline", ErrorId::wrong_type, fmt::format("the text '{}'", shortened(text)), std::string(kAccepted), {}});
  };
  double total = 0;
  std::size_t i = 0;
  if (text.empty()) return bad();
  while (i < text.size()) {
    double n = 0, scale = 1;
    bool digits = false, point = false;
    for (; i < text.size() && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); ++i) {
      if (text[i] == '.') {
        if (point) return bad();
        point = true;
        continue;
      }
      digits = true;
      n = n * 10 + (text[i] - '0');
      if (point) scale *= 10;
    }
    if (!digits || n > 1e15) return bad();
    double unit = 1;
    if (i < text.size()) {
      switch (text[i]) {
        case 'd': unit = 86'400; break;
        case 'h': unit = 3'600; break;
        case 'm': unit = 60; break;
        case 's': break;
        default: return bad();
      }
      ++i;
      while (i < text.size() && text[i] == ' ') ++i;
    }
    total += n / scale * unit;
  }
  if (!(total > 0)) return bad();
  return Seconds(total);
}

Result<PlanOptions> read_plan_options(string_view text, const Scenario& base) {
  PlanOptions o;
  PlanRequest& r = o.request;
  r.base = base;
  r.market = base.price.market;
  if (base.gpus > r.max_gpus) r.max_gpus = base.gpus;
  keep_method(r);
  if (base.method == Method::inference)
    return tl::unexpected(Error{"method", ErrorId::contradiction, "a plan of training: inference has none", "method full, lora or qlora", {}});
  auto parsed = parse_json(text.empty() ? string_view("{}") : text, kMostOptionBytes);
  if (!parsed) return tl::unexpected(parsed.error());
  const json& options = *parsed;
  bool no_lora = false;
  if (!options.is_object()) return wrong("", ErrorId::wrong_type, options, "an object of options");
  for (auto it = options.begin(); it != options.end(); ++it) {
    const std::string& key = it.key();
    const json& v = it.value();
    bool known = false;
    for (const string_view k : kOptions) known = known || k == key;
    if (!known) return tl::unexpected(Error{shortened(key), ErrorId::unknown_field, {}, {}, std::string(nearest(key, kOptions))});
    if (v.is_null() || key == "gpus" || key == "owned") continue;
    if (key == "max_gpus" || key == "top") {
      const auto n = whole(key, v, 1, key == "top" ? 1'000'000 : kMostGpus);
      if (!n) return tl::unexpected(n.error());
      (key == "top" ? o.top : r.max_gpus) = *n;
    } else if (key == "deadline") {
      if (v.is_number() && v.get<double>() > 0 && v.get<double>() < 1e12) {
        r.deadline = Seconds(v.get<double>());
        continue;
      }
      const auto d = read_duration(v.is_string() ? v.get<std::string>() : v.dump());
      if (!d) return tl::unexpected(d.error());
      r.deadline = *d;
    } else if (key == "budget") {
      if (!v.is_number() || !(v.get<double>() > 0 && v.get<double>() < 1e12)) return wrong(key, ErrorId::wrong_type, v, "US dollars, more than 0");
      r.budget = Usd(v.get<double>());
    } else if (key == "market") {
      const auto m = v.is_string() ? from_name<Market>(v.get<std::string>()) : std::nullopt;
      if (!m) return wrong(key, ErrorId::wrong_type, v, "on_demand or spot");
      r.market = *m;
    } else if (key == "methods") {
      if (const auto done = read_methods(r, v); !done) return tl::unexpected(done.error());
    } else {
      const auto yes = yes_or_no(key, v);
      if (!yes) return tl::unexpected(yes.error());
      if (key == "keep_effective_batch") r.keep_effective_batch = *yes;
      if (key == "no_quantization") r.quantization = !*yes;
      if (key == "keep_optimizer") r.any_optimizer = !*yes;
      if (key == "no_offload") r.any_offload = !*yes;
      if (key == "no_lora") no_lora = *yes;
    }
  }
  if (no_lora) forbid_adapters(r);
  if (!r.full && !r.lora && !(r.qlora && r.quantization))
    return tl::unexpected(
        Error{"methods", ErrorId::contradiction, "no_lora or no_quantization: no method is left", "methods full, or without the constraint", {}});
  if (const auto done = read_hardware(r, options); !done) return tl::unexpected(done.error());
  return o;
}

std::string write_plan(const PlanOptions& options, const PlanResult& result) {
  JsonWriter out;
  out.open('{').key("front").open('[');
  std::int64_t rows = 0;
  for (const PlanRow& r : result.front) {
    if (options.top > 0 && rows++ == options.top) break;
    write_row(out, r);
  }
  out.close(']').key("nearest");
  if (result.nearest) {
    const PlanMiss& m = *result.nearest;
    out.open('{').field("misses", kMisses[static_cast<std::size_t>(m.kind)]).field("lacks_bytes", m.lacks.in_bytes());
    out.field("late_seconds", m.late.value()).field("over_usd", m.over.value()).key("row");
    write_row(out, m.row);
    out.close('}');
  } else {
    out.null();
  }
  out.field("front_size", static_cast<std::int64_t>(result.front.size())).field("candidates", result.candidates).field("fitting", result.fitting);
  out.field("evaluated", result.evaluated).field("without_price", result.without_price).field("without_speed", result.without_speed);
  out.key("dots").open('[');
  for (const PlanDot& d : result.dots) {
    out.open('{').field("gpu", options.request.hardware[d.hardware].gpu.id.view()).field("gpus", d.gpus).field("seconds", d.seconds.value());
    out.field("usd", d.usd.value()).field("on_front", d.on_front).field("within", d.within).close('}');
  }
  return out.close(']').close('}').take();
}

}  // namespace gpudget::formats
