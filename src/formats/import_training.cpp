// transformers' TrainingArguments (TRL's SFTConfig too) as JSON, and PEFT's adapter_config.json.
#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/hf_config.h"
#include "formats/import_fields.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

// "bfloat16", "torch.bfloat16": the Scenario's name; empty: another.
string_view type_named(string_view text) {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  if (text == "bfloat16" || text == "bf16") return "bf16";
  if (text == "float16" || text == "fp16" || text == "half") return "fp16";
  if (text == "float32" || text == "fp32" || text == "float") return "fp32";
  return {};
}

void read_model_arguments(ImportFields& f) {
  if (const json* given = f.object("model_init_kwargs")) {
    ImportFields inner(f, *given, "model_init_kwargs");
    if (const auto type = inner.text({"dtype", "torch_dtype"}); type && !type_named(*type).empty()) inner.set("weights", std::string(type_named(*type)));
    if (const auto kind = inner.text({"attn_implementation"})) inner.set("attn_implementation", *kind);
    if (const json* quantization = inner.object("quantization_config")) {
      std::vector<std::string> notes;
      const auto type = quantized_weights(*given, notes);
      for (std::string& note : notes) inner.note_assumed(std::move(note));
      if (type) {
        ImportFields q(inner, *quantization, inner.name());
        q.find({"load_in_4bit", "load_in_8bit", "quant_method"});
        q.set("weights", std::string(name(*type == DType::fp8 ? DType::int8 : *type)));
        if (const auto twice = q.flag({"bnb_4bit_use_double_quant"})) q.set("quantization.double_quant", *twice);
        f.state().weights_given = true;
        if (q.failed()) inner.fail(q.take_error());
      }
    }
    inner.ignore_rest();
    if (inner.failed()) f.fail(inner.take_error());
  }
}

void read_fsdp(ImportFields& f) {
  bool on = false, offload = false;
  if (const json* v = f.find({"fsdp"})) {
    std::string words;
    if (v->is_array())
      for (const json& word : *v) words += (word.is_string() ? word.get_ref<const std::string&>() : std::string("?")) + " ";
    else if (v->is_string())
      words = v->get<std::string>();
    else if (v->is_boolean())
      words = v->get<bool>() ? "full_shard" : "";
    else
      return f.fail({f.name(), ErrorId::wrong_type, described(*v), "options of FSDP such as \"full_shard auto_wrap\"", {}});
    on = words.find_first_not_of(' ') != std::string::npos && words.find("no_shard") == std::string::npos;
    offload = words.find("offload") != std::string::npos;
    if (on) f.set("parallelism.data", std::string(words.find("shard_grad_op") != std::string::npos ? "zero2" : "fsdp"));
    if (on && words.find("hybrid") != std::string::npos) f.note_ignored(f.name() + ": shards over one node only are counted as over all GPUs");
  }
  if (const json* given = f.object("fsdp_config")) {
    ImportFields inner(f, *given, "fsdp_config");
    const auto more = inner.flag({"offload_params", "cpu_offload", "fsdp_offload_params"});
    offload = offload || more.value_or(false);
    const auto reshard = inner.flag({"reshard_after_forward", "fsdp_reshard_after_forward"});
    if (on && reshard && !*reshard) inner.set("parallelism.data", std::string("zero2"));
    if (inner.flag({"activation_checkpointing", "fsdp_activation_checkpointing"}).value_or(false)) inner.set("gradient_checkpointing", std::string("full"));
    inner.find({"fsdp_version", "version", "min_num_params", "xla", "xla_fsdp_v2", "xla_fsdp_grad_ckpt", "xla_fsdp_settings"});  // nothing of the size follows
    inner.ignore_rest();
    if (inner.failed()) return f.fail(inner.take_error());
  }
  if (on && offload) f.set("parallelism.offload", std::string("all"));
}

}  // namespace

