// torchtune's YAML for the recipes full_finetune and lora_finetune, on one device or distributed.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "formats/export_common.h"
#include "formats/import_fields.h"

namespace gpudget::formats {
namespace {

// Model builders of torchtune (torchtune/models) by catalog id; lora_ and qlora_ go in front of the last part.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kBuilders{{
    {"meta-llama/Llama-2-7b-hf", "llama2.llama2_7b"},
    {"meta-llama/Llama-2-13b-hf", "llama2.llama2_13b"},
    {"meta-llama/Llama-2-70b-hf", "llama2.llama2_70b"},
    {"meta-llama/Meta-Llama-3-8B", "llama3.llama3_8b"},
    {"meta-llama/Llama-3.1-8B", "llama3_1.llama3_1_8b"},
    {"meta-llama/Llama-3.1-70B", "llama3_1.llama3_1_70b"},
    {"meta-llama/Llama-3.1-405B", "llama3_1.llama3_1_405b"},
    {"meta-llama/Llama-3.2-1B", "llama3_2.llama3_2_1b"},
    {"meta-llama/Llama-3.2-3B", "llama3_2.llama3_2_3b"},
    {"mistralai/Mistral-7B-v0.1", "mistral.mistral_7b"},
    {"google/gemma-2b", "gemma.gemma_2b"},
    {"google/gemma-7b", "gemma.gemma_7b"},
    {"Qwen/Qwen2.5-0.5B", "qwen2_5.qwen2_5_0_5b"},
    {"Qwen/Qwen2.5-7B", "qwen2_5.qwen2_5_7b_base"},
    {"Qwen/Qwen2.5-14B", "qwen2_5.qwen2_5_14b_base"},
    {"microsoft/Phi-3-mini-4k-instruct", "phi3.phi3_mini"},
}};

std::string builder(ExportContext& c) {
  const std::string_view prefix = !c.lora() ? "" : c.quantized() ? "qlora_" : "lora_";
  for (const auto& [id, component] : kBuilders) {
    if (id != c.s.model.id.view() || c.s.model.source != ModelSpec::Source::catalog) continue;
    const std::size_t dot = component.find('.');
    return fmt::format("torchtune.models.{}.{}{}", component.substr(0, dot), prefix, component.substr(dot + 1));
  }
  c.leave_out({"model"}, "the model's builder: put the one of torchtune.models for it, or compose it, in _component_.");
  return fmt::format("your.{}model_builder", prefix);
}

std::string optimizer(ExportContext& c) {
  switch (c.s.optim) {
    case Optimizer::adamw_torch: return "  _component_: torch.optim.AdamW\n  fused: false\n";
    case Optimizer::adamw_torch_fused:
    case Optimizer::adamw_apex_fused: return "  _component_: torch.optim.AdamW\n  fused: true\n";
    case Optimizer::adamw_8bit: return "  _component_: bitsandbytes.optim.AdamW8bit\n";
    case Optimizer::paged_adamw_8bit: return "  _component_: bitsandbytes.optim.PagedAdamW8bit\n";
    case Optimizer::paged_adamw_32bit: return "  _component_: bitsandbytes.optim.PagedAdamW\n";
    case Optimizer::adamw_torch_8bit: return "  _component_: torchao.optim.AdamW8bit\n";
    case Optimizer::adamw_torch_4bit: return "  _component_: torchao.optim.AdamW4bit\n";
    case Optimizer::adafactor: return "  _component_: torch.optim.Adafactor\n";
    case Optimizer::sgd: return "  _component_: torch.optim.SGD\n";
    case Optimizer::sgd_momentum: return "  _component_: torch.optim.SGD\n  momentum: 0.9\n";
    case Optimizer::adagrad: return "  _component_: torch.optim.Adagrad\n";
    case Optimizer::rmsprop: return "  _component_: torch.optim.RMSprop\n";
    case Optimizer::lion_32bit: return "  _component_: bitsandbytes.optim.Lion32bit\n";
    case Optimizer::lion_8bit: return "  _component_: bitsandbytes.optim.Lion8bit\n";
    case Optimizer::paged_lion_32bit: return "  _component_: bitsandbytes.optim.PagedLion32bit\n";
    case Optimizer::paged_lion_8bit: return "  _component_: bitsandbytes.optim.PagedLion8bit\n";
    case Optimizer::ademamix: return "  _component_: bitsandbytes.optim.AdEMAMix32bit\n";
    case Optimizer::ademamix_8bit: return "  _component_: bitsandbytes.optim.AdEMAMix8bit\n";
    default: break;
  }
  c.leave_out({"optim"}, fmt::format("optim {}: torchtune takes any class of the same use; torch.optim.AdamW stands here.", name(c.s.optim)));
  return "  _component_: torch.optim.AdamW\n";
}

}  // namespace

