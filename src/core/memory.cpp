#include "core/memory.h"

#include "core/memory_around.h"
#include "core/memory_block.h"
#include "core/parameters.h"

namespace gpudget {
namespace {

using Kind = ParameterTensor::Kind;

constexpr std::int64_t kTrainingPhases = 5;

std::int64_t shard(std::int64_t n, std::int64_t by) { return by > 1 ? ceil_divide(n, by) : n; }
std::int64_t in_bytes(std::int64_t n, DType t) { return saturating_multiply(n, bits(t)) / 8; }
std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
std::int64_t most(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
// What the CUDA caching allocator gives for a tensor of this size.
std::int64_t granted(std::int64_t n) { return n >= kMaxBytes - 512 ? n : (n + 511) / 512 * 512; }

// What is alive at one moment beside the weights and states, by ledger entry.
struct Moment {
  std::array<std::int64_t, kEntryIds> of{};
  std::int64_t total = 0;
  void add(EntryId id, std::int64_t n) {
    if (n == 0) return;
    std::int64_t& at = of[static_cast<std::size_t>(id)];
    at = saturating_add(at, n), total = saturating_add(total, n);
  }
};

// Bits an optimizer keeps for a trained parameter; `type`: of the parameter, or fp32 under master weights.
struct States {
  std::int64_t bits_each = 0;
  bool factored = false;
  bool counts_steps = false;        // a scalar a tensor, 512 bytes with the allocator
  std::int64_t temporary_bits = 0;  // of the whole model while `step` runs (foreach)
  // Quantized by blocks: an fp32 scale for each `block` values of each of `moments` states. Tensors below 4096 elements stay wide, fp32 in bitsandbytes
  // (optim/optimizer.py, init_state), of the parameter's type in torchao (optim/adam.py, which leaves alone what its blocks do not divide, too).
  std::int64_t block = 0, moments = 0, wide_bits = 0;
  bool bitsandbytes = false;
};
constexpr States bitsandbytes_8bit(std::int64_t moments) { return {8 * moments, false, false, 0, 256, moments, 32 * moments, true}; }
constexpr States torchao(std::int64_t bits, std::int64_t block, std::int64_t type) { return {2 * bits, false, false, 0, block, 2, 2 * type, false}; }

// Bytes held by parameters: as trained, frozen, or packed in 4 bits with their scales; and how many tensors there are.
struct Held {
  std::int64_t plain = 0, packed = 0, scales = 0, raised = 0, adapters = 0;
  std::int64_t trainable_tensors = 0, largest_trainable = 0;
  std::int64_t factored_rows = 0;  // Adafactor: rows and columns of matrices
  std::int64_t unfactored = 0;     // and its vectors
  std::int64_t wide = 0;           // trained values whose states a block-wise optimizer does not quantize
  // `each` values a tensor, in `tensors` of them.
  void train(const States& st, std::int64_t each, std::int64_t tensors, bool spared) {
    if (st.block > 0 && (spared || each < 4096 || (!st.bitsandbytes && each % st.block != 0))) wide = saturating_add(wide, saturating_multiply(each, tensors));
  }
};

// Whether the family's loss raised the logits to fp32 before transformers 4.50, where each model wrote its own.
bool raises_logits(Family f) {
  return f != Family::gpt2 && f != Family::gpt_bigcode && f != Family::gpt_neox && f != Family::bloom && f != Family::falcon && f != Family::opt &&
         f != Family::mpt;
}

// The loss over all logits: what its forward pass holds beside them, and what is there when their gradient is made.
struct LossMemory {
  bool shifted = false;
  std::int64_t logits = 0, fp32 = 0, log_softmax = 0, held = 0, gradient = 0;
};
// `all`: elements of the logits, `shifted`: without each sequence's last token, `w` bytes each.
LossMemory loss_memory(const Scenario& s, std::int64_t all, std::int64_t shifted, std::int64_t w, bool autocast) {
  LossMemory r;
  // Before 4.50 the logits were shifted, by a copy without each sequence's last; the older models' loss is in the logits' type.
  r.shifted = s.transformers == Transformers::v4_48 || s.transformers == Transformers::v4_45;
  const Family family = s.model.architecture.family;
  const bool as_computed = r.shifted && !raises_logits(family), in_place = s.loss == Loss::in_place;
  if (!r.shifted) shifted = all;
  const std::int64_t width = as_computed && !autocast ? w : 4, copy = w < 4 ? product(all, 4) : 0;
  const bool replaced = s.transformers == Transformers::v4_45 && !as_computed && copy > 0;  // the fp32 logits take the name of the others
  r.logits = saturating_add(replaced ? 0 : product(all, w), r.shifted ? product(shifted, as_computed ? w : 4) : 0);
  r.fp32 = !as_computed ? copy : autocast ? product(shifted, 4) : 0;
  if (!in_place) r.log_softmax = product(shifted, width);
  // The loss's and its softmax's; or the logits themselves, and what is made of them for the one before: shifted back, or in 16 bits.
  r.gradient = !in_place ? product(shifted, 2 * width) : saturating_add(product(shifted, width), product(all, r.shifted ? width : w));
  // GPTBigCode's logits, and under autocast accelerate's fp32 copy of them, live through the backward pass of version 4.48: seen in 16 published runs of
  // four kinds (full and QLoRA, each with either loss), by what reason was not found in the source.
  if (family == Family::gpt_bigcode && as_computed) r.held = product(all, autocast ? w + 4 : w);
  if (family == Family::gpt_bigcode && as_computed && autocast && in_place) r.gradient = product(all, 8);
  return r;
}

Held held(const Scenario& s, const ParameterList& list, const States& st) {
  Held r;
  // The Trainer keeps the states of every nn.Embedding in fp32 (create_optimizer's override for bitsandbytes' 8-bit optimizers), a tied head's with it.
  // DeepSpeed hands the optimizer flat partitions instead: none of them is an embedding, none is small.
  const DataParallel data = data_parallel(s);
  const bool flat = s.gpus > 1 && (data == DataParallel::zero1 || data == DataParallel::zero2 || data == DataParallel::zero3);
  const bool adapters = s.method == Method::lora || s.method == Method::qlora;
  const DType type = weights_dtype(s), raised = s.quantization.prepare_kbit ? DType::fp32 : DType::bf16;
  const bool four_bit = bits(type) == 4;
  for (const ParameterTensor& t : list.view()) {
    const std::int64_t n = t.elements();
    if (four_bit && is_packed(s, t)) {
      const std::int64_t pieces = t.apart ? t.depth : 1, tensors = saturating_multiply(t.count, pieces), blocks = n / pieces / 64;
      r.packed = saturating_add(r.packed, saturating_multiply(granted(n / pieces / 2), tensors));
      const std::int64_t scales = s.quantization.double_quant ? granted(blocks) + granted((blocks / 256 + 1) * 4) : granted(blocks * 4);
      r.scales = saturating_add(r.scales, saturating_multiply(scales, tensors));
    } else if (four_bit) {
      r.raised = saturating_add(r.raised, saturating_multiply(granted(in_bytes(n, raised)), t.count));
    } else {
      r.plain = saturating_add(r.plain, saturating_multiply(granted(in_bytes(n, type)), t.count));
    }
    if (s.method == Method::full && t.kind != Kind::buffer) {
      r.trainable_tensors += t.count;
      r.largest_trainable = most(r.largest_trainable, n);
      if (!flat) r.train(st, n, t.count, st.bitsandbytes && t.kind == Kind::embedding);
      if (t.columns > 1)
        r.factored_rows = saturating_add(r.factored_rows, saturating_multiply(saturating_multiply(saturating_add(t.rows, t.columns), t.depth), t.count));
      else
        r.unfactored = saturating_add(r.unfactored, saturating_multiply(n, t.count));
    }
    if (adapters && is_lora_target(t, s.lora.target_modules)) {
      const std::int64_t a = granted(in_bytes(product(s.lora.r, t.columns, t.depth, t.adapter_ranks), s.lora.adapter_dtype));
      const std::int64_t b = granted(in_bytes(product(s.lora.r, t.rows, t.depth, t.adapter_ranks), s.lora.adapter_dtype));
      std::int64_t one = saturating_add(a, b);
      if (s.lora.dora) one = saturating_add(one, granted(in_bytes(product(t.rows, t.depth), s.lora.adapter_dtype)));
      r.adapters = saturating_add(r.adapters, saturating_multiply(one, t.count));
      r.trainable_tensors += t.count * (s.lora.dora ? 3 : 2);
      if (!flat && st.block > 0) {
        r.train(st, product(s.lora.r, t.columns, t.depth, t.adapter_ranks), t.count, false);
        r.train(st, product(s.lora.r, t.rows, t.depth, t.adapter_ranks), t.count, false);
        if (s.lora.dora) r.train(st, product(t.rows, t.depth), t.count, false);
      }
      r.largest_trainable = most(r.largest_trainable, product(s.lora.r, most(t.rows, t.columns), t.depth));
      r.factored_rows = saturating_add(r.factored_rows, saturating_multiply(product(saturating_add(t.rows + t.columns, 2 * s.lora.r), t.depth), t.count));
    }
  }
  return r;
}

// What a GPU gathers of weights that are sharded: one block, and what belongs to none.
struct Gathered {
  std::int64_t block = 0, root = 0;
};
Gathered gathered(const Scenario& s, const ParameterCount& count, const Held& h, std::int64_t tensor) {
  const std::int64_t root = count.part(Part::embedding) + count.part(Part::positions) + count.part(Part::lm_head);
  const bool four_bit = bits(weights_dtype(s)) == 4;
  const DType unpacked = four_bit && s.quantization.prepare_kbit ? DType::fp32 : s.compute;
  const std::int64_t layers = most(s.model.architecture.num_hidden_layers, 1);
  return {shard(four_bit ? h.packed / layers : in_bytes((count.total - root) / layers, s.compute), tensor), in_bytes(shard(root, tensor), unpacked)};
}

States states(const Scenario& s) {
  const std::int64_t type = bits(s.optimizer_states.value_or(s.master_weights ? DType::fp32 : trainable_dtype(s)));
  switch (s.optim) {
    case Optimizer::adamw_torch: return {2 * type, false, true, type};
    case Optimizer::adamw_torch_fused:
    case Optimizer::adamw_apex_fused: return {2 * type, false, true};
    case Optimizer::schedule_free_adamw: return {2 * type, false, true, type};
    case Optimizer::adamw_8bit:
    case Optimizer::paged_adamw_8bit: return bitsandbytes_8bit(2);
    case Optimizer::adamw_torch_8bit: return torchao(8, 256, bits(trainable_dtype(s)));
    case Optimizer::adamw_torch_4bit: return torchao(4, 128, bits(trainable_dtype(s)));
    case Optimizer::paged_adamw_32bit: return {64};
    case Optimizer::sgd:
    case Optimizer::lomo: return {};
    case Optimizer::adafactor:
    case Optimizer::adalomo: return {0, true};
    case Optimizer::sgd_momentum:
    case Optimizer::muon:
    case Optimizer::adagrad:
    case Optimizer::rmsprop: return {type};
    case Optimizer::lion_32bit:
    case Optimizer::paged_lion_32bit: return {32};
    case Optimizer::lion_8bit:
    case Optimizer::paged_lion_8bit: return bitsandbytes_8bit(1);
    case Optimizer::ademamix: return {96};
    case Optimizer::ademamix_8bit: return bitsandbytes_8bit(3);
    case Optimizer::galore_adamw:
    case Optimizer::apollo_adamw: return {type / 2, false, true};
    case Optimizer::galore_adamw_8bit: return {4};
  }
  return {};
}

}  // namespace

void estimate_memory(const Scenario& s, Estimate& out) {
  const Architecture& a = s.model.architecture;
  const ParameterList list = parameter_list(a, s.transformers);
  const ParameterCount count = count_parameters(list);
  const std::int64_t trained = s.method == Method::full ? count.total : trainable_parameters(s, list);  // without counting again
  out.model = {s.model.name.empty() ? s.model.id : s.model.name, count.total, count.active, trained};
  MemoryEstimate& m = out.memory;
  Ledger& l = m.ledger;
  l.clear();
  const bool training = s.method != Method::inference;
  const Phase last = training ? Phase::step : Phase::decode;
  const std::int64_t dp = data_parallel_degree(s), tp = most(s.parallelism.tensor, 1), pp = most(s.parallelism.pipeline, 1),
                     cp = most(s.parallelism.context, 1);
  const DataParallel data = data_parallel(s);
  const std::int64_t model_shard = product(tp, pp);
  const std::int64_t replicas = product(dp, cp);  // the ranks of a context-parallel group hold the same parameters, and shard them too
  const std::int64_t weight_shard = data == DataParallel::zero3 || data == DataParallel::fsdp ? replicas : 1;
  const std::int64_t gradient_shard = weight_shard > 1 || data == DataParallel::zero2 ? replicas : 1;
  const std::int64_t state_shard = gradient_shard > 1 || data == DataParallel::zero1 ? replicas : 1;
  const bool offload_states = s.parallelism.offload != Offload::none, offload_weights = s.parallelism.offload == Offload::all;
  const States st = training ? states(s) : States{};
  const Held h = held(s, list, st);
  const auto mine = [&](std::int64_t n) { return shard(shard(n, model_shard), weight_shard); };
  std::int64_t host = 0;

  // Weights.
  const auto weight_entry = [&](EntryId id, std::int64_t n, DType type) {
    // Scales are no parameters: FSDP leaves all of them on every GPU.
    const bool whole = id == EntryId::quantization_scales && data == DataParallel::fsdp;
    const std::int64_t by = whole ? model_shard : model_shard * weight_shard, size = whole ? shard(n, model_shard) : mine(n);
    if (offload_weights && training) {
      host = saturating_add(host, size);
      return;
    }
    Formula f = of_bits(Formula(times(Term::parameters, n / bits(type) * 8)), bits(type));
    if (by > 1) f << over(Term::gpus, by);
    l.add(id, Category::weights, bytes(size), Phase::load, last, f);
  };
  weight_entry(EntryId::weights, h.plain, weights_dtype(s));
  weight_entry(EntryId::quantized_weights, h.packed, weights_dtype(s));
  weight_entry(EntryId::quantization_scales, h.scales, s.quantization.double_quant ? DType::int8 : DType::fp32);
  weight_entry(EntryId::unquantized_weights, h.raised, s.quantization.prepare_kbit ? DType::fp32 : DType::bf16);
  weight_entry(EntryId::adapters, h.adapters, s.lora.adapter_dtype);

  const std::int64_t b = s.per_device_train_batch_size, t = shard(s.max_length, cp), layers = shard(a.num_hidden_layers, pp);
  const std::int64_t tokens = product(b, t);
  const Widths width = activation_widths(s);
  const bool rope = a.positions == Positions::rope;
  const std::int64_t rotary = a.kv_lora_rank > 0 ? a.qk_rope_head_dim : a.rotary_dim;
  if (rope) {
    const std::int64_t frequencies = 2 * granted(rotary / 2 * 4);
    l.add(EntryId::rotary_tables, Category::buffers, bytes(frequencies), Phase::load, last,
          Formula(times(Term::count, 2), times(Term::bytes, frequencies / 2)));
  }
  if (a.family == Family::gpt_bigcode)  // a buffer of the model, true up to the diagonal (modeling_gpt_bigcode.py)
    l.add(EntryId::causal_mask, Category::buffers, bytes(granted(product(a.max_position_embeddings, a.max_position_embeddings))), Phase::load, last,
          Formula(times(Term::tokens, a.max_position_embeddings), times(Term::tokens, a.max_position_embeddings), times(Term::bytes, 1)));

  if (training) {
    const std::int64_t trainable = shard(out.model.trainable_parameters, model_shard);
    const std::int64_t state_count = shard(trainable, state_shard);
    if (s.master_weights) {
      const std::int64_t n = in_bytes(state_count, DType::fp32);
      if (offload_states)
        host = saturating_add(host, n);
      else
        l.add(EntryId::master_weights, Category::weights, bytes(n), Phase::load, last, Formula(times(Term::parameters, state_count), times(Term::bytes, 4)));
    }
    const std::int64_t wide_count = shard(shard(h.wide, model_shard), state_shard), narrow_count = most(state_count - wide_count, 0);
    const std::int64_t step_bytes = st.counts_steps ? shard(shard(h.trainable_tensors * 512, model_shard), state_shard) : 0;
    std::int64_t state_bytes = saturating_add(saturating_multiply(narrow_count, st.bits_each) / 8, step_bytes);
    if (st.factored) state_bytes = shard(shard(saturating_multiply(saturating_add(h.factored_rows, h.unfactored), 4), model_shard), state_shard);
    const std::int64_t wide_bytes = saturating_multiply(wide_count, st.wide_bits) / 8;
    const std::int64_t scale_bytes = st.block > 0 ? saturating_multiply(shard(narrow_count, st.block), 4 * st.moments) : 0;
    if (offload_states) {
      host = saturating_add(host, saturating_add(saturating_add(state_bytes, wide_bytes), scale_bytes));
    } else {
      l.add(EntryId::optimizer_states, Category::optimizer_states, bytes(state_bytes), Phase::load, last,
            st.factored ? Formula(times(Term::elements, state_bytes / 4), times(Term::bytes, 4))
                        : of_bits(Formula(times(Term::parameters, narrow_count)), st.bits_each));
      l.add(EntryId::optimizer_states, Category::optimizer_states, bytes(wide_bytes), Phase::load, last,
            of_bits(Formula(times(Term::parameters, wide_count)), st.wide_bits));
      l.add(EntryId::optimizer_scales, Category::optimizer_states, bytes(scale_bytes), Phase::load, last,
            Formula(times(Term::parameters, narrow_count), over(Term::count, most(st.block, 1)), times(Term::count, st.moments), times(Term::bytes, 4)));
    }

    const BlockMemory block = block_memory(s, list, tokens, tp);
    const std::int64_t n = tokens, hidden = a.hidden_size, nh = product(n, hidden), vocab = shard(a.vocab_size, tp), nv = product(n, vocab);
    const std::int64_t w = width.compute, sw = width.stream;
    const bool checkpointed = s.gradient_checkpointing != Checkpointing::none;
    const bool full = s.method == Method::full;
    const EntryId gradient_id = full ? EntryId::gradients : EntryId::adapter_gradients;
    const std::int64_t gradient_bits = bits(gradients_dtype(s));
    const bool accumulating = s.gradient_accumulation_steps > 1;
    // Offload moves each reduced shard of the gradients to the host as it is ready.
    const bool gradients_on_host = (offload_weights && data == DataParallel::fsdp) || (offload_states && gradient_shard > 1 && data != DataParallel::fsdp);
    const std::int64_t ready_gradients = saturating_multiply(shard(trainable, gradient_shard), gradient_bits) / 8;
    const std::int64_t all_gradients = s.optimizer_in_backward || gradients_on_host ? 0 : ready_gradients;
    if (gradients_on_host) host = saturating_add(host, ready_gradients);
    const std::int64_t embedding = product(shard(a.vocab_size, model_shard), a.word_embed_proj_dim > 0 ? a.word_embed_proj_dim : hidden);
    const std::int64_t head_gradient = full ? product(embedding, gradient_bits) / 8 : 0;
    // Blocks in flight: a pipeline's first stage holds as many micro-batches as there are stages (1F1B).
    const std::int64_t in_flight = pp > 1 ? least(pp, s.gradient_accumulation_steps) : 1;
    const std::int64_t kept_blocks = saturating_multiply(layers, in_flight);

    // Weights of autocast's cast cache live until the forward pass ends; under checkpointing until each block's recomputation does.
    // Frozen ones are not cached, but the copy is kept for the input's gradient all the same.
    const std::int64_t cast_block =
        !width.autocast() ? 0
        : full ? in_bytes((count.total - count.part(Part::embedding) - count.part(Part::lm_head) - count.part(Part::norm)) / most(a.num_hidden_layers, 1),
                          DType::bf16)
               : block.casts;
    const bool under_autocast = width.autocast() || (s.method == Method::qlora && w == 2);
    // Adapters' own copies are cached, and nothing rounds them: two bytes a parameter.
    const std::int64_t cast_adapters = under_autocast && !full && s.lora.adapter_dtype == DType::fp32 ? h.adapters / 2 : 0;
    const std::int64_t cast_head = width.autocast() ? product(vocab, hidden, w) : 0;

    // Adapters under reentrant checkpointing and the first FSDP: the hook that frees the frozen weights of a block (_runtime_utils.py,
    // _register_post_backward_reshard_only_hook) holds the AccumulateGrad node of the block's detached input until the backward pass ends,
    // and with it the input and its gradient; the gradient of the next block's input is the one that a block is given.
    const bool input_gradients = reentrant(s) && !full && checkpointed && data == DataParallel::fsdp && s.gpus > 1;

    const std::int64_t inputs = granted(8 * n);
    const std::int64_t tables = rope ? 2 * product(t, rotary, sw) + granted(8 * t) : 0;
    // Blocks whose attention slides; the first one does, the last one where the pattern says so.
    const auto sliding = [&](std::int64_t blocks) { return blocks - (a.global_every > 0 ? blocks / a.global_every : 0); };

    const auto saved = [&](Moment& at, std::int64_t blocks, EntryId whole) {
      if (whole != EntryId::inputs) {  // a recomputed block is one entry
        at.add(whole, saturating_add(block.saved(), a.global_every > 0 && blocks % a.global_every == 0 ? 0 : block.repeated));
        return;
      }
      at.add(EntryId::norm_saved, product(block.norms, blocks));
      at.add(EntryId::attention_saved, saturating_add(product(block.attention, blocks), product(block.repeated, sliding(blocks))));
      at.add(EntryId::attention_scores, product(block.scores, blocks));
      const std::int64_t dense = a.num_experts > 0 && blocks > 1 ? least(a.first_k_dense_replace, blocks) : 0;  // of these blocks, without experts
      at.add(EntryId::mlp_saved, saturating_add(product(block.mlp, blocks - dense), product(block.dense_mlp, dense)));
      at.add(EntryId::expert_saved, product(block.experts, blocks - dense));
      at.add(EntryId::adapter_saved, product(block.adapters, blocks));
      at.add(EntryId::dropout_masks, product(block.dropout, blocks));
    };
    // Sharded weights as they are gathered: FSDP's root unit (embedding, last norm, head) from the first layer to the end of the backward pass, the block at
    // work and the one fetched ahead. While the loss is computed no block is; before its gradient reaches the last block that one is fetched, and none is
    // ahead of the first block in the backward pass. bitsandbytes' weights are gathered packed.
    const Gathered gathering = weight_shard > 1 ? gathered(s, count, h, tp) : Gathered{};
    const std::int64_t root_bytes = data == DataParallel::fsdp ? gathering.root : 0;
    const auto base = [&](std::int64_t blocks, std::int64_t gradients) {
      Moment at;
      at.add(EntryId::gathered_parameters, saturating_add(root_bytes, product(gathering.block, blocks > 1 ? 2 : 1)));
      at.add(EntryId::inputs, inputs);
      at.add(EntryId::rotary_tables, tables);
      if (s.attn_implementation == Attention::eager) at.add(EntryId::attention_scores, product(n, t, sw));  // the causal mask, one for each example
      if (checkpointed) {
        at.add(EntryId::block_inputs, product(block.input, input_gradients ? kept_blocks : blocks));
        at.add(EntryId::attention_saved, product(block.kept_attention, blocks));
        at.add(EntryId::mlp_saved, product(block.kept_mlp, blocks));
      } else {
        saved(at, blocks, EntryId::inputs);
        at.add(EntryId::autocast_cache, saturating_add(product(cast_block, blocks), blocks > 1 ? cast_adapters : 0));
      }
      at.add(gradient_id, gradients);
      return at;
    };
    Moment unpacking;
    const std::int64_t kept_gradients = accumulating ? all_gradients : 0;

    // Forward: everything saved; loss: the logits beside it.
    Moment forward = base(kept_blocks, kept_gradients);
    forward.add(EntryId::final_norm_saved, block.final_norm);
    Moment first = forward;
    // Nothing before the first adapter needs a gradient, so the first norm keeps nothing; the last hidden state is held until the loss is known.
    const std::int64_t first_norm = !full && !checkpointed && a.norms_per_layer > 0 ? block.norms / a.norms_per_layer : 0;
    if (first_norm > 0) {
      first.add(EntryId::norm_saved, -first_norm);
      first.add(EntryId::adapter_saved, -block.first_masks), forward.add(EntryId::adapter_saved, -block.first_masks);
      forward.add(EntryId::norm_saved, -first_norm), forward.add(EntryId::embedding_output, product(nh, sw));
    }
    // A 4-bit weight unpacked to the type of what it multiplies, and autocast's copy of it; the gate's result beside it.
    if (block.dequantized > 0 && checkpointed) {
      Moment unpack = base(kept_blocks, kept_gradients);
      unpack.add(EntryId::autocast_cache, cast_adapters);
      unpack.add(EntryId::dequantized_weight, block.unpacked);
      unpack.add(EntryId::recomputed_block, saturating_add(block.norms, block.attention) + block.scores + (a.gated_mlp ? block.mlp / 3 * 2 : block.mlp));
      unpack.add(EntryId::activation_gradients, product(nh, sw));
      unpacking = unpack;
    }
    // The cache lives until the context ends; Falcon casts the transpose, which is not cached.
    if (checkpointed && full && a.family != Family::falcon) forward.add(EntryId::autocast_cache, product(cast_block, layers));
    if (checkpointed) forward.add(EntryId::autocast_cache, cast_adapters);
    Moment loss = forward;
    if (full && width.autocast()) loss.add(EntryId::final_norm_saved, product(nh, sw));  // the last hidden state, beside its copy that the head reads
    loss.add(EntryId::gathered_parameters, -product(gathering.block, kept_blocks > 1 ? 2 : 1));
    if (kept_blocks > 1) first.add(EntryId::gathered_parameters, -gathering.block);
    // Eager attention's scores while the softmax runs: as computed, raised to fp32, the result.
    if (checkpointed && s.attn_implementation == Attention::eager) {
      forward.add(EntryId::final_norm_saved, -block.final_norm);
      forward.add(EntryId::attention_scores, product(n, t, shard(a.num_attention_heads, tp), w < 4 ? 8 + w : 8));
      forward.add(EntryId::compute_temporaries, product(n, shard(product(a.num_attention_heads, a.head_dim), tp), 2 * w));
    }
    const std::int64_t capped = a.logits_softcap ? product(nv, w) : 0;
    if (s.loss == Loss::full && s.compile) {
      // Compiled with the model: one kernel reads the logits for each row's largest and sum, another writes their gradient.
      loss.add(EntryId::logits, product(nv, w));
      loss.add(EntryId::autocast_cache, cast_head);
      first.add(EntryId::logits, product(nv, w));
      first.add(EntryId::logits_gradient, product(nv, w));
      first.add(EntryId::autocast_cache, cast_head);
    } else if (s.loss == Loss::full || s.loss == Loss::in_place) {
      const LossMemory of = loss_memory(s, nv, product(n - b, vocab), w, under_autocast);
      loss.add(EntryId::logits, saturating_add(of.logits, capped));
      loss.add(EntryId::logits_fp32, of.fp32);
      loss.add(EntryId::log_softmax, of.log_softmax);
      if (of.shifted && checkpointed && !full) loss.add(EntryId::final_norm_saved, product(nh, w));  // the last hidden state, a local of the model's forward
      loss.add(EntryId::inputs, inputs + granted(8 * (n + b)));
      loss.add(EntryId::autocast_cache, cast_head);
      first.add(EntryId::logits, saturating_add(of.held, capped));
      first.add(EntryId::autocast_cache, cast_head);
      first.add(EntryId::log_softmax, of.log_softmax);
      first.add(EntryId::logits_gradient, of.gradient);
      first.add(EntryId::inputs, inputs);
    } else {
      // Chunks of tokens: their logits and gradients, and the input's gradient, computed in the forward pass.
      const std::int64_t chunk = s.loss == Loss::fused ? ceil_divide(n, most(1, ceil_divide(vocab, most(hidden, 1)))) : ceil_divide(n, 8);
      loss.add(EntryId::loss_chunk, product(chunk, vocab, s.loss == Loss::fused ? w + 4 : w + 8));
      loss.add(EntryId::activation_gradients, product(nh, w));
      loss.add(gradient_id, accumulating ? 0 : head_gradient);
      first.add(EntryId::activation_gradients, product(nh, w));
      first.add(gradient_id, accumulating ? 0 : head_gradient);
    }

    // Backward: the first moment, and those of the first and the last block that it walks; the gradients grow from one to the other.
    Moment best = first;
    const auto consider = [&](const Moment& at) {
      if (at.total > best.total) best = at;
    };
    consider(unpacking);
    if (block.adapting > 0 && checkpointed) {
      Moment at = base(kept_blocks, kept_gradients);
      at.add(EntryId::recomputed_block, block.saved() - block.mlp - block.experts + block.adapted);
      at.add(EntryId::activation_gradients, product(nh, sw));
      at.add(EntryId::compute_temporaries, block.adapting);
      consider(at);
    }
    const bool tied = a.tie_word_embeddings;
    for (int end = 0; end < 2; ++end) {
      const std::int64_t blocks = end == 0 ? kept_blocks : 1;
      std::int64_t gradients = end == 0 ? head_gradient : all_gradients - (full && !tied ? head_gradient : 0);
      const std::int64_t block_gradients = full ? (all_gradients - head_gradient * (tied ? 1 : 2)) / most(layers, 1) : 0;
      if (end == 1) gradients -= block_gradients;
      if (accumulating) gradients = all_gradients;
      if (gradients < 0) gradients = 0;
      Moment at = base(blocks, gradients);
      at.add(EntryId::activation_gradients, product(nh, sw, input_gradients ? most(kept_blocks - blocks, 1) : 1));
      // What is computed again takes the place of what was kept of the block.
      at.add(EntryId::attention_saved, -block.kept_attention), at.add(EntryId::mlp_saved, -block.kept_mlp);
      if (checkpointed) saved(at, blocks, EntryId::recomputed_block), at.add(EntryId::autocast_cache, cast_block);
      Moment mlp = at;
      mlp.add(gradient_id, block.mlp_weight);
      mlp.add(EntryId::activation_gradients, block.mlp_extra);
      mlp.add(EntryId::dequantized_weight, block.dequantized);
      consider(mlp);
      // What the feed-forward part and the norm before it had saved is gone by then.
      const auto without_mlp = [&](Moment& when, std::int64_t gone) {
        if (checkpointed) {
          when.add(EntryId::recomputed_block, -gone);
        } else {
          when.add(EntryId::mlp_saved, -block.mlp), when.add(EntryId::expert_saved, -block.experts);
          when.add(EntryId::norm_saved, block.mlp + block.experts - gone);
        }
      };
      Moment norm = at;
      norm.add(gradient_id, a.gated_mlp ? 3 * block.mlp_weight : 2 * block.mlp_weight);
      norm.add(EntryId::activation_gradients, block.norm_extra);
      without_mlp(norm, block.norm_gone);
      consider(norm);
      Moment attention = at;
      attention.add(gradient_id, a.gated_mlp ? 3 * block.mlp_weight : 2 * block.mlp_weight);
      attention.add(EntryId::flash_backward, block.attention_extra);
      without_mlp(attention, block.attention_gone);
      consider(attention);
    }
    // The embedding's gradient comes last; a tied head's waits for it, and their sum is a third tensor beside the two.
    Moment end = base(0, all_gradients);
    if (full && tied) {
      end.add(EntryId::gradients, product(head_gradient, accumulating ? 3 : 2));
      end.add(EntryId::rotary_tables, -tables);
    } else {
      end.add(EntryId::activation_gradients, product(nh, sw));
    }
    consider(end);

    // Copies of weights by their elements, activations by token and width where they are whole numbers of it.
    const auto plain_formula = [&](EntryId id, Category c, std::int64_t size) {
      const bool of_weights = id == EntryId::gathered_parameters || id == EntryId::dequantized_weight || id == EntryId::autocast_cache;
      if (of_weights && size % w == 0) return Formula(times(Term::parameters, size / w), times(Term::bytes, w));
      const bool by_token = c == Category::activations || id == EntryId::flash_backward || id == EntryId::compute_temporaries;
      if (!by_token || n <= 0 || size % n != 0) return Formula(times(Term::bytes, size));
      if (size % most(1, nh) == 0 && id != EntryId::attention_scores)
        return Formula(times(Term::tokens, n), times(Term::hidden, hidden), times(Term::bytes, size / most(1, nh)));
      return Formula(times(Term::tokens, n), times(Term::bytes, size / n));
    };
    const auto write = [&](std::size_t i, std::int64_t size, Phase from_phase, Phase to_phase) {
      const EntryId id = static_cast<EntryId>(i);
      const Category c = id == EntryId::gradients || id == EntryId::adapter_gradients ? Category::gradients
                         : id >= EntryId::logits && id <= EntryId::loss_chunk         ? Category::logits
                         : id >= EntryId::gathered_parameters                         ? Category::buffers
                                                                                      : Category::activations;
      if (l.only_totals()) return l.add(id, c, bytes(size), from_phase, to_phase, Formula());
      const std::int64_t blocks = s.gradient_checkpointing == Checkpointing::full ? 0 : kept_blocks;
      const bool layered = id >= EntryId::attention_saved && id <= EntryId::dropout_masks && blocks > 0 && size % blocks == 0;
      const Formula f =
          id == EntryId::gradients || id == EntryId::adapter_gradients ? of_bits(Formula(times(Term::elements, size * 8 / gradient_bits)), gradient_bits)
          : id == EntryId::block_inputs && size % most(1, product(nh, sw)) == 0
              ? Formula(times(Term::count, size / most(1, product(nh, sw))), times(Term::tokens, n), times(Term::hidden, hidden), times(Term::bytes, sw))
          : c == Category::logits && nv > 0 && size % nv == 0 ? Formula(times(Term::tokens, n), times(Term::vocab, vocab), times(Term::bytes, size / nv))
          : layered && size / blocks % n == 0 ? Formula(times(Term::layers, blocks), times(Term::tokens, n), times(Term::bytes, size / blocks / n))
          : layered                           ? Formula(times(Term::layers, blocks), times(Term::bytes, size / blocks))
                                              : plain_formula(id, c, size);
      l.add(id, c, bytes(size), from_phase, to_phase, f);
    };
    // What keeps its size through phases that follow one another is one entry.
    const std::array<const Moment*, 3> moments{&forward, &loss, &best};
    constexpr std::array<Phase, 3> phases{Phase::forward, Phase::loss, Phase::backward};
    for (std::size_t i = 0; i < kEntryIds; ++i)
      for (std::size_t start = 0, after = 0; start < moments.size(); start = after) {
        const std::int64_t size = moments[start]->of[i];
        for (after = start + 1; after < moments.size() && moments[after]->of[i] == size;) ++after;
        if (size != 0) write(i, size, phases[start], phases[after - 1]);
      }
    l.add(gradient_id, Category::gradients, bytes(all_gradients), Phase::step, Phase::step,
          of_bits(Formula(times(Term::elements, shard(trainable, gradient_shard))), gradient_bits));
    // Adafactor's update in fp32 beside its square, of the largest tensor; foreach's temporary of every parameter.
    const std::int64_t largest = shard(h.largest_trainable, model_shard), update_bytes = bits(trainable_dtype(s)) == 32 ? 8 : 16;
    if (st.factored)
      l.add(EntryId::optimizer_temporaries, Category::buffers, bytes(saturating_multiply(largest, update_bytes)), Phase::step, Phase::step,
            Formula(times(Term::elements, largest), times(Term::bytes, update_bytes)));
    else if (!offload_states)
      l.add(EntryId::optimizer_temporaries, Category::buffers, bytes(saturating_multiply(state_count, st.temporary_bits) / 8), Phase::step, Phase::step,
            of_bits(Formula(times(Term::parameters, state_count)), st.temporary_bits));

    // Communication buffers.
    if (dp > 1 && full && weight_shard == 1) {
      const std::int64_t bucket = data == DataParallel::ddp
                                      ? all_gradients
                                      : least(mib(1024).in_bytes(), all_gradients);  // DDP's buckets mirror the gradients; DeepSpeed: 5e8 elements
      l.add(EntryId::reduce_buckets, Category::buffers, bytes(bucket), Phase::backward, Phase::backward, Formula(times(Term::bytes, bucket)));
    }
  } else {
    const std::int64_t kv_each = a.kv_lora_rank > 0 ? a.kv_lora_rank + a.qk_rope_head_dim : product(2, shard(product(a.num_key_value_heads, a.head_dim), tp));
    const DType type = s.kv_cache_dtype.value_or(s.compute);
    const std::int64_t kv = product(layers, tokens, kv_each);
    l.add(EntryId::kv_cache, Category::kv_cache, bytes(in_bytes(kv, type)), Phase::forward, Phase::decode,
          of_bits(Formula(times(Term::layers, layers), times(Term::tokens, tokens), times(Term::width, kv_each)), bits(type)));
    const std::int64_t prefill = product(tokens, saturating_add(a.hidden_size * 2, shard(a.intermediate_size, tp) * 3), 2);
    l.add(EntryId::compute_temporaries, Category::activations, bytes(prefill), Phase::forward, Phase::forward, Formula(times(Term::bytes, prefill)));
    const std::int64_t logits = product(b, a.vocab_size, 4);
    l.add(EntryId::logits, Category::logits, bytes(logits), Phase::decode, Phase::decode,
          Formula(times(Term::batch, b), times(Term::vocab, a.vocab_size), times(Term::bytes, 4)));
  }

  Bytes peak;
  const std::array<Bytes, kPhases> needed = l.phase_totals();
  for (std::size_t p = 0; p < kPhases; ++p) {
    const Phase phase = static_cast<Phase>(p);
    if (training ? p >= kTrainingPhases : phase == Phase::loss || phase == Phase::backward || phase == Phase::step) continue;
    const Bytes total = needed[p];
    if (total > peak) peak = total, m.peak_phase = phase;
  }
  m.allocated = peak;
  const auto above_load = [&](Phase p) { return (needed[static_cast<std::size_t>(p)] - needed[static_cast<std::size_t>(Phase::load)]).in_bytes(); };
  const std::int64_t passing =
      most(most(above_load(Phase::forward), training ? above_load(Phase::loss) : above_load(Phase::decode)), training ? above_load(Phase::backward) : 0);
  const MemoryAround around = memory_around(s, peak.in_bytes(), passing, training ? above_load(Phase::step) : 0);
  m.reserved = peak + around.slack;
  m.least = peak + around.least_slack + around.context + around.communication;
  l.add(EntryId::allocator_slack, Category::framework, around.slack, Phase::load, last, Formula(times(Term::bytes, around.slack.in_bytes())));
  l.add(EntryId::cuda_context, Category::framework, around.context, Phase::load, last, Formula(times(Term::bytes, around.context.in_bytes())));
  l.add(EntryId::communication, Category::framework, around.communication, Phase::load, last, Formula(times(Term::bytes, around.communication.in_bytes())));
  const std::array<Bytes, kPhases> reserved = l.phase_totals();
  for (std::size_t p = 0; p < kPhases; ++p) {
    const Phase phase = static_cast<Phase>(p);
    if (training ? p >= kTrainingPhases : phase == Phase::loss || phase == Phase::backward || phase == Phase::step) continue;
    m.phases[p] = reserved[p];
  }
  m.device = reserved[static_cast<std::size_t>(m.peak_phase)];
  m.categories = l.category_totals(m.peak_phase);
  m.host = bytes(host);
  const RangeShare range = memory_range(s);
  m.range_low = bytes(m.device.in_bytes() / 1000 * (1000 - range.below));
  m.range_high = bytes(saturating_multiply(m.device.in_bytes() / 1000, 1000 + range.above));
  m.capacity = s.gpu.memory;
  m.headroom = m.capacity - m.device;
  m.fits = m.device <= m.capacity;
  m.confidence = memory_confidence(s);
  if (!m.fits) out.problems.add(Severity::error, ProblemId::does_not_fit, "gpu", -m.headroom.in_bytes(), m.capacity.in_bytes());
}

}  // namespace gpudget
