#include "core/step_time.h"

namespace gpudget {
namespace {

constexpr double kTera = 1e12, kGiga = 1e9;

double at_least(double a, double b) { return a > b ? a : b; }
double at_most(double a, double b) { return a < b ? a : b; }
double number(std::int64_t n) { return static_cast<double>(n); }
double saturation(double x, double half) { return x / (x + half); }  // 1/2 at `half`
double byte_width(DType t) { return number(bits(t)) / 8.0; }

// Of the dense peak, where nobody measured large matrix multiplications on this very GPU.
double usual_achievable(GpuGeneration g) {
  switch (g) {
    case GpuGeneration::hopper: return 0.80;
    case GpuGeneration::blackwell: return 0.78;
    case GpuGeneration::ampere: return 0.85;
    case GpuGeneration::ada: return 0.85;
    case GpuGeneration::cdna: return 0.55;
    case GpuGeneration::turing: return 0.65;
    case GpuGeneration::volta: return 0.75;
    case GpuGeneration::pascal: return 0.80;
    case GpuGeneration::other: break;
  }
  return 0.75;
}

double achievable_flops(const Gpu& g, DType compute) {
  const double ratio = g.bf16_tflops > 0 && g.bf16_tflops_achievable > 0 ? g.bf16_tflops_achievable / g.bf16_tflops : usual_achievable(g.generation);
  return peak_flops(g, compute) * ratio;
}

double matmul_efficiency(GpuGeneration g, const StepConstants& k) {
  if (g == GpuGeneration::ampere) return k.matmul_ampere;
  if (g == GpuGeneration::hopper) return k.matmul_hopper;
  return k.matmul_other;
}

double attention_efficiency(GpuGeneration g, const StepConstants& k) { return g == GpuGeneration::hopper ? k.attention_hopper : k.attention_rate; }

// Pinned memory to the GPU: 24.8 GB/s measured by nvbandwidth on an A100 (PCIe 4; forums.developer.nvidia.com, topic 352186); half on PCIe 3, twice on PCIe 5.
double host_link_gb_s(GpuGeneration g) {
  switch (g) {
    case GpuGeneration::pascal:
    case GpuGeneration::volta:
    case GpuGeneration::turing: return 12.0;
    case GpuGeneration::hopper:
    case GpuGeneration::blackwell:
    case GpuGeneration::cdna: return 48.0;
    default: return 24.0;
  }
}
// What DeepSpeed's CPU Adam moves in the host's memory for one GPU, GB/s at 30 bytes a parameter: Qwen2.5-3B on two A100-40GB takes 2.4 to 3.1 s a step
// with the optimizer offloaded (microsoft/DeepSpeed pull request 7474).
constexpr double kHostOptimizer = 20.0;

// Bytes a second of one GPU in a collective over n GPUs: all links of a node carry what crosses nodes.
double collective_rate(const Scenario& s, std::int64_t n, const StepConstants& k) {
  double rate = s.gpu.interconnect_gb_s;
  if (rate <= 0) rate = 16.0;  // PCIe 4.0 x16, as collectives see it
  if (n > s.gpus_per_node) {
    const double network = s.gpu.network_gb_s > 0 ? s.gpu.network_gb_s : 6.25;  // 50 Gb/s a GPU: 400 Gb/s a node
    return at_most(rate * k.link, network * number(s.gpus_per_node) * k.network) * kGiga;
  }
  return rate * kGiga * k.link;
}

// Bytes of optimizer state for one trainable parameter.
double state_bytes(const Scenario& s) {
  const double full = byte_width(s.optimizer_states.value_or(s.master_weights ? DType::fp32 : trainable_dtype(s)));
  switch (s.optim) {
    case Optimizer::sgd: return 0;
    case Optimizer::sgd_momentum:
    case Optimizer::lion_32bit:
    case Optimizer::paged_lion_32bit:
    case Optimizer::muon:
    case Optimizer::adagrad:
    case Optimizer::rmsprop: return full;
    case Optimizer::adafactor:
    case Optimizer::lomo:
    case Optimizer::adalomo: return 0.1;
    case Optimizer::lion_8bit:
    case Optimizer::paged_lion_8bit: return 1;
    case Optimizer::adamw_8bit:
    case Optimizer::adamw_torch_8bit:
    case Optimizer::paged_adamw_8bit:
    case Optimizer::galore_adamw_8bit: return 2;
    case Optimizer::adamw_torch_4bit: return 1;
    case Optimizer::ademamix: return 3 * full;
    case Optimizer::ademamix_8bit: return 3;
    default: return 2 * full;
  }
}

}  // namespace

std::int64_t tokens_per_step(const Scenario& s) {
  return product(s.per_device_train_batch_size, s.max_length, s.gradient_accumulation_steps, data_parallel_degree(s));
}

double peak_flops(const Gpu& g, DType compute) {
  double t = 0;
  switch (compute) {
    case DType::fp32: t = g.fp32_tflops; break;
    case DType::tf32: t = g.tf32_tflops > 0 ? g.tf32_tflops : g.fp32_tflops; break;
    case DType::bf16: t = g.supports_bf16 || g.fp16_tflops <= 0 ? g.bf16_tflops : g.fp32_tflops; break;  // emulated in fp32
    case DType::fp16: t = g.fp16_tflops > 0 ? g.fp16_tflops : g.bf16_tflops; break;
    case DType::fp8: t = g.fp8_tflops > 0 ? g.fp8_tflops : g.bf16_tflops; break;
    case DType::int8: t = g.int8_tflops > 0 ? g.int8_tflops : g.bf16_tflops; break;
    default: t = g.bf16_tflops; break;
  }
  if (t <= 0) t = at_least(at_least(g.bf16_tflops, g.fp16_tflops), g.fp32_tflops);
  return t * kTera;
}

bool speed_known(const Gpu& g, DType compute) { return peak_flops(g, compute) > 0 && g.memory_bandwidth_gb_s > 0; }

bool outside_measurements(const Scenario& s, const ModelWork& work) {
  const bool known_gpu = s.gpu.generation == GpuGeneration::ampere || s.gpu.generation == GpuGeneration::hopper;
  const bool spread = s.parallelism.tensor > 1 || s.parallelism.pipeline > 1 || s.parallelism.context > 1 || s.parallelism.offload != Offload::none;
  const bool eager = s.attn_implementation == Attention::eager;
  return !known_gpu || s.gpu.memory < gib(30) || spread || eager || work.parameters < 100'000'000 || work.parameters > 80'000'000'000 ||
         s.method == Method::inference || (s.compute != DType::bf16 && s.compute != DType::fp16);
}

namespace {

// One quantity of work on one GPU, by kind: what the roofline weighs.
struct Passes {
  double blocks, head, adapters, attention;  // how often the forward's operations are done in a step
};
Passes passes(const Scenario& s) {
  if (s.method == Method::inference) return {1, 1, 0, 1};
  const bool frozen = s.method == Method::lora || s.method == Method::qlora;
  const double again = s.gradient_checkpointing == Checkpointing::full ? 1.0 : 0.0;
  const double attention_again = s.gradient_checkpointing == Checkpointing::none ? 0.0 : 1.0;
  const double linear = frozen ? 2.0 : 3.0;                             // frozen weights need no gradient of their own
  return {linear + again, linear, 3.0 + again, 3.5 + attention_again};  // fused attention recomputes the scores in its backward pass
}

// Bytes of norms, rotary embeddings, activation functions, residuals and dropout for one token in the forward pass of all layers, 16-bit tensors.
// Counted as reads and writes of each operation in transformers' modelling code (a norm computes in fp32: read 2, write 4, read 4 twice, write 2…).
double elementwise_bytes(const Scenario& s) {
  const Architecture& a = s.model.architecture;
  const double d = number(a.hidden_size), heads = number(a.num_attention_heads + a.num_key_value_heads) * number(a.head_dim);
  const double dense_layers =
      number(a.num_experts > 0 ? (a.first_k_dense_replace < a.num_hidden_layers ? a.first_k_dense_replace : a.num_hidden_layers) : a.num_hidden_layers);
  const double sparse_layers = number(a.num_hidden_layers) - dense_layers;
  const double norm = a.norm == Norm::rms ? 20.0 : 6.0;  // LayerNorm is one kernel, RMSNorm six
  const double rotary = a.positions == Positions::rope ? 20.0 : 0.0;
  const double activation = a.gated_mlp ? 10.0 : 4.0;
  double dropout = 0;
  if (a.residual_dropout > 0) dropout = 2 * 5.0;
  const double active_width = number(a.num_experts_per_tok) * number(a.moe_intermediate_size) + number(a.shared_intermediate_size);
  // Residual additions, the norms, dropout; experts also gather and scatter their tokens.
  const double block = d * (12.0 + norm * number(a.norms_per_layer) + dropout) + heads * rotary;
  return number(a.num_hidden_layers) * block + dense_layers * activation * number(a.intermediate_size) +
         sparse_layers * (activation * active_width + 24.0 * d * number(a.num_experts_per_tok));
}

// Kernels of one layer in the forward pass.
double kernels(const Architecture& a) {
  const double base =
      (a.norm == Norm::rms ? 6.0 : 1.0) * number(a.norms_per_layer) + (a.positions == Positions::rope ? 12.0 : 2.0) + (a.gated_mlp ? 5.0 : 3.0) + 8.0;
  return a.num_experts > 0 ? base + 8.0 * number(a.num_experts) : base;  // the experts are a loop
}

// Linear layers of one layer, an expert's counted once; those that have an adapter.
double attention_matrices(const Architecture& a) { return a.fused_qkv ? 2.0 : 4.0; }
double linear_matrices(const Architecture& a) { return attention_matrices(a) + (a.gated_mlp && !a.fused_gate_up ? 3.0 : 2.0); }
double adapted_matrices(const Scenario& s) {
  const Architecture& a = s.model.architecture;
  if (s.lora.target_modules.kind == TargetModules::Kind::attention) return attention_matrices(a);
  double n = linear_matrices(a);
  if (s.lora.target_modules.kind == TargetModules::Kind::list) {
    double named = 0;
    for (std::uint64_t m = s.lora.target_modules.modules; m != 0; m &= m - 1) named += 1;
    n = at_most(n, named);
  }
  return n;
}

double fraction_of_others(double n) { return n > 1 ? (n - 1) / n : 0.0; }

}  // namespace

StepTime step_time(const Scenario& s, const ModelWork& work, const StepConstants& k) {
  if (!speed_known(s.gpu, s.compute)) return {};
  const Architecture& a = s.model.architecture;
  const TokenFlops f = token_flops(s, work);
  const Passes pass = passes(s);
  const bool training = s.method != Method::inference, adapters = s.method == Method::lora || s.method == Method::qlora;
  const double tp = number(s.parallelism.tensor), pp = number(s.parallelism.pipeline), cp = number(s.parallelism.context), ep = number(s.parallelism.expert);
  const std::int64_t replicas = data_parallel_degree(s);
  const double dp = number(replicas), micro_steps = training ? number(s.gradient_accumulation_steps) : 1.0;
  const double batch = number(s.per_device_train_batch_size), length = number(s.max_length);
  const double layers = number(a.num_hidden_layers) / pp, d = number(a.hidden_size), vocab = number(a.vocab_size);
  const double tokens = training ? batch * length / cp : batch;  // that pass this GPU in a micro-step; decoding makes one a sequence
  const double rate = achievable_flops(s.gpu, s.compute) * (s.compute == DType::fp8 ? k.fp8 : 1.0);
  // Attention, the head and whatever is not a linear layer of a block stay in 16 bits.
  const double rate16 = bits(s.compute) < 16 ? achievable_flops(s.gpu, DType::bf16) : rate;
  const double bandwidth = s.gpu.memory_bandwidth_gb_s * kGiga * k.bandwidth;
  const double recompute = training && s.gradient_checkpointing == Checkpointing::full ? 1.0 : 0.0;
  const double shard = tp * pp;                                             // of the model
  const double compute_width = at_least(byte_width(s.compute), 2.0) / 2.0;  // activations are 16-bit, or 32-bit when computing in fp32
  const double local_parameters = number(work.parameters) / shard, local_trainable = number(work.trainable) / shard;
  const DType stored = weights_dtype(s);
  const bool quantized = bits(stored) < 16;
  StepTime t;

  // Arithmetic. Each expert sees its share of the tokens.
  double tokens_a_matrix = tokens;
  if (a.num_experts > 0) tokens_a_matrix = tokens * at_least(number(a.num_experts_per_tok), 1.0) / number(a.num_experts) * ep;
  const double wide = matmul_efficiency(s.gpu.generation, k) * saturation(d / tp, k.half_width);
  const double blocks = pass.blocks * f.blocks + pass.adapters * f.adapters, head = pass.head * f.head;
  t.matmul =
      tokens / shard * (blocks / (rate * wide * saturation(tokens_a_matrix, k.half_tokens)) + head / (rate16 * wide * saturation(tokens, k.half_tokens)));
  // One pass reads all weights at least once: what binds decoding.
  if (!training) t.matmul = at_least(t.matmul, local_parameters * byte_width(stored) / bandwidth);

  // Attention. Fused kernels compute half of the square; the others write the scores and read them back.
  const double scores = f.attention / shard * tokens;
  if (!training) {
    const double cache = 2.0 * layers * number(a.num_key_value_heads * a.head_dim) / tp * byte_width(s.kv_cache_dtype.value_or(s.compute));
    t.attention = batch * length * cache / bandwidth;
  } else {
    const double head_size = number(a.kv_lora_rank > 0 ? a.v_head_dim : a.head_dim);
    t.attention = pass.attention * 0.5 * scores / (rate16 * attention_efficiency(s.gpu.generation, k) * saturation(head_size, k.head_dim_half));
    if (s.attn_implementation == Attention::eager) {
      const double elements = layers * batch * number(a.num_attention_heads) / tp * (length / cp) * length;
      t.attention += pass.attention * scores / (rate16 * wide) + elements * (24.0 + 20.0 + recompute * 24.0) * compute_width / bandwidth;
    }
  }

  // Memory traffic.
  const bool fused = s.loss == Loss::fused || s.compile;
  const bool widened = s.method == Method::qlora && s.quantization.prepare_kbit && !fused;
  const double traffic = tokens * elementwise_bytes(s) / pp / (s.parallelism.sequence_parallel ? tp : 1.0) * compute_width * k.traffic *
                         (fused ? k.fused_traffic : 1.0) * (widened ? k.kbit_traffic : 1.0);
  t.elementwise = traffic * (training ? 3.0 + recompute : 1.0) / bandwidth;
  if (adapters)
    t.elementwise += tokens * work.adapters / number(s.lora.r > 0 ? s.lora.r : 1) / shard * 2.0 * k.adapter_traffic * (fused ? k.fused_traffic : 1.0) *
                     (3.0 + recompute) / 3.0 / bandwidth;
  // Autocast: fp32 weights are made 16-bit for each pass.
  if (training && stored == DType::fp32 && bits(s.compute) <= 16) t.elementwise += local_parameters * 6.0 * (2.0 + recompute) / bandwidth;
  if (training) {
    // In place: written (2), raised to fp32 (2 + 4), read for the sum and again for the gradient written over it (4 + 4 + 4), lowered (4 + 2), read twice (2 +
    // 2).
    const double bytes_a_logit = s.loss == Loss::full ? 34.0 : s.loss == Loss::in_place ? 30.0 : s.loss == Loss::chunked ? 26.0 : 12.0;
    t.loss = tokens * vocab / tp * bytes_a_logit / bandwidth;
  }
  if (quantized) t.dequantize = local_parameters * 2.0 * k.dequantize * (training ? 2.0 + recompute : 1.0) / bandwidth;

  // What a micro-step takes at least: the processor that launches the kernels.
  const double launches =
      layers * (kernels(a) + (adapters ? k.adapter_launches * adapted_matrices(s) : 0.0) + (quantized ? k.quantized_launches * linear_matrices(a) : 0.0)) *
      (training ? 3.0 + recompute : 1.0) * (s.compile ? 0.5 : 1.0);
  const double micro = t.matmul + t.attention + t.elementwise + t.loss + t.dequantize;
  const double launching = launches * k.launch_seconds;
  t.launch = __builtin_sqrt(micro * micro + launching * launching) - micro;  // near the longer of the two; both kinds of layer are in a step

  // Communication of a micro-step, and of the step.
  const DataParallel data = data_parallel(s);
  const double others = fraction_of_others(dp);
  const double link = collective_rate(s, s.gpus, k);
  const double weight_bytes = local_parameters * (quantized ? byte_width(stored) : at_most(byte_width(stored), 2.0));
  const double gradient_bytes = local_trainable * at_most(byte_width(gradients_dtype(s)), 4.0);
  double micro_communication = 0, step_communication = 0;
  if (training && replicas > 1) {
    switch (data) {
      case DataParallel::zero3:
      case DataParallel::fsdp: micro_communication += others * (2.0 * weight_bytes + gradient_bytes) / link; break;
      case DataParallel::zero2:
        micro_communication += others * gradient_bytes / link;
        step_communication += others * local_trainable * 2.0 / link;
        break;
      case DataParallel::zero1: step_communication += others * (gradient_bytes + local_trainable * 2.0) / link; break;
      default: step_communication += others * 2.0 * gradient_bytes / link; break;
    }
  }
  double blocking = 0;  // nothing to hide it behind
  if (tp > 1) {
    const double reductions = training ? 4.0 + 2.0 * recompute : 2.0;
    blocking += layers * reductions * tokens * d * 2.0 * compute_width * 2.0 * fraction_of_others(tp) / collective_rate(s, s.parallelism.tensor, k);
  }
  if (pp > 1) blocking += 2.0 * tokens * d * 2.0 * compute_width / tp / collective_rate(s, s.gpus, k);
  if (ep > 1)
    blocking += layers * (training ? 4.0 + 2.0 * recompute : 2.0) * tokens * d * 2.0 * number(a.num_experts_per_tok) * fraction_of_others(ep) /
                collective_rate(s, s.parallelism.expert, k);
  if (cp > 1)
    micro_communication +=
        layers * 3.0 * 2.0 * tokens * (cp - 1) * number(a.num_key_value_heads * a.head_dim) / tp * 2.0 / collective_rate(s, s.parallelism.context, k);
  const double busy = micro + t.launch;
  const double hidden = at_most(micro_communication * (1.0 - k.never_hidden), busy * k.hidden_communication);
  const double step_hidden = at_most(step_communication * (1.0 - k.never_hidden), busy * 0.5 * k.hidden_communication);  // behind the last backward pass
  t.communication = micro_steps * (micro_communication + blocking) + step_communication;
  t.exposed = micro_steps * (micro_communication - hidden + blocking) + step_communication - step_hidden;

  // Everything so far was one micro-step.
  t.matmul *= micro_steps, t.attention *= micro_steps, t.elementwise *= micro_steps, t.loss *= micro_steps, t.dequantize *= micro_steps,
      t.launch *= micro_steps;
  if (pp > 1) t.bubble = (busy + blocking) * (pp - 1);  // 1F1B: the pipeline fills and drains once a step

  // The optimizer reads and writes weights, gradients and states once a step; clipping reads the gradients twice more.
  if (training) {
    const bool sharded_states =
        replicas > 1 && (data == DataParallel::zero1 || data == DataParallel::zero2 || data == DataParallel::zero3 || data == DataParallel::fsdp);
    const double own = local_trainable / (sharded_states ? dp : 1.0);
    const double width = byte_width(trainable_dtype(s)), gradient = byte_width(gradients_dtype(s));
    const double moved = 2.0 * width + (s.max_grad_norm > 0 ? 3.0 : 1.0) * gradient + 2.0 * state_bytes(s) + (s.master_weights ? 8.0 : 0.0);
    t.optimizer = own * moved / bandwidth;
    if (s.optim == Optimizer::muon) t.optimizer += own * 10.0 * d / (rate * wide);  // Newton-Schulz: five steps of matrix products
    if (s.parallelism.offload != Offload::none) {
      const double host_link = host_link_gb_s(s.gpu.generation) * kGiga, host_memory = kHostOptimizer * kGiga;
      t.offload = own * (2.0 + 2.0) / host_link + own * 30.0 / host_memory;
      t.optimizer = 0;
      if (s.parallelism.offload == Offload::all) t.offload += micro_steps * weight_bytes / (replicas > 1 ? dp : 1.0) * (2.0 + recompute) / host_link;
    }
  }
  t.fixed = training ? k.step_seconds : 0.0;
  t.total = t.matmul + t.attention + t.elementwise + t.loss + t.dequantize + t.launch + t.bubble + t.exposed + t.optimizer + t.offload + t.fixed;
  const double arithmetic = t.matmul + (training ? t.attention : 0.0), memory = t.total - arithmetic - t.exposed - t.offload - t.bubble;
  const double waiting = t.exposed + t.offload + t.bubble;
  const bool reading = !training && local_parameters * byte_width(stored) / bandwidth >= t.matmul * 0.999;
  if (waiting > arithmetic && waiting > memory)
    t.bound = Bound::communication;
  else if (memory > arithmetic || reading)
    t.bound = Bound::memory;
  return t;
}

}  // namespace gpudget
