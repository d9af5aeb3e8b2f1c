// Axolotl's, LLaMA-Factory's and torchtune's YAML.
#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/import_fields.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

// Axolotl takes true, false, "auto" and "full" for bf16.
bool axolotl_type(ImportFields& f, string_view name) {
  const json* v = f.find({name});
  if (v == nullptr || f.failed()) return false;
  if (v->is_boolean()) return v->get<bool>();
  if (v->is_string() && (*v == "auto" || *v == "full")) return true;
  f.fail({f.name(), ErrorId::wrong_type, described(*v), "true, false, auto or full", {}});
  return false;
}

// The FSDP settings that Axolotl passes on.
void axolotl_fsdp(ImportFields& f) {
  const json* list = f.find({"fsdp"});
  bool offload = false;
  if (list != nullptr && list->is_array())
    for (const json& word : *list) offload = offload || word == "offload";
  const json* given = f.object("fsdp_config");
  bool whole = true;
  if (given != nullptr) {
    ImportFields inner(f, *given, "fsdp_config");
    offload = offload || inner.flag({"offload_params", "fsdp_offload_params"}).value_or(false);
    whole = inner.flag({"reshard_after_forward", "fsdp_reshard_after_forward"}).value_or(true);
    if (const auto strategy = inner.text({"fsdp_sharding_strategy"}); strategy && *strategy == "SHARD_GRAD_OP") whole = false;
    if (inner.flag({"activation_checkpointing", "fsdp_activation_checkpointing"}).value_or(false)) inner.set("gradient_checkpointing", std::string("full"));
    inner.ignore_rest();
    if (inner.failed()) return f.fail(inner.take_error());
  }
  if (list == nullptr && given == nullptr) return;
  f.find({given != nullptr ? "fsdp_config" : "fsdp"});
  f.set("parallelism.data", std::string(whole ? "fsdp" : "zero2"));
  if (offload) f.set("parallelism.offload", std::string("all"));
}

void axolotl_attention(ImportFields& f) {
  if (const auto kind = f.text({"attn_implementation"})) return f.set("attn_implementation", *kind);
  for (const auto& [name, kind] : {std::pair<string_view, string_view>{"flash_attention", "flash_attention_2"},
                                   {"sdp_attention", "sdpa"},
                                   {"xformers_attention", "flash_attention_2"},
                                   {"eager_attention", "eager"}})
    if (f.flag({name}).value_or(false)) return f.set("attn_implementation", std::string(kind));
}

void axolotl_loss(ImportFields& f) {
  f.find({"plugins"});
  if (f.flag({"liger_fused_linear_cross_entropy"}).value_or(false) || f.flag({"cut_cross_entropy"}).value_or(false))
    f.set("loss", std::string("fused"));
  else if (f.flag({"liger_cross_entropy"}).value_or(false))
    f.set("loss", std::string("in_place"));
  else if (f.flag({"chunked_cross_entropy"}).value_or(false))
    f.set("loss", std::string("chunked"));
}

