#include "course/chapter.h"

#include <array>

namespace gpudget::course {
namespace {

using enum BlockKind;

constexpr std::array kIntro{Block{paragraph, "p1"}};
constexpr std::array kComponents{Block{paragraph, "p1"},     Block{bullet, "weights"},     Block{bullet, "gradients"},
                                 Block{bullet, "optimizer"}, Block{bullet, "activations"}, Block{paragraph, "p2"}};
constexpr std::array kFormula{Block{paragraph, "p1"}, Block{formula, "f1"}, Block{bullet, "inference"}, Block{bullet, "training"}, Block{demo, "formula"}};
constexpr std::array kPrecision{Block{paragraph, "p1"}, Block{table, "precision"}, Block{paragraph, "p2"}};
constexpr std::array kWorked{Block{paragraph, "p1"},          Block{table, "worked_float32"}, Block{paragraph, "p2"},
                             Block{table, "worked_bfloat16"}, Block{paragraph, "p3"},         Block{demo, "worked_7b"}};
constexpr std::array kSizes{Block{paragraph, "p1"}, Block{table, "full_finetune"}};
constexpr std::array kReductions{Block{paragraph, "p1"}, Block{table, "reductions"}, Block{demo, "reductions"}, Block{paragraph, "p2"},
                                 Block{code, "accumulation"}};
constexpr std::array kZero{Block{paragraph, "p1"}, Block{table, "zero"}, Block{demo, "zero_stages"}, Block{paragraph, "p2"}};
constexpr std::array kHardware{Block{paragraph, "p1"}, Block{table, "single_gpu"}, Block{paragraph, "p2"}, Block{table, "multi_gpu"}};
constexpr std::array kTime{Block{paragraph, "p1"}, Block{formula, "f1"}, Block{table, "throughput"}, Block{paragraph, "p2"}, Block{table, "time"}};
constexpr std::array kCost{Block{paragraph, "p1"}, Block{table, "prices"}, Block{paragraph, "p2"}, Block{table, "cost"}, Block{paragraph, "p3"}};
constexpr std::array kProfiling{Block{paragraph, "p1"}, Block{code, "profiling"},       Block{demo, "profiling"},
                                Block{paragraph, "p2"}, Block{code, "estimate_memory"}, Block{table, "estimate_memory"}};
constexpr std::array kChecklist{Block{paragraph, "p1"}, Block{demo, "checklist"}};
constexpr std::array kKeyPoints{Block{bullet, "multiplier"}, Block{bullet, "seven_b"}, Block{bullet, "reductions"},
                                Block{bullet, "multi_gpu"},  Block{bullet, "spot"},    Block{bullet, "profile"}};
constexpr std::array kQuiz{Block{paragraph, "p1"}, Block{demo, "quiz"}};

constexpr std::array kChapter{Section{"intro", kIntro},
                              Section{"components", kComponents},
                              Section{"formula", kFormula},
                              Section{"precision", kPrecision},
                              Section{"worked", kWorked},
                              Section{"sizes", kSizes},
                              Section{"reductions", kReductions},
                              Section{"zero", kZero},
                              Section{"hardware", kHardware},
                              Section{"time", kTime},
                              Section{"cost", kCost},
                              Section{"profiling", kProfiling},
                              Section{"checklist", kChecklist},
                              Section{"key_points", kKeyPoints},
                              Section{"quiz", kQuiz}};

constexpr std::string_view kProfilingCode = R"(import torch

torch.cuda.reset_peak_memory_stats()
trainer.train()  # a few steps are enough
print("now :", torch.cuda.memory_allocated())
print("peak:", torch.cuda.max_memory_allocated())
print("held:", torch.cuda.max_memory_reserved())
)";

constexpr std::string_view kEstimateMemoryCode = R"(def estimate_memory(model, batch_size, seq_len, precision="bf16"):
    parameters = sum(p.numel() for p in model.parameters())
    weights = parameters * (2 if precision == "bf16" else 4)
    gradients = weights
    optimizer = parameters * 4 * 2
    activations = batch_size * seq_len * 4096 * 4
    total = weights + gradients + optimizer + activations
    return total / 1024**3  # GiB
)";

constexpr std::string_view kAccumulationCode = R"(TrainingArguments(
    per_device_train_batch_size=1,
    gradient_accumulation_steps=16,  # effective batch 16
    gradient_checkpointing=True,
    bf16=True,
    optim="adamw_8bit",
)
)";

}  // namespace

std::span<const Section> chapter() { return kChapter; }

std::string_view code(std::string_view id) {
  if (id == "profiling") return kProfilingCode;
  if (id == "estimate_memory") return kEstimateMemoryCode;
  if (id == "accumulation") return kAccumulationCode;
  return {};
}

}  // namespace gpudget::course
