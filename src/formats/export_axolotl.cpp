// Axolotl's and LLaMA-Factory's YAML: the Trainer's options under other names.
#include <fmt/format.h>

#include "formats/export_common.h"

namespace gpudget::formats {
namespace {

std::string list_of(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view n : names) out += fmt::format("{}{}", out.empty() ? "" : ", ", n);
  return out;
}

void leave_out_common(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_types(c);
  if (s.optimizer_in_backward) c.leave_out({"optimizer_in_backward"}, "the optimizer inside the backward pass: only lomo and adalomo do it.");
  if (s.gradient_checkpointing == Checkpointing::selective) c.leave_out({"gradient_checkpointing"}, "selective checkpointing: nothing is checkpointed here.");
  if (c.deepspeed()) c.leave_out({}, "ds_config.json: `gpudget export --to deepspeed` writes it.");
  if (weights_dtype(s) == DType::int4) c.leave_out({}, "int4: bitsandbytes' 4-bit types stand here.");
}

}  // namespace

ExportedFile export_axolotl(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_common(c);
  leave_out_parallelism(c, true, true);
  leave_out_adapters(c, c.four_bit());
  const OptimArguments optim = optim_arguments(c);
  if (c.quantized() && !s.quantization.prepare_kbit)
    c.leave_out({"quantization.prepare_kbit"}, "quantization.prepare_kbit false: Axolotl raises norms by its own rule.");
  if (s.lora.adapter_dtype != DType::fp32 && c.lora()) c.leave_out({"lora.adapter_dtype"}, fmt::format("adapters in {}.", name(s.lora.adapter_dtype)));
  if (s.master_weights && !c.deepspeed()) c.leave_out({"master_weights"}, "an fp32 copy of the weights: Axolotl keeps none.");
  const DType loaded = !c.half() ? DType::fp32 : s.compute == DType::fp16 ? DType::fp16 : DType::bf16;
  if (!c.quantized() && weights_dtype(s) != loaded)
    c.leave_out({"weights"}, fmt::format("weights in {}: Axolotl loads them in the type that it computes in, {}.", name(weights_dtype(s)), name(loaded)));
  std::string b = fmt::format("base_model: {}\n", quoted(c.model()));
  b += fmt::format("load_in_8bit: {}\nload_in_4bit: {}\n", c.quantized() && !c.four_bit(), c.four_bit());
  if (c.lora()) {
    b += fmt::format("adapter: {}\nlora_r: {}\nlora_alpha: {}\nlora_dropout: {}\n", c.four_bit() ? "qlora" : "lora", s.lora.r, 2 * s.lora.r, s.lora.dropout);
    if (s.lora.target_modules.kind == TargetModules::Kind::all_linear)
      b += "lora_target_linear: true\n";
    else
      b += fmt::format("lora_target_modules: [{}]\n", list_of(target_names(s)));
    if (s.lora.dora) b += "peft_use_dora: true\n";
  }
  b += "datasets:\n  - path: train.jsonl\n    type: completion\n";
  b += fmt::format("sequence_len: {}\nsample_packing: true\nnum_epochs: {}\nmicro_batch_size: {}\ngradient_accumulation_steps: {}\n", s.max_length, s.epochs,
                   s.per_device_train_batch_size, s.gradient_accumulation_steps);
  b += fmt::format("optimizer: {}\n", optim.optim);
  if (!optim.optim_args.empty()) b += fmt::format("optim_args: {}\n", quoted(optim.optim_args));
  if (optim.target_modules) b += "optim_target_modules: [self_attn, mlp]\n";
  b += "learning_rate: 2.0e-5\n";
  b += fmt::format("max_grad_norm: {}\nbf16: {}\nfp16: {}\ntf32: {}\n", s.max_grad_norm, s.compute == DType::bf16 || s.compute == DType::fp8,
                   s.compute == DType::fp16, s.compute == DType::tf32);
  if (c.four_bit())
    b += fmt::format("bnb_config_kwargs:\n  bnb_4bit_quant_type: {}\n  bnb_4bit_use_double_quant: {}\n", weights_dtype(s) == DType::nf4 ? "nf4" : "fp4",
                     s.quantization.double_quant);
  b += fmt::format("gradient_checkpointing: {}\n", s.gradient_checkpointing == Checkpointing::full);
  b += fmt::format("attn_implementation: {}\n", name(s.attn_implementation));
  if (s.loss == Loss::fused) b += "plugins:\n  - axolotl.integrations.liger.LigerPlugin\nliger_fused_linear_cross_entropy: true\n";
  if (s.loss == Loss::in_place) b += "plugins:\n  - axolotl.integrations.liger.LigerPlugin\nliger_cross_entropy: true\n";
  if (s.loss == Loss::chunked) b += "chunked_cross_entropy: true\n";
  b += fmt::format("torch_compile: {}\n", s.compile);
  if (c.deepspeed()) b += "deepspeed: ds_config.json\n";
  if (c.fsdp())
    b += fmt::format(
        "fsdp_version: 2\nfsdp_config:\n  offload_params: {}\n  auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  reshard_after_forward: true\n  state_dict_type: "
        "SHARDED_STATE_DICT\n",
        s.parallelism.offload != Offload::none);
  if (s.parallelism.tensor > 1) b += fmt::format("tensor_parallel_size: {}\n", s.parallelism.tensor);
  if (s.parallelism.context > 1) b += fmt::format("context_parallel_size: {}\n", s.parallelism.context);
  b += "output_dir: ./out\n";
  ExportedFile f{"axolotl.yaml", "application/yaml", {}, {}};
  f.command = s.gpus > 1 ? fmt::format("axolotl train axolotl.yaml --num-processes {}", s.gpus) : "axolotl train axolotl.yaml";
  f.text = export_comment(c, "# ", "Axolotl configuration") + "# Run: " + f.command + "\n\n" + b;
  return f;
}

