#include "formats/list_json.h"

#include "catalog/catalog.h"
#include "core/parameters.h"
#include "formats/json_text.h"

namespace gpudget::formats {
namespace {

void models(JsonWriter& out) {
  for (const ModelSpec& m : catalog::models()) {
    const ParameterCount count = count_parameters(m.architecture);
    const Architecture& a = m.architecture;
    out.open('{').field("id", m.id.view()).field("name", m.name.view()).field("family", name(a.family));
    out.field("parameters", count.total).field("active_parameters", count.active).field("published_parameters", m.published_parameters);
    out.field("vocab_size", a.vocab_size).field("hidden_size", a.hidden_size).field("intermediate_size", a.intermediate_size);
    out.field("num_hidden_layers", a.num_hidden_layers).field("num_attention_heads", a.num_attention_heads);
    out.field("num_key_value_heads", a.num_key_value_heads).field("head_dim", a.head_dim).field("max_position_embeddings", a.max_position_embeddings);
    out.field("num_experts", a.num_experts).field("num_experts_per_tok", a.num_experts_per_tok).field("tie_word_embeddings", a.tie_word_embeddings);
    out.field("source", catalog::source_of(m)).close('}');
  }
}

void gpus(JsonWriter& out) {
  for (const Gpu& g : catalog::gpus()) {
    out.open('{').field("id", g.id.view()).field("name", g.name.view()).field("maker", catalog::maker_of(g)).field("generation", name(g.generation));
    out.field("memory_bytes", g.memory.in_bytes()).field("memory_gib", g.memory.in_gib());
    out.field("fp32_tflops", g.fp32_tflops).field("tf32_tflops", g.tf32_tflops).field("bf16_tflops", g.bf16_tflops).field("fp16_tflops", g.fp16_tflops);
    out.field("fp8_tflops", g.fp8_tflops).field("int8_tflops", g.int8_tflops).field("bf16_tflops_achievable", g.bf16_tflops_achievable);
    out.field("memory_bandwidth_gb_s", g.memory_bandwidth_gb_s).field("interconnect_gb_s", g.interconnect_gb_s);
    out.field("supports_bf16", g.supports_bf16).field("supports_flash_attention", g.supports_flash_attention);
    out.field("source", catalog::source_of(g)).close('}');
  }
}

void prices(JsonWriter& out) {
  for (const catalog::PriceRow& p : catalog::prices()) {
    out.open('{').field("gpu", p.gpu).field("provider", p.provider);
    out.key("usd_per_gpu_hour");
    p.on_demand.value() > 0 ? out.value(p.on_demand.value()) : out.null();
    out.key("usd_per_gpu_hour_spot");
    p.spot.value() > 0 ? out.value(p.spot.value()) : out.null();
    out.field("date", p.date).field("source", p.source).field("note", p.note).close('}');
  }
}

}  // namespace

std::string write_list(ListKind kind) {
  JsonWriter out;
  out.open('[');
  switch (kind) {
    case ListKind::models: models(out); break;
    case ListKind::gpus: gpus(out); break;
    case ListKind::prices: prices(out); break;
    case ListKind::optimizers:
      for (const std::string_view optim : names<Optimizer>()) out.open('{').field("id", optim).close('}');
      break;
  }
  return out.close(']').take();
}

}  // namespace gpudget::formats
