// DeepSpeed's JSON, and accelerate's YAML, which can hold the same.
#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/import_fields.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

constexpr std::string_view kStages[] = {"ddp", "zero1", "zero2", "zero3"};

void set_stage(ImportFields& f, std::int64_t stage) {
  if (stage < 0 || stage > 3) return f.fail({f.name(), ErrorId::out_of_range, fmt::format("{}", stage), "an integer from 0 to 3", {}});
  f.set("parallelism.data", std::string(kStages[stage]));
}

bool is_host(const std::optional<std::string>& device) { return device && (*device == "cpu" || *device == "nvme"); }

void offload(ImportFields& f, bool optimizer, bool parameters) {
  if (parameters)
    f.set("parallelism.offload", std::string("all"));
  else if (optimizer)
    f.set("parallelism.offload", std::string("optimizer"));
}

void read_zero(ImportFields& f) {
  if (const auto stage = f.integer({"stage"})) set_stage(f, *stage);
  std::optional<std::string> optimizer, parameters;
  if (const json* v = f.object("offload_optimizer")) {
    ImportFields inner(f, *v, "zero_optimization.offload_optimizer");
    optimizer = inner.text({"device"});
    if (inner.failed()) f.fail(inner.take_error());
  }
  if (const json* v = f.object("offload_param")) {
    ImportFields inner(f, *v, "zero_optimization.offload_param");
    parameters = inner.text({"device"});
    if (inner.failed()) f.fail(inner.take_error());
  }
  const bool old = f.flag({"cpu_offload"}).value_or(false), old_parameters = f.flag({"cpu_offload_params"}).value_or(false);
  if (is_host(optimizer) || old || is_host(parameters) || old_parameters) {
    f.find({is_host(parameters) ? "offload_param" : old_parameters ? "cpu_offload_params" : old ? "cpu_offload" : "offload_optimizer"});
    offload(f, is_host(optimizer) || old, is_host(parameters) || old_parameters);
  }
  f.ignore_rest();
}

bool enabled(ImportFields& f, string_view name) {
  const json* v = f.object(name);
  if (v == nullptr) return false;
  ImportFields inner(f, *v, std::string(name));
  const auto on = inner.flag({"enabled"});
  const bool automatic = !on && v->contains("enabled");
  if (inner.failed()) f.fail(inner.take_error());
  return on.value_or(automatic && name == "bf16" && f.s().compute == DType::bf16);
}

}  // namespace

void read_deepspeed(ImportFields& f) {
  f.state().deepspeed_given = true;
  if (const json* zero = f.object("zero_optimization")) {
    ImportFields inner(f, *zero, "zero_optimization");
    read_zero(inner);
    if (inner.failed()) f.fail(inner.take_error());
  } else {
    f.assume("parallelism.data", std::string("ddp"), "no zero_optimization");
  }
  f.set_integer("per_device_train_batch_size", {"train_micro_batch_size_per_gpu"});
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  f.set_number("max_grad_norm", {"gradient_clipping"});
  if (const auto all = f.integer({"train_batch_size"})) {
    if (*all < 1) return f.fail({f.name(), ErrorId::out_of_range, fmt::format("{}", *all), "at least 1", {}});
    f.state().train_batch = *all;
  }
  const bool bf16 = enabled(f, "bf16") || enabled(f, "bfloat16"), fp16 = enabled(f, "fp16");
  if (f.failed()) return;
  if (bf16 && fp16) return f.fail({"fp16.enabled", ErrorId::contradiction, "bf16.enabled", "one of the two", {}});
  if (bf16 || fp16) {
    f.find({bf16 ? (f.find({"bf16"}) != nullptr ? "bf16" : "bfloat16") : "fp16"});
    f.set("compute", std::string(bf16 ? "bf16" : "fp16"));
    f.assume("master_weights", true, "DeepSpeed keeps an fp32 copy of what it trains in bf16 or fp16");
  } else {
    f.assume("master_weights", false, "neither bf16 nor fp16 is enabled");
  }
  if (const json* types = f.object("data_types")) {
    ImportFields inner(f, *types, "data_types");
    if (const auto type = inner.text({"grad_accum_dtype"})) inner.set("gradients", *type);
    inner.ignore_rest();
    if (inner.failed()) return f.fail(inner.take_error());
  }
  if (const json* given = f.object("optimizer")) {
    ImportFields inner(f, *given, "optimizer");
    if (const auto type = inner.text({"type"})) {
      if (*type == "Adam" || *type == "AdamW" || *type == "FusedAdam")
        inner.set("optim", std::string("adamw_torch_fused"));
      else if (*type == "Lion" || *type == "FusedLion")
        inner.set("optim", std::string("lion_32bit"));
      else if (*type == "Adagrad")
        inner.set("optim", std::string("adagrad"));
      else if (*type == "Muon")
        inner.set("optim", std::string("muon"));
      else
        inner.fail({inner.name(), ErrorId::unknown_name, shortened(*type), "one of Adam, AdamW, Lion, Adagrad, Muon", {}});
    }
    inner.find({"params"});  // rates and betas
    if (inner.failed()) return f.fail(inner.take_error());
  }
  if (const json* given = f.object("tensor_parallel")) {
    ImportFields inner(f, *given, "tensor_parallel");
    inner.set_integer("parallelism.tensor", {"autotp_size", "tp_size"});
    inner.ignore_rest();
    if (inner.failed()) return f.fail(inner.take_error());
  }
  f.ignore_rest();
}