std::optional<Error> import_training_arguments(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  f.model({"model_name_or_path"});
  f.set_integer("per_device_train_batch_size", {"per_device_train_batch_size"});
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  f.set_number("max_grad_norm", {"max_grad_norm"});
  f.set_integer("max_length", {"max_length", "max_seq_length"});
  f.epochs({"num_train_epochs"});
  if (const auto steps = f.integer({"max_steps"}); steps && *steps > 0)
    f.note_ignored(fmt::format("max_steps: {} steps; the data set and epochs count", *steps));
  f.optimizer({"optim"});
  const bool bf16 = f.flag({"bf16"}).value_or(false), fp16 = f.flag({"fp16"}).value_or(false), tf32 = f.flag({"tf32"}).value_or(false);
  const bool full_bf16 = f.flag({"pure_bf16"}).value_or(false);
  read_model_arguments(f);
  if (f.failed()) return f.take_error();
  if (bf16 || full_bf16 || fp16) {
    f.find({bf16 ? "bf16" : fp16 ? "fp16" : "pure_bf16"});
    f.set("compute", std::string(fp16 ? "fp16" : "bf16"));
  } else if (tf32) {
    f.find({"tf32"});
    f.set("compute", std::string("tf32"));
  } else {
    const DType held = weights_dtype(state.s);
    f.assume("compute", std::string(held == DType::bf16 ? "bf16" : held == DType::fp16 ? "fp16" : "fp32"), "no mixed precision: the type of the weights");
  }
  state.compute_given = true;
  if (!object.contains("model_init_kwargs"))
    f.note_assumed(fmt::format("weights = {}", name(weights_dtype(state.s))) + ": the arguments do not say in which type the model is loaded");
  if (const auto on = f.flag({"gradient_checkpointing"})) f.set("gradient_checkpointing", *on);
  if (const json* more = f.object("gradient_checkpointing_kwargs")) {
    ImportFields inner(f, *more, "gradient_checkpointing_kwargs");
    inner.flag({"use_reentrant"});
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  if (const auto on = f.flag({"use_liger_kernel"})) f.set("loss", std::string(*on ? "fused" : "full"));
  if (const auto on = f.flag({"torch_compile"})) f.set("compile", *on);
  if (const json* v = f.find({"deepspeed"})) {
    if (v->is_object()) {
      ImportFields inner(f, *v, "deepspeed");
      read_deepspeed(inner);
      if (inner.failed()) return inner.take_error();
    } else if (v->is_string()) {
      deepspeed_by_name(f, v->get<std::string>());
    } else {
      return Error{"deepspeed", ErrorId::wrong_type, described(*v), "a file or an object", {}};
    }
  }
  read_fsdp(f);
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

std::optional<Error> import_adapter(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  if (const auto type = f.text({"peft_type"}); type && *type != "LORA" && *type != "lora" && !f.failed())
    return Error{"peft_type", ErrorId::unknown_name, shortened(*type), "LORA: other adapters are not modelled", {}};
  f.model({"base_model_name_or_path"});
  if (!object.contains("r") && !f.failed()) return Error{"r", ErrorId::missing_field, {}, "the rank of the adapters", {}};
  f.set_integer("lora.r", {"r"});
  f.set_number("lora.dropout", {"lora_dropout"});
  if (const json* modules = f.find({"target_modules"}))
    f.target_modules(*modules);
  else
    f.note_assumed(value_text("lora.target_modules", state.s) + ": target_modules is left to peft");
  if (const auto dora = f.flag({"use_dora"})) f.set("lora.dora", *dora);
  if (const auto raised = f.flag({"autocast_adapter_dtype"}); raised && !*raised)
    f.note_assumed(value_text("lora.adapter_dtype", state.s) + ": autocast_adapter_dtype is off, the adapters have the type of the weights");
  else
    f.assume("lora.adapter_dtype", std::string("fp32"), "peft raises the adapters to it");
  f.find({"peft_type"});
  f.adapters(false, false);
  for (const string_view name : {"modules_to_save", "rank_pattern", "layers_to_transform", "target_parameters"}) {
    const json* v = f.find({name});
    if (v != nullptr && (!v->is_structured() || !v->empty())) f.note_ignored(fmt::format("{}: not counted", name));
  }
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

}  // namespace gpudget::formats