void axolotl_adapter(ImportFields& f) {
  const bool four = f.flag({"load_in_4bit"}).value_or(false), eight = f.flag({"load_in_8bit"}).value_or(false);
  const auto adapter = f.text({"adapter"});
  if (f.failed()) return;
  if (adapter && !adapter->empty()) {
    if (*adapter != "lora" && *adapter != "qlora") return f.fail({"adapter", ErrorId::unknown_name, shortened(*adapter), "lora or qlora", {}});
    f.adapters(four || *adapter == "qlora", eight);
    f.set_integer("lora.r", {"lora_r"});
    f.set_number("lora.dropout", {"lora_dropout"});
    const bool all = f.flag({"lora_target_linear"}).value_or(false);
    if (all)
      f.set("lora.target_modules", std::string("all-linear"));
    else if (const json* modules = f.find({"lora_target_modules"}))
      f.target_modules(*modules);
    if (const auto dora = f.flag({"peft_use_dora"})) f.set("lora.dora", *dora);
    f.assume("lora.adapter_dtype", std::string("fp32"), "peft raises the adapters to it");
  } else {
    f.set("method", std::string("full"));
  }
  if (four || (adapter && *adapter == "qlora")) {
    std::string kind = "nf4";
    if (const json* given = f.object("bnb_config_kwargs")) {
      ImportFields inner(f, *given, "bnb_config_kwargs");
      if (const auto twice = inner.flag({"bnb_4bit_use_double_quant"})) inner.set("quantization.double_quant", *twice);
      if (const auto type = inner.text({"bnb_4bit_quant_type"})) kind = *type == "fp4" ? "int4" : *type;
      inner.ignore_rest();
      if (inner.failed()) return f.fail(inner.take_error());
    } else {
      f.assume("quantization.double_quant", true, "Axolotl's default");
    }
    f.assume("quantization.prepare_kbit", true, "Axolotl prepares quantized models so");
    f.find({"load_in_4bit"});
    f.set("weights", std::move(kind));
  } else if (eight) {
    f.find({"load_in_8bit"});
    f.set("weights", std::string("int8"));
  }
}

}  // namespace

