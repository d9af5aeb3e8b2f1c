// What the exporters share: the comment at the top, the target modules by name, the launch command, and the list of what a tool cannot say.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate.h"
#include "formats/export.h"

namespace gpudget::formats {

struct ExportContext {
  const Scenario& s;
  const Estimate& e;
  std::string link;                   // to the scenario; or its JSON
  std::vector<std::string> left_out;  // "selective checkpointing: …", one sentence each
  std::vector<std::string> fields;    // the fields of the Scenario that these are about

  bool lora() const { return s.method == Method::lora || s.method == Method::qlora; }
  bool quantized() const { return weights_dtype(s) == DType::int8 || weights_dtype(s) == DType::int4 || weights_dtype(s) == DType::nf4; }
  bool four_bit() const { return quantized() && weights_dtype(s) != DType::int8; }
  bool deepspeed() const;  // ZeRO of any stage, on more than one GPU or with offload
  int zero_stage() const;  // 0 without
  bool fsdp() const { return data_parallel(s) == DataParallel::fsdp; }
  bool half() const { return s.compute == DType::bf16 || s.compute == DType::fp8 || s.compute == DType::fp16; }  // mixed precision
  std::int64_t nodes() const { return ceil_divide(s.gpus, s.gpus_per_node); }
  std::string model() const;  // what from_pretrained takes
  // `about`: the fields that the file does not say. A sentence without fields is advice: where another file says it.
  void leave_out(std::initializer_list<std::string_view> about, std::string sentence);
};
ExportContext make_export_context(const Scenario& s, const Estimate& e, std::string_view link);

// Lines that start with `mark` ("# "): what it is, the estimate, the link, what is left out. Ends with an empty line.
std::string export_comment(const ExportContext& c, std::string_view mark, std::string_view tool);
std::vector<std::string> export_summary(const ExportContext& c);  // the same as sentences, without what is left out
std::vector<std::string_view> target_names(const Scenario& s);    // the modules that the adapters are put on, as the model names them
std::string quoted(std::string_view text);                        // for JSON, YAML and Python alike
// What no training tool takes as an option, said once for all: types that only follow from other settings, measured throughput and so on.
void leave_out_types(ExportContext& c);
// Tensor, pipeline, context and expert parallelism, for a tool that has none of those named in `known`.
void leave_out_parallelism(ExportContext& c, bool tensor_known = false, bool context_known = false);
// Adapters: what their targets and the method are read back as, where the file cannot say them exactly. `four_bit`: what the tool calls QLoRA.
void leave_out_adapters(ExportContext& c, bool four_bit);
// Whether a list of module names means the same matrices as the scenario's targets.
bool same_targets(const Scenario& s, const std::vector<std::string_view>& names);
// Zero stages below 3 keep the parameters on the GPU.
void leave_out_zero_offload(ExportContext& c);
// Without mixed precision PyTorch computes in the type of the weights. `known`: the file says the weights' type.
void leave_out_plain_compute(ExportContext& c, bool known);
std::string torchrun(const ExportContext& c, std::string_view program);

// The `optim` argument of TrainingArguments, with what must stand beside it.
struct OptimArguments {
  std::string optim, optim_args;
  bool target_modules = false;  // galore, apollo: optim_target_modules
};
OptimArguments optim_arguments(ExportContext& c);

ExportedFile export_python(ExportContext& c, bool trl);
ExportedFile export_deepspeed(ExportContext& c);
ExportedFile export_accelerate(ExportContext& c);
ExportedFile export_torchtune(ExportContext& c);
ExportedFile export_axolotl(ExportContext& c);
ExportedFile export_llamafactory(ExportContext& c);
std::string deepspeed_json(const ExportContext& c, bool automatic);  // automatic: sizes are "auto", as the Trainer fills them in

}  // namespace gpudget::formats
