// Constants of core/step_time.h fitted without any row of the model named: made by tests/fit/fit_throughput.cpp, not to be edited.
#pragma once
#include <array>
#include <string_view>

#include "core/step_time.h"

namespace gpudget::formats {

inline constexpr std::array<double StepConstants::*, 18> kFittedConstants{
    &StepConstants::matmul_ampere,
    &StepConstants::matmul_hopper,
    &StepConstants::half_width,
    &StepConstants::half_tokens,
    &StepConstants::attention_rate,
    &StepConstants::attention_hopper,
    &StepConstants::head_dim_half,
    &StepConstants::traffic,
    &StepConstants::fused_traffic,
    &StepConstants::kbit_traffic,
    &StepConstants::dequantize,
    &StepConstants::adapter_traffic,
    &StepConstants::link,
    &StepConstants::network,
    &StepConstants::hidden_communication,
    &StepConstants::never_hidden,
    &StepConstants::fp8,
    &StepConstants::step_seconds,
};
struct ThroughputFold {
  std::string_view model;
  std::array<double, kFittedConstants.size()> values;
};
inline constexpr std::array<ThroughputFold, 14> kThroughputFolds{{
    {"bigcode/gpt_bigcode-santacoder",
     {0.9529, 0.7931, 152.3, 568.2, 0.4531, 0.2591, 20.31, 1.568, 0.4021, 2.057, 2.48, 6.953, 0.5712, 0.4818, 0.8, 0.2289, 0.7429, 0.01085}},
    {"mistralai/Mistral-7B-v0.1",
     {0.9537, 0.8028, 167.3, 879.1, 0.4483, 0.2563, 19.01, 1.497, 0.4346, 2.056, 2.963, 8.024, 0.6388, 0.5493, 0.8, 0.1795, 0.7353, 0.01717}},
    {"mistralai/Mixtral-8x7B-Instruct-v0.1",
     {0.9476, 0.7911, 166.6, 529.5, 0.4499, 0.2581, 19.66, 1.483, 0.4081, 2.087, 3.078, 8.396, 0.6, 0.4875, 0.8, 0.2154, 0.7353, 0.01796}},
    {"ibm/PowerLM-3b", {0.9696, 0.8107, 175.5, 887.3, 0.45, 0.2576, 19.72, 1.542, 0.4398, 2, 2.903, 8.066, 0.6276, 0.5368, 0.8, 0.187, 0.7377, 0.01675}},
    {"meta-llama/Meta-Llama-3-8B",
     {0.9734, 0.8125, 177.3, 971.8, 0.4451, 0.2552, 18.62, 1.508, 0.4159, 2.021, 3.599, 9.163, 0.6489, 0.5462, 0.8, 0.1778, 0.7355, 0.01847}},
    {"mosaicml/mpt-13b", {0.9486, 0.7697, 164.3, 661.4, 0.4454, 0.2569, 19.13, 1.454, 0.4082, 2.089, 3.089, 9.227, 0.66, 0.5608, 0.8, 0.1702, 0.751, 0.01697}},
    {"mosaicml/mpt-3b", {0.9719, 0.8202, 174.1, 926.2, 0.4524, 0.2545, 19.66, 1.523, 0.4265, 2.03, 3.048, 8.875, 0.6274, 0.5448, 0.8, 0.1843, 0.7301, 0.01732}},
    {"mosaicml/mpt-1b", {0.9677, 0.811, 174.6, 906.3, 0.4479, 0.2596, 19.23, 1.511, 0.4174, 2.039, 3.033, 8.712, 0.6266, 0.5411, 0.8, 0.1858, 0.7165, 0.0165}},
    {"mosaicml/mpt-760m", {0.9671, 0.8056, 165.3, 970.7, 0.4632, 0.2627, 21.3, 1.448, 0.435, 2.101, 3.069, 9.296, 0.6358, 0.5506, 0.8, 0.18, 0.7248, 0.01812}},
    {"mosaicml/mpt-70b",
     {0.9666, 0.8052, 173.2, 841.6, 0.4487, 0.2574, 19.4, 1.525, 0.4214, 2.033, 3.003, 8.536, 0.6205, 0.5526, 0.8, 0.1837, 0.7369, 0.01671}},
    {"mosaicml/mpt-30b", {0.9593, 0.8064, 175.4, 1014, 0.4527, 0.2574, 19.93, 1.45, 0.3979, 2.086, 3.016, 8.539, 0.6152, 0.5607, 0.8, 0.1827, 0.7319, 0.01615}},
    {"mosaicml/mpt-7b", {0.9609, 0.8047, 172.6, 866.8, 0.4491, 0.2569, 19.32, 1.5, 0.4085, 2.046, 3.037, 8.712, 0.6296, 0.5413, 0.8, 0.1849, 0.7353, 0.01712}},
    {"mosaicml/mpt-350m",
     {0.9668, 0.8072, 176.1, 874.4, 0.4485, 0.2583, 20.1, 1.515, 0.4148, 2.034, 3.009, 8.53, 0.6275, 0.5396, 0.8, 0.1861, 0.7359, 0.01657}},
    {"mosaicml/mpt-125m", {0.9793, 0.8258, 215.5, 879.5, 0.4503, 0.26, 20.86, 1.555, 0.4086, 1.98, 3.012, 8.45, 0.6236, 0.5296, 0.8, 0.1907, 0.7385, 0.01914}},
}};

}  // namespace gpudget::formats
