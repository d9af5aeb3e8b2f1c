#include "course/quiz.h"

#include <array>

namespace gpudget::course {
namespace {

constexpr std::string_view kSevenB =
    R"({"model":{"params":"7B"},"method":"full","weights":"bf16","compute":"bf16","optim":"adamw_torch","optimizer_states":"fp32","gradient_checkpointing":"none"})";

constexpr std::array<Question, 9> kQuestions{{
    {"components", 4, 1, true, R"({"model":{"params":"7B"},"method":"full"})"},
    {"seven_b", 4, 2, true, kSevenB},
    {"accumulation", 4, 0, true, R"({"per_device_train_batch_size":1,"gradient_accumulation_steps":16})"},
    {"largest", 4, 2, false, kSevenB},
    {"checkpointing", 4, 3, false, R"({"gradient_checkpointing":"full"})"},
    {"zero", 4, 3, false, R"({"model":{"params":"7B"},"method":"full","gpus":8,"parallelism":{"data":"zero3"}})"},
    {"time", 4, 1, false, R"({"dataset":{"examples":10000,"tokens_per_example":512},"epochs":3,"throughput":1000,"gpus":1})"},
    {"spot", 4, 0, false, R"({"gpu":"a100-40gb-sxm","price":{"market":"spot","provider":"course"},"runs":5})"},
    {"gib", 4, 2, false, ""},
}};

}  // namespace

std::span<const Question> quiz() { return kQuestions; }

}  // namespace gpudget::course