std::string_view torchtune_model_id(std::string_view builder) {
  for (const auto& [id, component] : kBuilders)
    if (component.substr(component.find('.') + 1) == builder) return id;
  return {};
}

ExportedFile export_torchtune(ExportContext& c) {
  const Scenario& s = c.s;
  leave_out_types(c);
  leave_out_parallelism(c, true, true);
  if (s.master_weights) c.leave_out({"master_weights"}, "an fp32 copy of the weights: set dtype: fp32.");
  leave_out_adapters(c, c.quantized());
  const bool distributed = s.gpus > 1;
  if (distributed ? !c.fsdp() : c.fsdp() || c.deepspeed())
    c.leave_out({"parallelism.data"}, fmt::format("{}: torchtune shards with FSDP2, on more than one GPU.", name(data_parallel(s))));
  if (s.parallelism.offload == Offload::optimizer || (s.parallelism.offload == Offload::all && !distributed))
    c.leave_out({"parallelism.offload"}, fmt::format("offload of {}: torchtune offloads all or nothing, on more than one GPU.", name(s.parallelism.offload)));
  if (s.attn_implementation != Attention::sdpa)
    c.leave_out({"attn_implementation"}, fmt::format("{}: torchtune uses PyTorch's scaled_dot_product_attention.", name(s.attn_implementation)));
  if (c.quantized() && s.quantization.prepare_kbit) c.leave_out({"quantization.prepare_kbit"}, "quantization.prepare_kbit: torchtune raises nothing to fp32.");
  if (s.gradient_checkpointing == Checkpointing::selective)
    c.leave_out({"gradient_checkpointing"}, "selective checkpointing: ac_mode and ac_option of torchtune's dev recipes.");
  if (c.quantized() && !c.lora())
    c.leave_out({"weights", "quantization.double_quant", "quantization.prepare_kbit"},
                "quantized weights without adapters: torchtune quantizes for QLoRA only.");
  if (c.quantized() && weights_dtype(s) != DType::nf4) c.leave_out({"weights"}, fmt::format("{} weights: torchtune quantizes to nf4.", name(weights_dtype(s))));
  if (c.quantized() && !s.quantization.double_quant)
    c.leave_out({"quantization.double_quant"}, "quantization without double_quant: torchtune's nf4 quantizes its scales.");
  if (s.compute != weights_dtype(s) && !c.quantized())
    c.leave_out({"weights", "compute"},
                fmt::format("computing in {} on {} weights: torchtune computes in the weights' type.", name(s.compute), name(weights_dtype(s))));
  const DType type = c.quantized() ? s.compute : weights_dtype(s);
  const DType written = type == DType::bf16 || type == DType::fp8 ? DType::bf16 : type == DType::fp16 ? DType::fp16 : DType::fp32;
  if (c.quantized() && s.compute != written) c.leave_out({"compute"}, fmt::format("computing in {}: {} stands here.", name(s.compute), name(written)));
  const std::string recipe = fmt::format("{}_{}", c.lora() ? "lora_finetune" : "full_finetune", distributed ? "distributed" : "single_device");
  std::string b = fmt::format("model:\n  _component_: {}\n", builder(c));
  if (c.lora()) {
    const auto targets = target_names(s);
    std::string attention;
    bool mlp = false;
    for (const std::string_view t : targets) {
      const std::string_view its_name = t == "o_proj" ? "output_proj" : t;
      if (t == "q_proj" || t == "k_proj" || t == "v_proj" || t == "o_proj") attention += fmt::format("{}{}", attention.empty() ? "" : ", ", its_name);
      mlp = mlp || t == "gate_proj" || t == "up_proj" || t == "down_proj";
    }
    b += fmt::format(
        "  lora_attn_modules: [{}]\n  apply_lora_to_mlp: {}\n  apply_lora_to_output: false\n  lora_rank: {}\n  lora_alpha: {}\n  lora_dropout: {}\n", attention,
        mlp, s.lora.r, 2 * s.lora.r, s.lora.dropout);
    if (s.lora.dora) b += "  use_dora: true\n";
    if (s.lora.adapter_dtype != written)
      c.leave_out({"lora.adapter_dtype"}, fmt::format("adapters in {}: torchtune keeps them in dtype.", name(s.lora.adapter_dtype)));
    std::vector<std::string_view> said;
    for (const std::string_view t : targets)
      if (t == "q_proj" || t == "k_proj" || t == "v_proj" || t == "o_proj") said.push_back(t);
    if (mlp) said.insert(said.end(), {"gate_proj", "up_proj", "down_proj"});
    if (!same_targets(s, said))
      c.leave_out({"lora.target_modules"}, "the target modules exactly: torchtune names those of the attention, and the MLP as a whole.");
  }
  b += fmt::format(
      "tokenizer:\n  _component_: torchtune.modules.transforms.tokenizers.HuggingFaceModelTokenizer\n  tokenizer_json_path: {0}/tokenizer.json\n"
      "  tokenizer_config_json_path: {0}/tokenizer_config.json\n  max_seq_len: {1}\n",
      "/tmp/model", s.max_length);
  b += "checkpointer:\n  _component_: torchtune.training.FullModelHFCheckpointer\n  checkpoint_dir: /tmp/model\n  checkpoint_files: [model.safetensors]\n  "
       "output_dir: /tmp/out\n"
       "  model_type: LLAMA3\n";
  b += "dataset:\n  _component_: torchtune.datasets.text_completion_dataset\n  source: json\n  data_files: train.jsonl\n  packed: true\n";
  b += fmt::format("epochs: {}\nbatch_size: {}\ngradient_accumulation_steps: {}\n", s.epochs, s.per_device_train_batch_size, s.gradient_accumulation_steps);
  b += "optimizer:\n" + optimizer(c);
  b += fmt::format("optimizer_in_bwd: {}\nclip_grad_norm: {}\n", s.optimizer_in_backward,
                   s.max_grad_norm > 0 ? fmt::format("{}", s.max_grad_norm) : std::string("null"));
  b += s.loss == Loss::full ? "loss:\n  _component_: torch.nn.CrossEntropyLoss\n" : "loss:\n  _component_: torchtune.modules.loss.LinearCrossEntropyLoss\n";
  if (s.loss == Loss::in_place) c.leave_out({"loss"}, "the gradient written over the logits: torchtune has no such loss.");
  if (s.loss == Loss::fused) c.leave_out({"loss"}, "the fused loss: torchtune's linear cross-entropy works in chunks.");
  b += fmt::format("compile: {}\nenable_activation_checkpointing: {}\nenable_activation_offloading: false\n", s.compile,
                   s.gradient_checkpointing == Checkpointing::full);
  b += fmt::format("dtype: {}\n", name(written));
  if (distributed)
    b += fmt::format("tensor_parallel_dim: {}\ncontext_parallel_dim: {}\nfsdp_cpu_offload: {}\n", s.parallelism.tensor, s.parallelism.context,
                     s.parallelism.offload != Offload::none);
  b += "device: cuda\nseed: 0\nshuffle: true\noutput_dir: /tmp/out\n";
  ExportedFile f{"torchtune.yaml", "application/yaml", {}, {}};
  f.command = distributed ? fmt::format("tune run --nproc_per_node {} {} --config torchtune.yaml", s.gpus < s.gpus_per_node ? s.gpus : s.gpus_per_node, recipe)
                          : fmt::format("tune run {} --config torchtune.yaml", recipe);
  f.text = export_comment(c, "# ", "torchtune configuration") + "# Run: " + f.command + "\n\n" + b;
  return f;
}

}  // namespace gpudget::formats