ExportedFile export_llamafactory(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_common(c);
  leave_out_parallelism(c);
  leave_out_adapters(c, c.four_bit());
  const OptimArguments optim = optim_arguments(c);
  if (c.fsdp()) c.leave_out({}, "FSDP: start it with the file of `gpudget export --to accelerate` (accelerate launch --config_file).");
  if (s.loss == Loss::in_place) c.leave_out({"loss"}, "the gradient written over the logits: enable_liger_kernel fuses the linear layer, too.");
  if (s.loss == Loss::chunked) c.leave_out({"loss"}, "the loss in chunks: enable_liger_kernel fuses it.");
  if (c.quantized() && s.quantization.prepare_kbit)
    c.leave_out({"quantization.prepare_kbit"}, "quantization.prepare_kbit: LLaMA-Factory raises the norms only (upcast_layernorm).");
  if (s.master_weights && !c.deepspeed())
    c.leave_out({"master_weights"}, "an fp32 copy of the weights: bf16: true keeps trained weights in fp32, pure_bf16: true does not.");
  std::string b = fmt::format("model_name_or_path: {}\nstage: sft\ndo_train: true\nfinetuning_type: {}\n", quoted(c.model()), c.lora() ? "lora" : "full");
  if (c.lora()) {
    b += fmt::format("lora_rank: {}\nlora_alpha: {}\nlora_dropout: {}\nuse_dora: {}\n", s.lora.r, 2 * s.lora.r, s.lora.dropout, s.lora.dora);
    b +=
        fmt::format("lora_target: {}\n", s.lora.target_modules.kind == TargetModules::Kind::all_linear ? std::string("all") : quoted(list_of(target_names(s))));
  }
  if (c.quantized()) {
    b += fmt::format("quantization_bit: {}\nquantization_method: bnb\n", c.four_bit() ? 4 : 8);
    if (c.four_bit())
      b += fmt::format("quantization_type: {}\ndouble_quantization: {}\n", weights_dtype(s) == DType::nf4 ? "nf4" : "fp4", s.quantization.double_quant);
    b += fmt::format("upcast_layernorm: {}\n", s.quantization.prepare_kbit);
  }
  // pure_bf16: trained parameters stay in bf16; bf16 alone: they are raised to fp32.
  const bool bf16 = s.compute == DType::bf16 || s.compute == DType::fp8;
  const bool pure = bf16 && trainable_dtype(s) == DType::bf16 && !s.master_weights;
  const DType computed = bf16 ? DType::bf16 : s.compute == DType::fp16 ? DType::fp16 : DType::fp32;
  const DType loaded = !c.lora() && !pure && !c.deepspeed() ? DType::fp32 : computed, adapters = pure ? DType::bf16 : DType::fp32;
  if (!c.quantized() && weights_dtype(s) != loaded)
    c.leave_out({"weights"}, fmt::format("weights in {}: LLaMA-Factory holds them in {} here.", name(weights_dtype(s)), name(loaded)));
  if (c.lora() && s.lora.adapter_dtype != adapters)
    c.leave_out({"lora.adapter_dtype"}, fmt::format("adapters in {}: LLaMA-Factory holds them in {} here.", name(s.lora.adapter_dtype), name(adapters)));
  b += fmt::format("{}: {}\nfp16: {}\n", pure ? "pure_bf16" : "bf16", bf16, s.compute == DType::fp16);
  if (s.compute == DType::tf32) b += "tf32: true\n";
  b += fmt::format("flash_attn: {}\n", s.attn_implementation == Attention::flash_attention_2 ? "fa2"
                                       : s.attn_implementation == Attention::sdpa            ? "sdpa"
                                                                                             : "disabled");
  b += fmt::format("disable_gradient_checkpointing: {}\nenable_liger_kernel: {}\n", s.gradient_checkpointing != Checkpointing::full, s.loss == Loss::fused);
  b += fmt::format("dataset: your_dataset\ntemplate: default\ncutoff_len: {}\npacking: true\n", s.max_length);
  b += fmt::format("num_train_epochs: {}\nper_device_train_batch_size: {}\ngradient_accumulation_steps: {}\n", s.epochs, s.per_device_train_batch_size,
                   s.gradient_accumulation_steps);
  b += fmt::format("optim: {}\nmax_grad_norm: {}\nlearning_rate: 2.0e-5\ntorch_compile: {}\n", optim.optim, s.max_grad_norm, s.compile);
  if (!optim.optim_args.empty()) b += fmt::format("optim_args: {}\n", quoted(optim.optim_args));
  if (optim.target_modules) b += "optim_target_modules: [self_attn, mlp]\n";
  if (c.deepspeed()) b += "deepspeed: ds_config.json\n";
  b += "output_dir: out\n";
  ExportedFile f{"llamafactory.yaml", "application/yaml", {}, {}};
  f.command = s.gpus > 1 ? fmt::format("FORCE_TORCHRUN=1 NPROC_PER_NODE={} llamafactory-cli train llamafactory.yaml",
                                       s.gpus < s.gpus_per_node ? s.gpus : s.gpus_per_node)
                         : "llamafactory-cli train llamafactory.yaml";
  f.text = export_comment(c, "# ", "LLaMA-Factory configuration") + "# Run: " + f.command + "\n\n" + b;
  return f;
}

}  // namespace gpudget::formats
