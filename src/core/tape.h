// A tape: the operators of one piece of a model (a block, the output head), run without data to see what PyTorch keeps alive and when.
// Each operator allocates its result, saves what its backward pass needs, and records a node; backward() walks the nodes in reverse as the
// autograd engine does (reverse order of creation), allocating gradients and temporaries and releasing what was saved. Every storage is
// rounded to 512 bytes as the CUDA caching allocator does. Peaks are the largest sum of live storages, with their split by Tag.
// Sources: PyTorch 2.14 tools/autograd/derivatives.yaml (what each operator saves), torch/csrc/autograd/engine.cpp (when it is released),
// torch/utils/checkpoint.py (recomputation and its early stop), aten/src/ATen/autocast_mode.cpp (casts of weights, cached until the context ends).
// No heap: fixed arrays, indices instead of pointers. Sizes saturate.
#pragma once
#include <array>
#include <cstdint>

#include "core/units.h"

namespace gpudget {

// What a live byte is for; memory_activations.cpp maps tags to ledger entries.
enum class Tag : std::uint8_t {
  stream,  // the residual stream: block inputs and outputs
  norm,
  attention,
  scores,  // eager attention's tokens x tokens tensors
  mlp,
  experts,
  adapter,
  dropout,
  cast_weights,  // autocast's bf16 copies of fp32 weights
  logits,
  logits_fp32,
  log_softmax,
  logits_gradient,
  loss_chunk,
  gradient,  // of parameters
  activation_gradient,
  flash_backward,
  dequantized,
  temporary,
  inputs,  // token ids, labels
  count
};
inline constexpr std::size_t kTags = static_cast<std::size_t>(Tag::count);
using TagBytes = std::array<std::int64_t, kTags>;

constexpr std::int64_t rounded(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

struct Peak {
  std::int64_t total = 0;
  TagBytes tags{};
};

// A weight matrix (or norm vector) as an operator sees it.
struct Weight {
  std::int64_t out = 0, in = 0;  // elements; a vector has in == 1
  std::uint8_t width = 2;        // bytes an element
  bool trained = true;
  bool bias = false;
  bool quantized = false;  // 4 bit: unpacked to the compute type for each use
};

class Tape {
 public:
  using V = std::int16_t;
  static constexpr V kNone = -1;
  static constexpr std::size_t kStorages = 320, kValues = 192, kNodes = 192;

  enum class Mode : std::uint8_t { record, ghost, recompute };  // ghost: a checkpointed forward pass, nothing saved

  bool amp = false;          // fp32 weights and activations are cast to 2 bytes for matrix products
  bool accumulated = false;  // gradients exist already: a new one is added and dropped

  void start(Mode mode) {
    mode_ = mode, values_ = 0, nodes_ = 0, stopped_ = false, caches_ = 0;
    if (mode != Mode::recompute) saves_ = 0;
    seen_ = 0;
  }
  void reset() {
    storages_ = 0, current_ = 0, tags_.fill(0), peak_ = {};
    start(Mode::record);
  }

  // Values. The caller holds one reference to what an operator returns, and drops it where the modelling code's local goes out of scope.
  V input(std::int64_t n, std::uint8_t width, bool requires_grad, Tag tag = Tag::stream);
  void drop(V v) { release_local(v); }
  std::uint8_t width(V v) const { return value(v).width; }
  bool requires_grad(V v) const { return value(v).requires_grad; }
  std::int64_t elements(V v) const { return value(v).n; }
  void hold(V v);  // one more reference (a local of an outer frame)

  // Operators.
  V linear(V x, const Weight& w, std::int64_t tokens, Tag tag, bool gradient_copied = false);
  V cast(V x, std::uint8_t width, Tag tag);
  V add(V a, V b, Tag tag);  // residual: saves nothing
  V scale(V x, Tag tag);     // times a number
  V multiply(V a, V b, Tag tag);
  V activation(V x, Tag tag);  // saves its input (silu, gelu)
  V relu(V x, Tag tag);        // saves its output
  V rms_norm(V x, const Weight& w, Tag tag);
  V rope(V x, std::uint8_t table_width, Tag tag);
  V flash(V q, V k, V v, std::int64_t tokens, std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim, std::int64_t v_dim);

  // A gradient arrives at `v` (the caller's storage), then backward() walks all nodes. `recompute` reruns the builder.
  void seed(V v, Tag tag = Tag::activation_gradient);
  template <class Builder>
  void backward(const Builder& rebuild);

  void touch(std::int64_t bytes, Tag tag) {
    if (stopped_) return;
    if (current_ + bytes > peak_.total) peak_.total = current_ + bytes, peak_.tags = tags_, peak_.tags[static_cast<std::size_t>(tag)] += bytes;
  }
  void release_caches() {
    for (std::size_t i = 0; i < caches_; ++i) release(cache_[i]);
    caches_ = 0;
  }
  void restart_peak() { peak_ = {current_, tags_}; }
  const Peak& peak() {
    settle();
    return peak_;
  }
  std::int64_t current() const { return current_; }
  const TagBytes& tags() const { return tags_; }

 private:
  using S = std::int16_t;
  struct Storage {
    std::int64_t bytes;
    std::int32_t references;
    Tag tag;
  };
  struct Value {
    std::int64_t n;
    S storage;
    S gradient;
    std::uint8_t width;
    bool requires_grad;
  };
  enum class Op : std::uint8_t { linear, cast_weight, cast, add, scale, multiply, activation, rms_norm, rope, flash };
  struct Node {
    Op op;
    bool copies_gradient;
    std::uint8_t saved_count;
    bool saves;
    V a, b, c, out;
    std::array<S, 5> saved;
    Weight weight;
    std::int64_t n, m;
  };

  void settle() {
    if (current_ > peak_.total) peak_.total = current_, peak_.tags = tags_;
  }
  S allocate(std::int64_t bytes, Tag tag) {
    if (stopped_) return kNone;
    const std::int64_t size = rounded(bytes);
    const S s = free_count_ > 0 ? free_[--free_count_] : static_cast<S>(storages_++);
    storage_[static_cast<std::size_t>(s)] = {size, 1, tag};
    current_ += size;
    tags_[static_cast<std::size_t>(tag)] += size;
    return s;
  }
  void retain(S s) {
    if (s >= 0) ++storage_[static_cast<std::size_t>(s)].references;
  }
  void release(S s) {
    if (s < 0) return;
    Storage& st = storage_[static_cast<std::size_t>(s)];
    if (--st.references > 0) return;
    settle();
    current_ -= st.bytes;
    tags_[static_cast<std::size_t>(st.tag)] -= st.bytes;
    free_[free_count_++] = s;
  }
  void release_local(V v) { release(value(v).storage); }
  Value& value(V v) { return value_[static_cast<std::size_t>(v)]; }
  const Value& value(V v) const { return value_[static_cast<std::size_t>(v)]; }
  V new_value(std::int64_t n, std::uint8_t width, bool requires_grad, S storage);
  V result(std::int64_t n, std::uint8_t width, bool requires_grad, Tag tag);
  Node& node(Op op, V a, V b, V out);
  void save(Node& n, S s);  // s may be kNone: a weight, which costs nothing but counts
  void accumulate(V v, S gradient, std::uint8_t width);
  void weight_gradient(std::int64_t elements, std::uint8_t width);
  void run(Node& n);
  S pass(V v, S gradient, std::uint8_t width);

  Mode mode_ = Mode::record;
  bool stopped_ = false;
  std::int32_t saves_ = 0, seen_ = 0;
  std::int64_t current_ = 0;
  std::size_t storages_ = 0, values_ = 0, nodes_ = 0, caches_ = 0, free_count_ = 0;
  TagBytes tags_{};
  Peak peak_;
  std::array<Storage, kStorages> storage_;
  std::array<S, kStorages> free_;
  std::array<Value, kValues> value_;
  std::array<Node, kNodes> node_;
  std::array<S, 32> cache_;
};

}  // namespace gpudget
