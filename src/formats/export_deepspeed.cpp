// DeepSpeed's JSON, and accelerate's YAML, which can hold the same.
#include <fmt/format.h>

#include "formats/export_common.h"
#include "formats/json_text.h"

namespace gpudget::formats {
namespace {

// Two spaces a level: people edit these files.
std::string indented(std::string_view json) {
  std::string out;
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (text) {
      out += c;
      if (c == '\\') out += json[++i];
      text = c != '"';
      continue;
    }
    const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    const bool empty = opens && i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
    if (closes) out += '\n' + std::string(static_cast<std::size_t>(--depth) * 2, ' ');
    out += c;
    if (empty) {
      out += json[++i];
    } else if (opens || c == ',') {
      depth += opens ? 1 : 0;
      out += '\n' + std::string(static_cast<std::size_t>(depth) * 2, ' ');
    } else if (c == ':') {
      out += ' ';
    }
    text = c == '"';
  }
  return out;
}

}  // namespace

std::string deepspeed_json(const ExportContext& c, bool automatic) {
  const Scenario& s = c.s;
  JsonWriter out;
  out.open('{');
  out.key("_gpudget").open('[');
  for (const std::string& line : export_summary(c)) out.value(std::string_view(line));
  for (const std::string& line : c.left_out) out.value(std::string_view(line));
  out.close(']');
  if (automatic) {
    out.field("train_batch_size", "auto").field("train_micro_batch_size_per_gpu", "auto").field("gradient_accumulation_steps", "auto");
    out.field("gradient_clipping", "auto");
  } else {
    out.field("train_batch_size", product(s.per_device_train_batch_size, s.gradient_accumulation_steps, data_parallel_degree(s)));
    out.field("train_micro_batch_size_per_gpu", s.per_device_train_batch_size).field("gradient_accumulation_steps", s.gradient_accumulation_steps);
    out.field("gradient_clipping", s.max_grad_norm);
  }
  out.key("bf16").open('{').field("enabled", s.compute == DType::bf16 || s.compute == DType::fp8).close('}');
  out.key("fp16").open('{').field("enabled", s.compute == DType::fp16).close('}');
  out.key("zero_optimization").open('{').field("stage", std::int64_t{c.zero_stage()});
  out.field("overlap_comm", true).field("contiguous_gradients", true);
  const auto cpu = [&](std::string_view key) { out.key(key).open('{').field("device", "cpu").field("pin_memory", true).close('}'); };
  if (c.zero_stage() > 0 && s.parallelism.offload != Offload::none) cpu("offload_optimizer");
  if (c.zero_stage() == 3) {
    if (s.parallelism.offload == Offload::all) cpu("offload_param");
    if (automatic) {
      out.field("stage3_prefetch_bucket_size", "auto").field("stage3_param_persistence_threshold", "auto");
    } else {  // "auto" is the Trainer's word; DeepSpeed alone takes numbers
      const std::int64_t hidden = s.model.architecture.hidden_size;
      out.field("stage3_prefetch_bucket_size", product(hidden, hidden, 9) / 10).field("stage3_param_persistence_threshold", 10 * hidden);
    }
    out.field("stage3_gather_16bit_weights_on_model_save", true);
  }
  if (c.zero_stage() > 0) out.field("reduce_bucket_size", std::int64_t{500'000'000}).field("allgather_bucket_size", std::int64_t{500'000'000});
  out.close('}');
  if (s.parallelism.tensor > 1) out.key("tensor_parallel").open('{').field("autotp_size", s.parallelism.tensor).close('}');
  return indented(out.close('}').text()) + "\n";
}

ExportedFile export_deepspeed(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_types(c);
  leave_out_parallelism(c, true);
  leave_out_zero_offload(c);
  leave_out_plain_compute(c, false);
  if (c.fsdp()) c.leave_out({"parallelism.data"}, "fsdp sharding: DeepSpeed without ZeRO (stage 0) stands here.");
  if (c.fsdp() && s.parallelism.offload != Offload::none) c.leave_out({"parallelism.offload"}, "offload: it needs ZeRO.");
  c.leave_out(
      {"model", "method", "lora.r", "lora.target_modules", "lora.dropout", "lora.dora", "lora.adapter_dtype", "quantization.double_quant",
       "quantization.prepare_kbit", "weights", "optim", "max_length", "gradient_checkpointing", "attn_implementation", "loss", "compile",
       "optimizer_in_backward"},
      fmt::format("the training script's own options: {}, optim {}, max_length {}, gradient_checkpointing {}, attn_implementation {}, loss {}, weights {}{}{}.",
                  name(s.method), name(s.optim), s.max_length, name(s.gradient_checkpointing), name(s.attn_implementation), name(s.loss),
                  name(weights_dtype(s)), s.compile ? ", torch_compile" : "", s.optimizer_in_backward ? ", optimizer in the backward pass" : ""));
  if (s.master_weights && !c.half()) c.leave_out({"master_weights"}, "an fp32 copy of the weights: with neither bf16 nor fp16 there is none.");
  if (!s.master_weights && c.half())
    c.leave_out({"master_weights"}, "training without fp32 master weights: DeepSpeed keeps them in bf16 and fp16 mode (set master_weights to count them).");
  ExportedFile f{"ds_config.json", "application/json", deepspeed_json(c, false), {}};
  f.command = fmt::format("deepspeed --num_gpus={} train.py --deepspeed ds_config.json", s.gpus < s.gpus_per_node ? s.gpus : s.gpus_per_node);
  return f;
}