std::optional<Error> import_axolotl(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  f.model({"base_model"});
  axolotl_adapter(f);
  f.set_integer("max_length", {"sequence_len"});
  f.epochs({"num_epochs"});
  f.set_integer("per_device_train_batch_size", {"micro_batch_size"});
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  f.optimizer({"optimizer"});
  f.set_number("max_grad_norm", {"max_grad_norm"});
  const bool bf16 = axolotl_type(f, "bf16"), bare_bf16 = axolotl_type(f, "bfloat16"), fp16 = axolotl_type(f, "fp16"), bare_fp16 = axolotl_type(f, "float16");
  const bool tf32 = axolotl_type(f, "tf32");
  if (f.failed()) return f.take_error();
  // Axolotl loads the weights in the type that it computes in.
  const bool half = bf16 || bare_bf16 || fp16 || bare_fp16;
  const std::string type = bf16 || bare_bf16 ? "bf16" : half ? "fp16" : tf32 ? "tf32" : "fp32";
  f.find({bf16 ? "bf16" : bare_bf16 ? "bfloat16" : fp16 ? "fp16" : bare_fp16 ? "float16" : "tf32"});
  if (half || tf32)
    f.set("compute", type);
  else
    f.assume("compute", type, "no mixed precision");
  state.compute_given = true;
  const DType held = weights_dtype(state.s);
  if (held != DType::nf4 && held != DType::int4 && held != DType::int8) f.assume("weights", half ? type : "fp32", "Axolotl loads them so");
  if (const json* v = f.find({"gradient_checkpointing"})) {
    if (v->is_boolean())
      f.set("gradient_checkpointing", v->get<bool>());
    else if (v->is_string())
      f.assume("gradient_checkpointing", true, fmt::format("checkpoints kept elsewhere ({}) are counted as kept on the GPU", shortened(v->get<std::string>())));
    else
      return Error{f.name(), ErrorId::wrong_type, described(*v), "true or false", {}};
  }
  f.find({"gradient_checkpointing_kwargs"});
  axolotl_attention(f);
  axolotl_loss(f);
  if (const auto on = f.flag({"torch_compile"})) f.set("compile", *on);
  axolotl_fsdp(f);
  if (const auto other = f.text({"deepspeed"})) deepspeed_by_name(f, *other);
  f.set_integer("parallelism.tensor", {"tensor_parallel_size"});
  f.set_integer("parallelism.context", {"context_parallel_size", "sequence_parallel_degree"});
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

std::optional<Error> import_llamafactory(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  f.model({"model_name_or_path"});
  f.find({"finetuning_type"});
  const std::string kind = f.text({"finetuning_type"}).value_or("lora");
  const auto quantized = f.integer({"quantization_bit"});
  if (f.failed()) return f.take_error();
  if (kind != "lora" && kind != "full") return Error{"finetuning_type", ErrorId::unknown_name, shortened(kind), "lora or full", {}};
  if (quantized && *quantized != 4 && *quantized != 8) return Error{"quantization_bit", ErrorId::out_of_range, fmt::format("{}", *quantized), "4 or 8", {}};
  const bool lora = kind == "lora", four = quantized.value_or(0) == 4;
  f.find({"finetuning_type"});
  if (lora) {
    f.adapters(four, quantized.value_or(0) == 8);
    if (object.contains("lora_rank"))
      f.set_integer("lora.r", {"lora_rank"});
    else
      f.assume("lora.r", std::int64_t{8}, "LLaMA-Factory's default");
    f.set_number("lora.dropout", {"lora_dropout"});
    if (const auto dora = f.flag({"use_dora"})) f.set("lora.dora", *dora);
    if (const json* modules = f.find({"lora_target"}))
      f.target_modules(*modules);
    else
      f.assume("lora.target_modules", std::string("all-linear"), "LLaMA-Factory's default");
  } else {
    f.set("method", std::string("full"));
  }
  const bool bf16 = f.flag({"bf16"}).value_or(false), pure = f.flag({"pure_bf16"}).value_or(false), fp16 = f.flag({"fp16"}).value_or(false);
  const bool tf32 = f.flag({"tf32"}).value_or(false);
  const std::string type = bf16 || pure ? "bf16" : fp16 ? "fp16" : tf32 ? "tf32" : "fp32";
  f.find({pure ? "pure_bf16" : bf16 ? "bf16" : fp16 ? "fp16" : "tf32"});
  if (bf16 || pure || fp16 || tf32)
    f.set("compute", type);
  else
    f.assume("compute", type, "no mixed precision");
  state.compute_given = true;
  const auto other = f.text({"deepspeed"});
  if (quantized) {
    const auto quant = f.text({"quantization_type"});
    f.find({"quantization_bit"});
    f.set("weights", std::string(!four ? "int8" : quant && *quant == "fp4" ? "int4" : "nf4"));
    if (const auto twice = f.flag({"double_quantization"})) f.set("quantization.double_quant", *twice);
    f.assume("quantization.prepare_kbit", f.flag({"upcast_layernorm"}).value_or(false), "upcast_layernorm");
  } else if (!lora && !pure && !other) {
    f.assume("weights", std::string("fp32"), "LLaMA-Factory raises trained weights to fp32 unless pure_bf16 is on");
  } else {
    f.assume("weights", std::string(bf16 || pure ? "bf16" : fp16 ? "fp16" : "fp32"), "LLaMA-Factory loads them in the type that it computes in");
  }
  if (lora)
    f.assume("lora.adapter_dtype", std::string(pure ? "bf16" : "fp32"), pure ? "pure_bf16" : "LLaMA-Factory raises adapters to fp32 unless pure_bf16 is on");
  if (const auto attention = f.text({"flash_attn"}); attention && *attention != "auto")
    f.set("attn_implementation", std::string(*attention == "fa2" ? "flash_attention_2" : *attention == "disabled" ? "eager" : *attention));
  if (const auto off = f.flag({"disable_gradient_checkpointing"}))
    f.set("gradient_checkpointing", !*off);
  else
    f.assume("gradient_checkpointing", true, "LLaMA-Factory's default");
  if (const auto on = f.flag({"enable_liger_kernel"})) f.set("loss", std::string(*on ? "fused" : "full"));
  f.set_integer("max_length", {"cutoff_len"});
  f.epochs({"num_train_epochs"});
  f.set_integer("per_device_train_batch_size", {"per_device_train_batch_size"});
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  f.optimizer({"optim"});
  for (const auto& [name, optimizer] :
       {std::pair<string_view, string_view>{"use_galore", "galore_adamw"}, {"use_apollo", "apollo_adamw"}, {"use_muon", "muon"}})
    if (f.flag({name}).value_or(false)) f.set("optim", std::string(optimizer));
  f.set_number("max_grad_norm", {"max_grad_norm"});
  if (const auto on = f.flag({"torch_compile"})) f.set("compile", *on);
  if (other) {
    f.find({"deepspeed"});
    deepspeed_by_name(f, *other);
  }
  f.find({"stage", "do_train"});
  f.find({"stage"});
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

namespace {

struct Component {
  string_view component, optim;
};
constexpr Component kTorchtuneOptimizers[] = {{"torch.optim.AdamW", "adamw_torch"},
                                              {"torch.optim.Adam", "adamw_torch"},
                                              {"bitsandbytes.optim.AdamW8bit", "adamw_8bit"},
                                              {"bitsandbytes.optim.PagedAdamW8bit", "paged_adamw_8bit"},
                                              {"bitsandbytes.optim.PagedAdamW", "paged_adamw_32bit"},
                                              {"torchao.optim.AdamW8bit", "adamw_torch_8bit"},
                                              {"torchao.optim.AdamW4bit", "adamw_torch_4bit"},
                                              {"torch.optim.Adafactor", "adafactor"},
                                              {"torch.optim.SGD", "sgd"},
                                              {"torch.optim.Adagrad", "adagrad"},
                                              {"torch.optim.RMSprop", "rmsprop"},
                                              {"bitsandbytes.optim.Lion32bit", "lion_32bit"},
                                              {"bitsandbytes.optim.Lion8bit", "lion_8bit"},
                                              {"bitsandbytes.optim.PagedLion32bit", "paged_lion_32bit"},
                                              {"bitsandbytes.optim.PagedLion8bit", "paged_lion_8bit"},
                                              {"bitsandbytes.optim.AdEMAMix32bit", "ademamix"},
                                              {"bitsandbytes.optim.AdEMAMix8bit", "ademamix_8bit"}};

void torchtune_model(ImportFields& f) {
  const json* given = f.object("model");
  if (given == nullptr) return;
  ImportFields inner(f, *given, "model");
  const std::string builder = inner.text({"_component_"}).value_or("");
  const string_view last = string_view(builder).substr(builder.rfind('.') + 1);
  const bool four = last.starts_with("qlora_") || inner.flag({"quantize_base"}).value_or(false), lora = four || last.starts_with("lora_");
  if (inner.failed()) return f.fail(inner.take_error());
  inner.find({"_component_"});
  inner.set("method", std::string(four ? "qlora" : lora ? "lora" : "full"));
  const std::string shape(four ? last.substr(last.starts_with("qlora_") ? 6 : 5) : lora ? last.substr(5) : last);
  const string_view id = torchtune_model_id(shape);
  if (f.state().model_given)
    inner.note_ignored("model._component_: the model is the one whose config was given");
  else if (!id.empty())
    inner.set("model", std::string(id));
  else
    inner.note_assumed(fmt::format("{}: torchtune's {} is not known here; give the model's config.json too", value_text("model", f.s()), shortened(builder)));
  if (four) inner.assume("weights", std::string("nf4"), "torchtune's QLoRA quantizes to it");
  if (four) inner.assume("quantization.double_quant", true, "torchtune's nf4 quantizes its scales");
  if (four) inner.assume("quantization.prepare_kbit", false, "torchtune raises nothing to fp32");
  if (lora) {
    std::string list;
    if (const json* modules = inner.find({"lora_attn_modules"}); modules != nullptr && modules->is_array())
      for (const json& m : *modules)
        if (m.is_string()) list += (list.empty() ? "" : ",") + (m == "output_proj" ? std::string("o_proj") : m.get<std::string>());
    if (inner.flag({"apply_lora_to_mlp"}).value_or(false)) list += list.empty() ? "gate_proj,up_proj,down_proj" : ",gate_proj,up_proj,down_proj";
    if (inner.flag({"apply_lora_to_output"}).value_or(false)) list += list.empty() ? "lm_head" : ",lm_head";
    inner.find({"lora_attn_modules"});
    inner.target_modules(json(list));
    inner.set_integer("lora.r", {"lora_rank"});
    inner.set_number("lora.dropout", {"lora_dropout"});
    if (const auto dora = inner.flag({"use_dora"})) inner.set("lora.dora", *dora);
  }
  inner.ignore_rest();
  if (inner.failed()) f.fail(inner.take_error());
}

}  // namespace

std::optional<Error> import_torchtune(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  torchtune_model(f);
  const auto type = f.text({"dtype"});
  if (f.failed()) return f.take_error();
  if (type) {
    if (*type != "bf16" && *type != "fp32" && *type != "fp16") return Error{"dtype", ErrorId::unknown_name, shortened(*type), "one of bf16, fp16, fp32", {}};
    f.set("compute", *type);
    state.compute_given = true;
    if (state.s.method != Method::qlora) f.set("weights", *type);
    if (state.s.method == Method::lora || state.s.method == Method::qlora) f.assume("lora.adapter_dtype", *type, "torchtune keeps the adapters in dtype");
  }
  if (const json* given = f.object("tokenizer")) {
    ImportFields inner(f, *given, "tokenizer");
    inner.set_integer("max_length", {"max_seq_len"});
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  f.epochs({"epochs"});
  f.set_integer("per_device_train_batch_size", {"batch_size"});
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  if (const json* given = f.object("optimizer")) {
    ImportFields inner(f, *given, "optimizer");
    const auto component = inner.text({"_component_"});
    const bool fused = inner.flag({"fused"}).value_or(false);
    const double momentum = inner.number({"momentum"}).value_or(0);
    std::string optim;
    for (const Component& c : kTorchtuneOptimizers)
      if (component && *component == c.component) optim = c.optim;
    if (component && optim.empty() && !inner.failed())
      return Error{
          "optimizer._component_", ErrorId::unknown_name, shortened(*component), "an optimizer of torch.optim, bitsandbytes.optim or torchao.optim", {}};
    if (optim == "adamw_torch" && fused) optim = "adamw_torch_fused";
    if (optim == "sgd" && momentum > 0) optim = "sgd_momentum";
    inner.find({"_component_"});
    if (!optim.empty()) inner.set("optim", optim);
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  if (const auto on = f.flag({"optimizer_in_bwd"})) f.set("optimizer_in_backward", *on);
  if (object.contains("clip_grad_norm")) {
    const auto norm = f.number({"clip_grad_norm"});
    f.set("max_grad_norm", norm.value_or(0.0));
  }
  if (const json* given = f.object("loss")) {
    ImportFields inner(f, *given, "loss");
    const auto component = inner.text({"_component_"}).value_or("");
    inner.set("loss", std::string(component.find("Linear") != std::string::npos || component.find("Chunked") != std::string::npos ? "chunked" : "full"));
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  if (const auto on = f.flag({"compile"})) f.set("compile", *on);
  if (const auto on = f.flag({"enable_activation_checkpointing"})) f.set("gradient_checkpointing", *on);
  f.set_integer("parallelism.tensor", {"tensor_parallel_dim"});
  f.set_integer("parallelism.context", {"context_parallel_dim"});
  const auto offload = f.flag({"fsdp_cpu_offload"});
  if (offload) f.set("parallelism.offload", std::string(*offload ? "all" : "none"));
  f.assume("attn_implementation", std::string("sdpa"), "torchtune uses PyTorch's scaled_dot_product_attention");
  f.assume("parallelism.data", std::string(state.s.gpus > 1 || offload ? "fsdp" : "auto"), "torchtune's distributed recipes shard with FSDP");
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

}  // namespace gpudget::formats
