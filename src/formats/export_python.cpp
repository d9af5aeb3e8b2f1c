// Python scripts: transformers' Trainer with TrainingArguments (the chapter's way), and TRL's SFTTrainer with SFTConfig.
#include <fmt/format.h>

#include "formats/export_common.h"

namespace gpudget::formats {
namespace {

std::string_view truth(bool v) { return v ? "True" : "False"; }

std::string_view torch_type(DType t) { return t == DType::bf16 ? "torch.bfloat16" : t == DType::fp16 ? "torch.float16" : "torch.float32"; }

// The type that unquantized parts are loaded in.
DType load_type(const ExportContext& c) { return c.quantized() ? c.s.compute : weights_dtype(c.s); }

std::string target_argument(const Scenario& s) {
  if (s.lora.target_modules.kind == TargetModules::Kind::all_linear) return quoted("all-linear");
  std::string out;
  for (const std::string_view module : target_names(s)) out += fmt::format("{}{}", out.empty() ? "[" : ", ", quoted(module));
  return out.empty() ? quoted("all-linear") : out + "]";
}

std::string arguments(ExportContext& c, bool trl, const OptimArguments& optim) {
  const Scenario& s = c.s;
  const bool mixed = s.compute == DType::bf16 || s.compute == DType::fp8;
  std::string a;
  const auto add = [&](std::string_view key, std::string_view value) { a += fmt::format("    {}={},\n", key, value); };
  add("output_dir", quoted("out"));
  add("num_train_epochs", fmt::format("{}", s.epochs));
  add("per_device_train_batch_size", fmt::format("{}", s.per_device_train_batch_size));
  add("gradient_accumulation_steps", fmt::format("{}", s.gradient_accumulation_steps));
  add("optim", quoted(optim.optim));
  if (!optim.optim_args.empty()) add("optim_args", quoted(optim.optim_args));
  if (optim.target_modules) add("optim_target_modules", R"(["attn", "mlp"])");
  add("max_grad_norm", fmt::format("{}", s.max_grad_norm));
  add("bf16", truth(mixed));
  add("fp16", truth(s.compute == DType::fp16));
  if (s.compute == DType::tf32) add("tf32", "True");
  add("gradient_checkpointing", truth(s.gradient_checkpointing == Checkpointing::full));
  if (s.gradient_checkpointing == Checkpointing::full) add("gradient_checkpointing_kwargs", R"({"use_reentrant": False})");
  if (s.gradient_checkpointing == Checkpointing::selective)
    c.leave_out({"gradient_checkpointing"}, "selective checkpointing: the Trainer has only all or nothing; nothing stands here.");
  add("use_liger_kernel", truth(s.loss == Loss::fused));
  if (s.loss == Loss::in_place)
    c.leave_out({"loss"},
                "the gradient written over the logits: use_liger_kernel=True with liger_kernel_config={\"cross_entropy\": True, "
                "\"fused_linear_cross_entropy\": False}.");
  if (s.loss == Loss::chunked) c.leave_out({"loss"}, "the loss in chunks: pass compute_loss_func, or use the fused loss (use_liger_kernel=True).");
  add("torch_compile", truth(s.compile));
  if (trl) add("max_length", fmt::format("{}", s.max_length));
  if (trl) add("packing", "True");
  if (c.deepspeed()) add("deepspeed", quoted("ds_config.json"));
  if (c.fsdp()) {
    add("fsdp", s.parallelism.offload == Offload::none ? R"("full_shard auto_wrap")" : R"("full_shard auto_wrap offload")");
    add("fsdp_config", R"({"fsdp_version": 2, "reshard_after_forward": True})");
  }
  add("report_to", R"("none")");
  return a;
}

}  // namespace

ExportedFile export_python(ExportContext& c, bool trl) {
  const Scenario& s = c.s;
  leave_out_types(c);
  leave_out_parallelism(c);
  leave_out_adapters(c, c.four_bit());
  leave_out_plain_compute(c, true);
  const OptimArguments optim = optim_arguments(c);
  if (s.optimizer_in_backward) c.leave_out({"optimizer_in_backward"}, "the optimizer inside the backward pass: only lomo and adalomo do it in the Trainer.");
  if (s.master_weights && !c.deepspeed())
    c.leave_out({"master_weights"},
                fmt::format("an fp32 copy beside {} weights: without DeepSpeed load the weights in torch.float32 and keep bf16=True.", name(weights_dtype(s))));
  if (weights_dtype(s) == DType::int4) c.leave_out({}, "int4: bitsandbytes' 4-bit type fp4 stands here.");
  const std::string a = arguments(c, trl, optim);

  std::string b = "import torch\nfrom datasets import load_dataset\n";
  if (c.lora())
    b +=
        fmt::format("from peft import LoraConfig, get_peft_model{}\n", c.quantized() && s.quantization.prepare_kbit ? ", prepare_model_for_kbit_training" : "");
  b += fmt::format("from transformers import AutoModelForCausalLM, AutoTokenizer{}{}\n", c.quantized() ? ", BitsAndBytesConfig" : "",
                   trl ? "" : ", DataCollatorForLanguageModeling, Trainer, TrainingArguments");
  if (trl) b += "from trl import SFTConfig, SFTTrainer\n";
  b += fmt::format("\nMODEL = {}\n\nargs = {}(\n{})\n\n", quoted(c.model()), trl ? "SFTConfig" : "TrainingArguments", a);
  // Loading
  b += "model = AutoModelForCausalLM.from_pretrained(\n    MODEL,\n";
  b += fmt::format("    dtype={},\n    attn_implementation={},\n", torch_type(load_type(c)), quoted(name(s.attn_implementation)));
  if (c.four_bit())
    b += fmt::format(
        "    quantization_config=BitsAndBytesConfig(\n        load_in_4bit=True,\n        bnb_4bit_quant_type={},\n        bnb_4bit_use_double_quant={},\n"
        "        bnb_4bit_compute_dtype={},\n        bnb_4bit_quant_storage={},\n    ),\n",
        quoted(weights_dtype(s) == DType::nf4 ? "nf4" : "fp4"), truth(s.quantization.double_quant),
        torch_type(s.compute == DType::fp8 ? DType::bf16 : s.compute), c.fsdp() || c.zero_stage() == 3 ? torch_type(s.compute) : "torch.uint8");
  else if (c.quantized())
    b += "    quantization_config=BitsAndBytesConfig(load_in_8bit=True),\n";
  b += ")\nmodel.config.use_cache = False\n";
  if (c.lora()) {
    if (c.quantized() && s.quantization.prepare_kbit)
      b += fmt::format("model = prepare_model_for_kbit_training(model, use_gradient_checkpointing={})\n",
                       truth(s.gradient_checkpointing == Checkpointing::full));
    else if (s.gradient_checkpointing == Checkpointing::full)
      b += "model.enable_input_require_grads()\n";
    b += fmt::format(
        "model = get_peft_model(\n    model,\n    LoraConfig(\n        r={},\n        lora_alpha={},\n        lora_dropout={},\n        target_modules={},\n"
        "        use_dora={},\n        task_type=\"CAUSAL_LM\",\n    ),\n    autocast_adapter_dtype={},  # True: adapters in fp32\n)\n",
        s.lora.r, 2 * s.lora.r, s.lora.dropout, target_argument(s), truth(s.lora.dora), truth(s.lora.adapter_dtype == DType::fp32));
    if (s.lora.adapter_dtype != DType::fp32 && load_type(c) != s.lora.adapter_dtype)
      b += fmt::format("for name, parameter in model.named_parameters():\n    if \"lora_\" in name:\n        parameter.data = parameter.data.to({})\n",
                       torch_type(s.lora.adapter_dtype));
  }
  b += "\ntokenizer = AutoTokenizer.from_pretrained(MODEL)\nif tokenizer.pad_token is None:\n    tokenizer.pad_token = tokenizer.eos_token\n\n";
  b += fmt::format("# Your data: one text an example{}.\ndataset = load_dataset(\"json\", data_files=\"train.jsonl\", split=\"train\")\n",
                   s.dataset.by_tokens ? fmt::format(", {} tokens in all", s.dataset.tokens)
                                       : fmt::format(", {} examples of about {} tokens", s.dataset.examples, s.dataset.tokens_per_example));
  if (trl) {
    b += "\ntrainer = SFTTrainer(model=model, args=args, train_dataset=dataset, processing_class=tokenizer)\ntrainer.train()\n";
  } else {
    b += fmt::format(
        "\nMAX_LENGTH = {}\n\n\ndef pack(batch):\n    \"\"\"Texts end to end, cut into sequences of MAX_LENGTH tokens.\"\"\"\n"
        "    tokens = [t for text in batch[\"text\"] for t in tokenizer(text)[\"input_ids\"] + [tokenizer.eos_token_id]]\n"
        "    return {{\"input_ids\": [tokens[i : i + MAX_LENGTH] for i in range(0, len(tokens), MAX_LENGTH)]}}\n\n\n"
        "dataset = dataset.map(pack, batched=True, remove_columns=dataset.column_names)\n"
        "trainer = Trainer(\n    model=model,\n    args=args,\n    train_dataset=dataset,\n"
        "    data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),\n)\ntrainer.train()\n",
        s.max_length);
  }
  if (c.deepspeed()) c.leave_out({}, "ds_config.json: `gpudget export --to deepspeed` writes it.");
  ExportedFile f{trl ? "train_trl.py" : "train.py", "text/x-python", {}, {}};
  f.command = torchrun(c, f.name);
  f.text = export_comment(c, "# ", trl ? "TRL supervised fine-tuning" : "Hugging Face Trainer") + "# Run: " + f.command + "\n\n" + b;
  return f;
}

}  // namespace gpudget::formats
