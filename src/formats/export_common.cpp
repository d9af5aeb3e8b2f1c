#include "formats/export_common.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/parameters.h"
#include "formats/json_text.h"
#include "formats/scenario_json.h"
#include "formats/url_state.h"
#include "i18n/numbers.h"

namespace gpudget::formats {

using i18n::Language;

bool ExportContext::deepspeed() const { return zero_stage() > 0; }

int ExportContext::zero_stage() const {
  switch (data_parallel(s)) {
    case DataParallel::zero1: return 1;
    case DataParallel::zero2: return 2;
    case DataParallel::zero3: return 3;
    default: return 0;
  }
}

void ExportContext::leave_out(std::initializer_list<std::string_view> about, std::string sentence) {
  std::string names;
  for (const std::string_view field : about) {
    names += fmt::format("{}{}", names.empty() ? " (" : ", ", field);
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.emplace_back(field);
  }
  left_out.push_back(fmt::format("Not in this file{}: {}", names.empty() ? names : names + ")", sentence));
}

std::string ExportContext::model() const {
  if (s.model.source == ModelSpec::Source::params || s.model.id.empty()) return "your-organisation/your-model";
  return std::string(s.model.id.view());
}

ExportContext make_export_context(const Scenario& s, const Estimate& e, std::string_view link) {
  ExportContext c{s, e, {}, {}, {}};
  c.link = link.empty() ? write_scenario_compact(s) : fmt::format("{}#s={}", link, write_url_state(s));
  if (s.model.source == ModelSpec::Source::params)
    c.leave_out({"model"}, fmt::format("the model: name one of about {} parameters.", s.model.id.view()));
  else if (s.model.source == ModelSpec::Source::config)
    c.leave_out({"model"}, "the model's shape: it stands in its own config.json.");
  return c;
}

std::string quoted(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

namespace {

// A name from outside inside a comment: nothing of it may start a new line.
std::string one_line(std::string_view text) {
  // U+0085, U+2028 and U+2029 end lines for YAML readers.
  constexpr std::string_view kBreaks[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f ? 1 : 0;
    for (const std::string_view line_break : kBreaks)
      if (text.substr(i).starts_with(line_break)) length = line_break.size();
    out += length > 0 ? ' ' : text[i];
    i += length > 0 ? length : 1;
  }
  return out;
}

}  // namespace

std::vector<std::string> export_summary(const ExportContext& c) {
  constexpr Language l = Language::en;
  const MemoryEstimate& m = c.e.memory;
  std::vector<std::string> out;
  out.push_back(fmt::format("{} on {} x {}: {} of {} on each GPU ({}).", one_line(c.e.model.name.view()), c.s.gpus, one_line(c.s.gpu.name.view()),
                            i18n::size(l, m.device), i18n::size(l, m.capacity), m.fits ? "fits" : "does not fit"));
  if (c.e.time.seconds.value() > 0) {
    std::string line = fmt::format("About {} at {}", i18n::duration(l, c.e.time.seconds), i18n::rate(l, c.e.compute.tokens_per_second));
    if (c.e.cost.usd.value() > 0) line += fmt::format(", {}", i18n::money(l, c.e.cost.usd));
    out.push_back(line + ".");
  }
  out.push_back(fmt::format("Scenario: {}", one_line(c.link)));
  return out;
}

std::string export_comment(const ExportContext& c, std::string_view mark, std::string_view tool) {
  std::string out = fmt::format("{}{}, made by gpudget.\n", mark, tool);
  for (const std::string& line : export_summary(c)) out += fmt::format("{}{}\n", mark, line);
  for (const std::string& line : c.left_out) out += fmt::format("{}{}\n", mark, line);
  return out + "\n";
}

std::vector<std::string_view> target_names(const Scenario& s) {
  std::vector<std::string_view> out;
  const ParameterList list = parameter_list(s.model.architecture, s.transformers);
  for (const ParameterTensor& t : list.view()) {
    if (!is_lora_target(t, s.lora.target_modules)) continue;
    const std::string_view module = name(t.module);
    if (std::find(out.begin(), out.end(), module) == out.end()) out.push_back(module);
  }
  return out;
}

namespace {
std::string_view transformers_requirement(const Scenario& s) {
  switch (s.transformers) {
    case Transformers::v4_45: return "transformers<4.46";
    case Transformers::v4_48: return "transformers>=4.46,<4.50";
    case Transformers::v4_57: return "transformers>=4.50,<5";
    case Transformers::v5: break;
  }
  return "transformers>=5";
}
}  // namespace

void leave_out_types(ExportContext& c) {
  const Scenario& s = c.s;
  if (s.gradients && *s.gradients != trainable_dtype(s))
    c.leave_out({"gradients"},
                fmt::format("gradients in {}: PyTorch keeps gradients in the type of the trained weights ({}).", name(*s.gradients), name(trainable_dtype(s))));
  if (s.optimizer_states) c.leave_out({"optimizer_states"}, fmt::format("optimizer states in {}: the optimizer decides it.", name(*s.optimizer_states)));
  if (s.transformers != Transformers::v5)
    c.leave_out({"transformers"}, fmt::format("the version of transformers: install {} with its time's other libraries.", transformers_requirement(s)));
  if (s.compute == DType::fp8) c.leave_out({"compute"}, "fp8 computation: choose a recipe of Transformer Engine or torchao; bf16 stands here.");
}

void leave_out_parallelism(ExportContext& c, bool tensor_known, bool context_known) {
  const Parallelism& p = c.s.parallelism;
  if (p.tensor > 1 && !tensor_known) c.leave_out({"parallelism.tensor"}, fmt::format("tensor parallelism over {} GPUs.", p.tensor));
  if (p.pipeline > 1) c.leave_out({"parallelism.pipeline"}, fmt::format("pipeline parallelism in {} stages.", p.pipeline));
  if (p.context > 1 && !context_known) c.leave_out({"parallelism.context"}, fmt::format("context parallelism over {} GPUs.", p.context));
  if (p.expert > 1) c.leave_out({"parallelism.expert"}, fmt::format("expert parallelism over {} GPUs.", p.expert));
  if (p.sequence_parallel) c.leave_out({"parallelism.sequence_parallel"}, "sequence parallelism of the norms.");
  if (p.offload == Offload::optimizer && c.fsdp()) c.leave_out({"parallelism.offload"}, "offload of the optimizer alone: FSDP offloads the parameters too.");
  if (p.offload != Offload::none && !c.deepspeed() && !c.fsdp())
    c.leave_out({"parallelism.offload"}, fmt::format("offload of {}: it needs ZeRO or FSDP.", name(p.offload)));
}

bool same_targets(const Scenario& s, const std::vector<std::string_view>& names) {
  TargetModules list;
  list.kind = TargetModules::Kind::list;
  for (const std::string_view n : names)
    if (const auto module = from_name<Module>(n)) list.insert(*module);
  const ParameterList all = parameter_list(s.model.architecture, s.transformers);
  return std::all_of(all.view().begin(), all.view().end(),
                     [&](const ParameterTensor& t) { return is_lora_target(t, s.lora.target_modules) == is_lora_target(t, list); });
}

void leave_out_adapters(ExportContext& c, bool four_bit) {
  const Scenario& s = c.s;
  if (!c.lora()) return;
  if (four_bit != (s.method == Method::qlora))
    c.leave_out({"method"},
                fmt::format("{} over {} weights: the tool's word for it is {}.", name(s.method), name(weights_dtype(s)), four_bit ? "qlora" : "lora"));
  const auto targets = target_names(s);
  if (s.lora.target_modules.kind == TargetModules::Kind::all_linear) return;
  if (targets.empty())
    c.leave_out({"lora.target_modules"}, "the target modules: the model has none of them.");
  else if (!same_targets(s, targets))
    c.leave_out({"lora.target_modules"}, "the target modules exactly: other matrices of the model have the same names.");
}

void leave_out_zero_offload(ExportContext& c) {
  if (c.s.parallelism.offload == Offload::all && c.zero_stage() != 3 && c.deepspeed())
    c.leave_out({"parallelism.offload"}, "offload of the parameters: it needs ZeRO stage 3.");
}

void leave_out_plain_compute(ExportContext& c, bool known) {
  const Scenario& s = c.s;
  if (c.half()) return;
  const bool as_held = known && (weights_dtype(s) == DType::fp32 || c.quantized());
  if (!as_held || (s.compute == DType::tf32 && !known))
    c.leave_out({"compute"}, fmt::format("computing in {}: without mixed precision the type of the weights decides.", name(s.compute)));
}

std::string torchrun(const ExportContext& c, std::string_view program) {
  const std::int64_t here = c.s.gpus < c.s.gpus_per_node ? c.s.gpus : c.s.gpus_per_node;
  if (c.s.gpus == 1) return fmt::format("python {}", program);
  if (c.nodes() == 1) return fmt::format("torchrun --nproc_per_node={} {}", here, program);
  return fmt::format("torchrun --nnodes={} --nproc_per_node={} --rdzv_backend=c10d --rdzv_endpoint=$HOST:29500 {}", c.nodes(), here, program);
}

OptimArguments optim_arguments(ExportContext& c) {
  switch (c.s.optim) {
    case Optimizer::sgd_momentum: return {"sgd", "momentum=0.9", false};
    case Optimizer::muon:
      c.leave_out({"optim"}, "muon: pass optimizers=(torch.optim.Muon(...), None) to the trainer; adamw_torch stands here.");
      return {"adamw_torch", {}, false};
    case Optimizer::galore_adamw:
    case Optimizer::galore_adamw_8bit:
    case Optimizer::apollo_adamw: return {std::string(name(c.s.optim)), {}, true};
    default: return {std::string(name(c.s.optim)), {}, false};
  }
}

}  // namespace gpudget::formats
