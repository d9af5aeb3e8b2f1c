#include "core/memory_block.h"

namespace gpudget {
namespace {

std::int64_t part(std::int64_t n, std::int64_t of) { return of > 1 ? ceil_divide(n, of) : n; }

}  // namespace

bool is_packed(const Scenario& s, const ParameterTensor& t) {
  return s.method != Method::lora && s.method != Method::full && (t.kind == ParameterTensor::Kind::linear || t.apart) && t.part != Part::lm_head &&
         (s.model.architecture.family != Family::falcon || s.transformers != Transformers::v5);
}

double recomputed_share(const ParameterList& list) {
  double all = 0, again = 0;
  std::int64_t products = 0;
  for (const ParameterTensor& t : list.view()) {
    if (t.part == Part::experts) {
      all += static_cast<double>(t.active), again += static_cast<double>(t.active);
    } else if ((t.part == Part::attention || t.part == Part::mlp) && (t.kind == ParameterTensor::Kind::linear || t.kind == ParameterTensor::Kind::conv1d)) {
      const double size = static_cast<double>(t.elements());
      all += size, again += ++products % 2 == 0 ? size : 0;
    }
  }
  return all > 0 ? again / all : 0;
}

bool reentrant(const Scenario& s) { return s.transformers != Transformers::v5; }

Widths activation_widths(const Scenario& s) {
  const std::int64_t compute = s.compute == DType::fp32 || s.compute == DType::tf32 ? 4 : 2;
  if (s.method == Method::qlora) return {s.quantization.prepare_kbit ? 4 : compute, compute};
  const DType held = weights_dtype(s);
  // FSDP and ZeRO-3 gather fp32 shards as the compute type, so the stream is in it and nothing is cast by autocast (torch.distributed.fsdp MixedPrecision).
  const DataParallel data = data_parallel(s);
  if ((data == DataParallel::fsdp || data == DataParallel::zero3) && s.gpus > 1) return {compute, compute};
  return {held == DType::fp32 || held == DType::tf32 ? 4 : compute, compute};
}

BlockMemory block_memory(const Scenario& s, const ParameterList& list, std::int64_t tokens, std::int64_t tensor) {
  const Architecture& a = s.model.architecture;
  const Widths width = activation_widths(s);
  const std::int64_t n = tokens, w = width.compute, sw = width.stream, h = a.hidden_size;
  const std::int64_t stream_split = s.parallelism.sequence_parallel ? tensor : 1;
  const std::int64_t nh = product(part(n, stream_split), h);
  const std::int64_t heads = part(a.num_attention_heads, tensor);
  const bool mla = a.kv_lora_rank > 0;
  const std::int64_t qk_head = mla ? a.qk_nope_head_dim + a.qk_rope_head_dim : a.head_dim;
  const std::int64_t v_head = mla ? a.v_head_dim : a.head_dim;
  const std::int64_t kv_heads = mla ? heads : part(a.num_key_value_heads, tensor);
  const std::int64_t nq = product(n, heads, qk_head), nkv = product(n, kv_heads, qk_head), nv = product(n, kv_heads, v_head), no = product(n, heads, v_head);
  const bool train = s.method == Method::full;
  const bool adapters = s.method == Method::lora || s.method == Method::qlora;
  BlockMemory m;
  m.weight_width = width.stream;
  m.input = product(nh, sw);

  // Norms. Gemma multiplies in fp32, OLMo 2 too; a LayerNorm saves its input (the stream) and two statistics.
  const bool rms = a.norm == Norm::rms;
  const bool fp32_product =
      a.family == Family::gemma || a.family == Family::gemma2 || a.family == Family::gemma3 || a.family == Family::olmo2 || a.family == Family::gpt_oss;
  const bool post_only = a.family == Family::olmo2;
  const std::int64_t readers = post_only ? 0 : a.norms_per_layer >= 2 ? 2 : 1;  // norms whose result a projection reads
  std::int64_t one_norm = 0;
  if (rms) {
    one_norm = product(nh, 4) + 4 * n;  // the fp32 copy, or the fp32 stream itself, and 1/rms
    if (train) one_norm += product(nh, fp32_product ? 4 : sw);
  } else {
    one_norm = product(nh, sw) + 8 * n;
    if (a.norm == Norm::none_affine) one_norm = product(nh, 4) + 8 * n;  // OLMo raises its input to fp32
    if (a.family == Family::cohere || a.family == Family::cohere2)       // written out in fp32: centred twice, normalized
      one_norm = product(nh, train ? 12 : 8) + 4 * n;
  }
  m.norms = product(one_norm, a.norms_per_layer);
  m.final_norm = a.final_norm ? one_norm + (train ? product(nh, w) : 0) : 0;
  if (!rms && a.parallel_residual && a.family == Family::gpt_neox && a.norms_per_layer == 2) m.norms -= product(nh, sw);  // both norms save the one input
  const std::int64_t casts = a.fused_qkv ? 1 : 3, mlp_casts = a.gated_mlp && !a.fused_gate_up ? 2 : 1;
  if (train) {
    if (width.autocast())
      m.norms += product(nh, w, casts + mlp_casts);  // autocast makes a copy for each projection
    else
      m.norms += product(nh, sw, post_only ? 2 : readers);
  }
  if (a.q_norm_size > 0 && a.norm == Norm::layer) {  // a LayerNorm keeps what it reads, which a fused result holds anyway, and two statistics a head
    m.attention += (a.fused_qkv ? 0 : product(nq + nkv, w)) + product(n, heads + kv_heads, 2 * w);
  } else if (a.q_norm_size > 0) {
    const bool per_head = a.q_norm_size == a.head_dim;
    const std::int64_t copies = 4 + (train ? (fp32_product ? 4 : w) : 0);
    m.attention += product(nq + nkv, copies) + 4 * (per_head ? product(n, heads + kv_heads) : 2 * n);
  }

  // A bias that k-bit preparation raised to fp32 is added after the 4-bit product, so the result is fp32.
  const bool raised =
      s.method == Method::qlora && s.quantization.prepare_kbit && width.autocast() && a.family != Family::gpt2 && a.family != Family::gpt_bigcode;
  const std::int64_t qkv_w = raised && a.qkv_bias ? 4 : w, mlp_w = raised && a.mlp_bias ? 4 : w;

  // Attention. fp32 tables raise what they turn, unless the code casts it back to the projections' type.
  const bool turned_back = a.family == Family::olmo || a.family == Family::olmo2 || a.family == Family::cohere || a.family == Family::cohere2;
  const std::int64_t rope_w = width.autocast() && a.positions == Positions::rope ? (turned_back ? qkv_w : sw) : qkv_w;
  m.attention += product(nq + nkv, rope_w) + product(nv, qkv_w);
  if (mla) {
    // Down-projected queries and keys with their norms, the pieces that views of fused results keep.
    const std::int64_t ranks = a.q_lora_rank + a.kv_lora_rank;
    m.attention += product(n, ranks, train ? 4 + w + w : 4) + product(n, heads, a.qk_nope_head_dim, w) + (train ? product(no, w) : 0);
  }
  const std::int64_t length = part(s.max_length, s.parallelism.context);
  if (s.attn_implementation == Attention::sdpa && a.sliding_window > 0 && length >= a.sliding_window && kv_heads != heads &&
      kv_heads > 1)  // one head is spread by a view
    m.repeated = product(nq + no, w) - product(nkv, rope_w) - product(nv, w);
  // Nemotron, known by its LayerNorm and ungated MLP, repeats keys and values whatever the kernel.
  if (s.attn_implementation != Attention::eager && a.family == Family::other && a.norm == Norm::layer && !a.gated_mlp && kv_heads != heads)
    m.attention += product(nq + no, w) - product(nkv, rope_w) - product(nv, w);
  if (s.attn_implementation == Attention::eager) {
    const std::int64_t scores = product(n, length, heads);
    // Keys and values repeated for each query head; one key head of one example is spread by a view.
    const bool repeated = kv_heads != heads && (kv_heads > 1 || s.per_device_train_batch_size > 1);
    const std::int64_t repeats = repeated ? product(nq + no, w) - product(nkv, rope_w) - product(nv, w) : 0;
    m.scores = product(scores, 4 + w) + repeats;  // softmax in fp32 and what values are weighted with
    if (a.family == Family::falcon)
      m.scores = product(scores, w);  // softmax in the scores' type, one key head read by all
    else if (width.compute == 4)
      m.scores = product(scores, 4) + repeats;
    if (a.attention_sinks)  // a column more for the sink, the largest of each row subtracted, softmax in the scores' type
      m.scores =
          product(n, length + 1, heads, width.autocast() ? 4 + w : w) + product(n, heads, 8) + product(nq + no, w) - product(nkv, rope_w) - product(nv, w);
    if (a.attention_softcap) m.scores += product(scores, w);  // tanh
    m.attention += train ? product(no, w) : 0;
  } else {
    m.attention += product(no, rope_w) + 4 * product(n, heads);
    if (width.autocast() && rope_w != w && train) m.attention += product(no, w);  // its cast for the output projection
    // Rotary parts put together by cat are contiguous by head, so the result is copied for the output projection.
    const bool by_head = a.family == Family::phi3 || a.family == Family::phi || a.family == Family::stablelm || a.family == Family::gpt_neox ||
                         a.family == Family::glm || a.family == Family::glm4 ||
                         (a.family == Family::other && a.positions == Positions::rope && a.rotary_dim < a.head_dim);
    if (by_head && train && rope_w == w) m.attention += product(no, w);
    // Values that are a view of one fused result keep all of it.
    if (a.fused_qkv && a.positions == Positions::rope && a.family != Family::falcon) m.attention += product(nq + nkv, qkv_w);
  }

  // Feed-forward.
  const bool composed_gelu = a.family == Family::gpt2 || a.family == Family::phi;  // gelu_new: cube, tanh, halves
  const auto feed_forward = [&](std::int64_t ni) {
    if (a.gated_mlp) return product(ni, w, train ? 4 : 3);
    return product(ni, mlp_w, composed_gelu ? (train ? 5 : 4) : (train ? 2 : 1));
  };
  std::int64_t ni = product(n, part(a.intermediate_size, tensor));
  if (a.num_experts > 0) {
    const std::int64_t routed = product(n, a.num_experts_per_tok), chosen = product(routed, part(a.moe_intermediate_size, tensor));
    // An adapted expert's weight is the frozen one plus its adapter's product, made anew for each pass and kept for the inputs' gradients.
    std::int64_t adapted = 0, largest = 0;
    if (adapters) {
      for (const ParameterTensor& e : list.view())
        if (e.kind == ParameterTensor::Kind::expert_matrix && !e.apart && is_lora_target(e, s.lora.target_modules)) {
          adapted += product(e.elements(), w);
          if (s.lora.adapter_dtype == DType::fp32 && product(e.elements(), 8) > m.adapting)
            m.adapting = product(e.elements(), 8), largest = product(e.elements(), w);
        }
    }
    m.adapted = adapted - largest;
    const bool learns = train || adapted > 0;
    std::int64_t feed = learns && !train ? product(chosen, w, a.gated_mlp ? 4 : 2) : feed_forward(chosen);
    if (a.family == Family::gpt_oss) feed = product(chosen, w, learns ? 7 : 6);  // gate and up as computed, both clamped, one plus up, sigmoid, their product
    m.experts = feed + (learns ? product(routed, h, w) : 0) + product(routed, h, w) + product(n, a.num_experts, 4) + adapted + 33 * routed;
    // The router reads in fp32; MiniMax-M2's, known by its norm over all heads, in its weights' type (modeling_minimax_m2.py, MiniMaxM2TopKRouter).
    const bool router_fp32 = a.family == Family::deepseek_v2 || (a.router_correction && a.q_norm_size <= a.head_dim);
    if (train && router_fp32) m.experts += product(n, h, 4);
    if (adapted > 0 && a.family != Family::deepseek_v2) m.norms += product(nh, w);  // its weight is adapted too
    if (a.shared_intermediate_size > 0) m.mlp = feed_forward(product(n, part(a.shared_intermediate_size, tensor)));
    if (a.first_k_dense_replace > 0) m.dense_mlp = feed_forward(ni);
    ni = chosen;
  } else {
    m.mlp = feed_forward(ni);
  }

  // Dropout: the mask is as wide as what it masks.
  if (a.residual_dropout > 0) m.dropout = product(nh, sw, 2);

  // Adapters: what each one's A reads, in the adapter's type (under autocast the compute type), its dropout mask, and A's result.
  if (adapters) {
    const std::int64_t adapter_w = width.autocast() || s.method == Method::qlora ? w : s.lora.adapter_dtype == DType::fp32 ? 4 : w;
    for (const ParameterTensor& t : list.view()) {
      if (t.part != Part::attention && t.part != Part::mlp && !t.apart) continue;
      if (t.kind == ParameterTensor::Kind::linear || t.kind == ParameterTensor::Kind::conv1d || t.apart) {
        const std::int64_t reading = t.apart ? product(n, a.num_experts_per_tok) : n;  // tokens that it sees, of an expert's matrix all of them together
        if (is_lora_target(t, s.lora.target_modules)) {
          m.adapters += product(reading, t.columns, adapter_w) + product(reading, s.lora.r, adapter_w);
          // DoRA's magnitude multiplies what the frozen weight gives and what the adapter gives, and both are kept for its gradient. Of an input that was
          // dropped the frozen product is made again, in the adapter's type, and its weight is kept in that type for the input's gradient (peft, lora/dora.py).
          if (s.lora.dora) {
            const bool again = s.lora.dropout > 0;
            m.adapters += product(reading, t.rows, (again ? adapter_w : w) + adapter_w);
            if (again) m.adapters += product(t.elements(), adapter_w);
          }
          // peft raises what it drops to the adapter's type, and the mask is as wide.
          if (s.lora.dropout > 0) {
            const std::int64_t mask = product(reading, t.columns, s.lora.adapter_dtype == DType::fp32 ? 4 : adapter_w);
            const bool leaves = t.module == Module::o_proj || t.module == Module::out_proj || t.module == Module::dense || t.module == Module::c_proj;
            m.adapters += mask;
            if (t.part == Part::attention && !leaves) m.first_masks += mask;
          }
        }
        // Frozen weights that are not packed: autocast's copy is kept for the input's gradient.
        if (width.autocast() && !is_packed(s, t)) m.casts += product(t.elements(), w);
        if (is_packed(s, t) && product(t.rows, t.columns) * w > m.dequantized)
          m.dequantized = product(t.rows, t.columns, w), m.unpacked = product(t.rows, t.columns, t.columns == h && sw > w ? sw + w : w);
      }
    }
  }

  // Selective checkpointing (torchtitan, parallelize_llama.py, _save_list): the odd ones of a block's aten.mm, in the order in which they run, whether the
  // backward pass needs them or not (compiled, the last one is not kept), the attention kernel's result with its log-sum-exp, and what sequence
  // parallelism reduces and scatters. Experts multiply in groups: none of theirs is kept.
  if (s.gradient_checkpointing == Checkpointing::selective) {
    std::int64_t products = 0, last = 0;
    const auto product_of = [&](std::int64_t& kept, std::int64_t width_out) {
      last = ++products % 2 == 1 ? product(n, width_out, w) : 0;
      kept += last;
    };
    for (const ParameterTensor& t : list.view()) {
      if ((t.part != Part::attention && t.part != Part::mlp) || (t.kind != ParameterTensor::Kind::linear && t.kind != ParameterTensor::Kind::conv1d)) continue;
      std::int64_t& kept = t.part == Part::attention ? m.kept_attention : m.kept_mlp;
      const bool rowwise = t.rows == h;  // split by its input where tensor parallel: each GPU has a part of every sum
      product_of(kept, rowwise ? t.rows : part(t.rows, tensor));
      if (adapters && is_lora_target(t, s.lora.target_modules)) product_of(kept, s.lora.r), product_of(kept, t.rows);
    }
    if (s.compile) m.kept_mlp -= last;
    if (s.attn_implementation != Attention::eager) m.kept_attention += product(no, w) + 4 * product(n, heads);
    if (stream_split > 1) m.kept_attention += product(nh, w), m.kept_mlp += product(nh, w);
  }

  // Backward moments.
  const std::int64_t weights_mlp = product(h, part(a.num_experts > 0 ? product(a.moe_intermediate_size, a.num_experts) : a.intermediate_size, tensor));
  m.mlp_weight = train ? product(weights_mlp, width.stream) : 0;
  if (experts_apart(a, s.transformers)) ni = ceil_divide(ni, a.num_experts);
  m.mlp_extra = product(ni, w, train ? 2 : 3);  // gradients of both factors (the product itself is freed when it was saved)
  if (!a.gated_mlp) m.mlp_extra = product(ni, w, 1);
  const std::int64_t norm_bytes = a.norms_per_layer > 0 ? m.norms / a.norms_per_layer : 0;
  m.norm_gone = m.mlp + m.experts + norm_bytes;
  m.norm_extra = rms ? product(nh, 24) : product(nh, 2 * sw);
  m.attention_gone = m.norm_gone;
  m.attention_extra = s.attn_implementation == Attention::eager ? product(n, length, heads, 4 + w)
                                                                : product(nq, rope_w, 4) + product(nq, 4) + (heads != kv_heads ? product(nkv + nv, w) : 0);
  m.last_norm_extra = m.norm_extra;
  return m;
}

}  // namespace gpudget