ExportedFile export_accelerate(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_types(c);
  leave_out_parallelism(c, true, true);
  leave_out_zero_offload(c);
  leave_out_plain_compute(c, false);
  c.leave_out(
      {"model", "method", "lora.r", "lora.target_modules", "lora.dropout", "lora.dora", "lora.adapter_dtype", "quantization.double_quant",
       "quantization.prepare_kbit", "weights", "optim", "max_length", "gradient_checkpointing", "attn_implementation", "loss", "per_device_train_batch_size",
       "max_grad_norm", "optimizer_in_backward"},
      fmt::format(
          "the training script's own options: {}, optim {}, per_device_train_batch_size {}, max_length {}, gradient_checkpointing {}, attn_implementation {}, "
          "loss {}, weights {}, max_grad_norm {}{}.",
          name(s.method), name(s.optim), s.per_device_train_batch_size, s.max_length, name(s.gradient_checkpointing), name(s.attn_implementation), name(s.loss),
          name(weights_dtype(s)), s.max_grad_norm, s.optimizer_in_backward ? ", optimizer in the backward pass" : ""));
  if (s.master_weights && !c.deepspeed()) c.leave_out({"master_weights"}, "an fp32 copy of the weights: load them in fp32 and keep mixed_precision.");
  if (c.deepspeed() && s.master_weights != c.half())
    c.leave_out({"master_weights"}, c.half() ? "training without fp32 master weights: DeepSpeed keeps them in bf16 and fp16 mode."
                                             : "an fp32 copy of the weights: with neither bf16 nor fp16 there is none.");
  const bool cpu = s.parallelism.offload != Offload::none;
  std::string b = "compute_environment: LOCAL_MACHINE\ndebug: false\n";
  b += fmt::format("distributed_type: {}\n", c.deepspeed() ? "DEEPSPEED" : c.fsdp() ? "FSDP" : s.gpus > 1 ? "MULTI_GPU" : "'NO'");
  b += "downcast_bf16: 'no'\nmachine_rank: 0\nmain_training_function: main\n";
  b += fmt::format("mixed_precision: {}\n", s.compute == DType::bf16 || s.compute == DType::fp8 ? "bf16" : s.compute == DType::fp16 ? "fp16" : "'no'");
  b += fmt::format("num_machines: {}\nnum_processes: {}\nuse_cpu: false\n", c.nodes(), s.gpus);
  if (!c.deepspeed()) b += fmt::format("gradient_accumulation_steps: {}\n", s.gradient_accumulation_steps);
  if (s.compile) b += "dynamo_config:\n  dynamo_backend: INDUCTOR\n";
  if (c.deepspeed()) {
    b += fmt::format("deepspeed_config:\n  zero_stage: {}\n  gradient_accumulation_steps: {}\n  gradient_clipping: {}\n", c.zero_stage(),
                     s.gradient_accumulation_steps, s.max_grad_norm);
    b += fmt::format("  offload_optimizer_device: {}\n", cpu ? "cpu" : "none");
    b += fmt::format("  offload_param_device: {}\n", c.zero_stage() == 3 && s.parallelism.offload == Offload::all ? "cpu" : "none");
    if (c.zero_stage() == 3) b += "  zero3_init_flag: true\n  zero3_save_16bit_model: true\n";
  }
  if (c.fsdp()) {
    b += "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  fsdp_state_dict_type: "
         "SHARDED_STATE_DICT\n"
         "  fsdp_cpu_ram_efficient_loading: true\n";
    b += fmt::format("  fsdp_offload_params: {}\n  fsdp_activation_checkpointing: {}\n", cpu, s.gradient_checkpointing == Checkpointing::full);
  }
  if (s.parallelism.tensor > 1 || s.parallelism.context > 1)
    b += fmt::format("parallelism_config:\n  parallelism_config_tp_size: {}\n  parallelism_config_cp_size: {}\n", s.parallelism.tensor, s.parallelism.context);
  ExportedFile f{"accelerate.yaml", "application/yaml", {}, "accelerate launch --config_file accelerate.yaml train.py"};
  f.text = export_comment(c, "# ", "accelerate configuration") + "# Run: " + f.command + "\n\n" + b;
  return f;
}

}  // namespace gpudget::formats