void deepspeed_by_name(ImportFields& f, const std::string& file_name) {
  if (f.state().deepspeed_given) return f.note_ignored(fmt::format("{}: its file was given", f.name()));
  for (const char stage : {'1', '2', '3'}) {
    for (const string_view word : {"zero", "zero_", "z", "stage", "stage_"}) {
      if (file_name.find(fmt::format("{}{}", word, stage)) == std::string::npos) continue;
      f.assume("parallelism.data", std::string(kStages[stage - '0']), fmt::format("by the name of the file in {}; give that file too", f.name()));
      if (file_name.find("offload") != std::string::npos || file_name.find("cpu") != std::string::npos)
        f.assume("parallelism.offload", std::string(stage == '3' ? "all" : "optimizer"), fmt::format("by the name of the file in {}", f.name()));
      f.assume("master_weights", true, "DeepSpeed keeps an fp32 copy of what it trains in bf16 or fp16");
      return;
    }
  }
  f.note_assumed(fmt::format("{}: {} names another file; give it too", value_text("parallelism.data", f.s()), f.name()));
}

std::optional<Error> import_deepspeed(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  f.find({"_gpudget"});  // our own comment
  read_deepspeed(f);
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

std::optional<Error> import_accelerate(ImportState& state, ImportedFile& file, const json& object) {
  ImportFields f(state, file, object);
  for (const string_view name :
       {"compute_environment", "debug", "machine_rank", "main_training_function", "main_process_ip", "main_process_port", "rdzv_backend", "same_network",
        "use_cpu", "downcast_bf16", "enable_cpu_affinity", "tpu_env", "tpu_use_cluster", "tpu_use_sudo", "gpu_ids"})
    f.find({name});  // nothing of the size follows from these
  f.set_integer("gpus", {"num_processes"});
  if (const auto machines = f.integer({"num_machines"}); machines && *machines > 1) f.set("gpus_per_node", ceil_divide(state.s.gpus, *machines));
  const auto precision = f.text({"mixed_precision"});
  const json* raw = f.find({"mixed_precision"});
  if (raw != nullptr && raw->is_boolean()) return Error{"mixed_precision", ErrorId::wrong_type, described(*raw), "'no' (in quotes), bf16, fp16 or fp8", {}};
  if (precision && *precision != "no") {
    f.set("compute", *precision);
  } else if (!state.compute_given) {
    const DType held = weights_dtype(state.s);
    f.assume("compute", std::string(held == DType::bf16 ? "bf16" : held == DType::fp16 ? "fp16" : "fp32"), "no mixed precision: the type of the weights");
  }
  f.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
  const auto kind = f.text({"distributed_type"});
  if (f.failed()) return f.take_error();
  if (kind && (*kind == "NO" || *kind == "MULTI_GPU")) f.set("parallelism.data", std::string(*kind == "NO" ? "auto" : "ddp"));
  if (const json* given = f.object("deepspeed_config")) {
    ImportFields inner(f, *given, "deepspeed_config");
    if (const auto other = inner.text({"deepspeed_config_file"})) deepspeed_by_name(inner, *other);
    if (const auto stage = inner.integer({"zero_stage"})) set_stage(inner, *stage);
    inner.set_integer("gradient_accumulation_steps", {"gradient_accumulation_steps"});
    inner.set_number("max_grad_norm", {"gradient_clipping"});
    const auto parameters = inner.text({"offload_param_device"});
    if (is_host(parameters)) offload(inner, true, true);
    const auto optimizer = inner.text({"offload_optimizer_device"});
    if (is_host(optimizer) && !is_host(parameters)) offload(inner, true, false);
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
    f.assume("master_weights", precision && (*precision == "bf16" || *precision == "fp16"), "DeepSpeed keeps an fp32 copy of what it trains in bf16 or fp16");
    state.deepspeed_given = true;
  }
  if (const json* given = f.object("fsdp_config")) {
    ImportFields inner(f, *given, "fsdp_config");
    bool whole = true;
    if (const json* v = inner.find({"fsdp_sharding_strategy"})) {
      const std::string strategy = v->is_string() ? v->get<std::string>() : v->is_number_integer() ? fmt::format("{}", v->get<std::int64_t>()) : "";
      if (strategy == "SHARD_GRAD_OP" || strategy == "2")
        whole = false;
      else if (strategy == "NO_SHARD" || strategy == "3")
        return Error{inner.name(), ErrorId::unknown_name, shortened(strategy), "FULL_SHARD, SHARD_GRAD_OP or a HYBRID_SHARD", {}};
      else if (strategy != "FULL_SHARD" && strategy != "1")
        inner.note_ignored(inner.name() + ": shards over one node only are counted as over all GPUs");
    }
    if (const json* v = inner.find({"fsdp_reshard_after_forward"})) {
      if (v->is_boolean()) whole = v->get<bool>();
      if (v->is_string()) whole = v->get_ref<const std::string&>() != "SHARD_GRAD_OP";
    }
    inner.set("parallelism.data", std::string(whole ? "fsdp" : "zero2"));
    if (inner.flag({"fsdp_offload_params"}).value_or(false)) offload(inner, true, true);
    if (const auto on = inner.flag({"fsdp_activation_checkpointing"}); on && *on) inner.set("gradient_checkpointing", *on);
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  } else if (kind && *kind == "FSDP") {
    f.find({"distributed_type"});
    f.set("parallelism.data", std::string("fsdp"));
  }
  if (const json* given = f.object("megatron_lm_config")) {
    ImportFields inner(f, *given, "megatron_lm_config");
    inner.set_integer("parallelism.tensor", {"megatron_lm_tp_degree"});
    inner.set_integer("parallelism.pipeline", {"megatron_lm_pp_degree"});
    if (const auto on = inner.flag({"megatron_lm_sequence_parallelism"})) inner.set("parallelism.sequence_parallel", *on);
    if (const auto on = inner.flag({"megatron_lm_recompute_activations"}); on && *on) inner.set("gradient_checkpointing", std::string("selective"));
    inner.set_number("max_grad_norm", {"megatron_lm_gradient_clipping"});
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  if (const json* given = f.object("dynamo_config")) {
    ImportFields inner(f, *given, "dynamo_config");
    if (const auto backend = inner.text({"dynamo_backend"})) inner.set("compile", *backend != "NO" && *backend != "no");
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  if (const json* given = f.object("parallelism_config")) {
    ImportFields inner(f, *given, "parallelism_config");
    inner.set_integer("parallelism.tensor", {"parallelism_config_tp_size"});
    inner.set_integer("parallelism.context", {"parallelism_config_cp_size"});
    inner.ignore_rest();
    if (inner.failed()) return inner.take_error();
  }
  f.note_assumed(fmt::format("the model, method, weights, optimizer, batch and length stand in the training script"));
  f.ignore_rest();
  return f.failed() ? std::optional(f.take_error()) : std::nullopt;
}

}  // namespace gpudget::formats
