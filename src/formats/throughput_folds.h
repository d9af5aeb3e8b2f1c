// Constants of core/step_time.h fitted without any row of the model named: made by tests/fit/fit_throughput.cpp, not to be edited.
#pragma once
#include <array>
#include <string_view>

#include "core/step_time.h"

namespace gpudget::formats {

inline constexpr std::array<double StepConstants::*, 21> kFittedConstants{
    &StepConstants::matmul_ampere,  &StepConstants::matmul_hopper,        &StepConstants::half_width,         &StepConstants::half_tokens,
    &StepConstants::attention_rate, &StepConstants::attention_hopper,     &StepConstants::head_dim_half,      &StepConstants::traffic,
    &StepConstants::fused_traffic,  &StepConstants::kbit_traffic,         &StepConstants::dequantize,         &StepConstants::adapter_traffic,
    &StepConstants::launch_seconds, &StepConstants::adapter_launches,     &StepConstants::quantized_launches, &StepConstants::link,
    &StepConstants::network,        &StepConstants::hidden_communication, &StepConstants::never_hidden,       &StepConstants::fp8,
    &StepConstants::step_seconds,
};
struct ThroughputFold {
  std::string_view model;
  std::array<double, kFittedConstants.size()> values;
};
inline constexpr std::array<ThroughputFold, 14> kThroughputFolds{{
    {"bigcode/gpt_bigcode-santacoder", {0.9531, 0.7934,    152.2, 569.4, 0.4531, 0.2591, 20.32, 1.569,  0.4027, 2.058,  2.484,
                                        6.963,  1.059e-05, 61.59, 30.31, 0.5714, 0.4819, 0.8,   0.2288, 0.7429, 0.01085}},
    {"mistralai/Mistral-7B-v0.1", {0.9393, 0.7874,   163.8, 679.4, 0.4506, 0.2572, 19.41, 1.446,  0.4104, 2.058,  2.401,
                                   6.6,    2.41e-05, 103.7, 35.58, 0.6008, 0.5202, 0.8,   0.2016, 0.7368, 0.01285}},
    {"mistralai/Mixtral-8x7B-Instruct-v0.1", {0.9374, 0.7789,    167.3, 404.6, 0.4516, 0.2587, 20.02, 1.42,   0.3863, 2.098,  2.475,
                                              6.755,  2.445e-05, 104.2, 35.89, 0.5746, 0.4673, 0.8,   0.2346, 0.7358, 0.01311}},
    {"ibm/PowerLM-3b", {0.9561, 0.7966,    172.2, 697.2, 0.4524, 0.2585, 20.2, 1.489,  0.4241, 2,      2.418,
                        6.688,  2.405e-05, 103.9, 35.56, 0.5877, 0.5085, 0.8,  0.2108, 0.7387, 0.01278}},
    {"meta-llama/Meta-Llama-3-8B", {0.9613, 0.7995,    174.3, 782.7, 0.4483, 0.2565, 19.22, 1.481,  0.3714, 2.026,  2.615,
                                    6.836,  2.439e-05, 102.8, 35.86, 0.6089, 0.5152, 0.8,   0.2008, 0.7383, 0.01313}},
    {"mosaicml/mpt-13b", {0.9314, 0.7521,    159.9, 466.6, 0.4479, 0.2578, 19.57, 1.393,  0.381,  2.11,   2.445,
                          7.091,  2.459e-05, 104.6, 35.4,  0.6456, 0.5477, 0.8,   0.1782, 0.7521, 0.01244}},
    {"mosaicml/mpt-3b", {0.9562, 0.8049,    168.8, 711.6, 0.4549, 0.2553, 20.07, 1.48,   0.4043, 2.032,  2.44,
                         6.997,  2.421e-05, 104,   35.49, 0.5818, 0.5144, 0.8,   0.2105, 0.7308, 0.01282}},
    {"mosaicml/mpt-1b", {0.9522, 0.7966,    168.9, 692.7, 0.4502, 0.2604, 19.61, 1.465,  0.3947, 2.042,  2.444,
                         6.954,  2.421e-05, 103.9, 35.51, 0.5821, 0.5103, 0.8,   0.2121, 0.7183, 0.01257}},
    {"mosaicml/mpt-760m", {0.9518, 0.7904,    160.3, 767.6, 0.467, 0.2641, 21.93, 1.404,  0.4142, 2.11,   2.446,
                           7.196,  2.431e-05, 103.9, 35.47, 0.596, 0.522,  0.8,   0.2025, 0.7266, 0.01307}},
    {"mosaicml/mpt-70b", {0.951, 0.7892,    168.2, 627.7, 0.4508, 0.2582, 19.76, 1.475,  0.3984, 2.036, 2.45,
                          6.912, 2.421e-05, 103.8, 35.51, 0.5791, 0.5278, 0.8,   0.2061, 0.7386, 0.0128}},
    {"mosaicml/mpt-30b", {0.9453, 0.7922,    170.2, 815.9, 0.4549, 0.2582, 20.28, 1.406,  0.3771, 2.087,  2.452,
                          6.914,  2.398e-05, 103.8, 35.62, 0.5747, 0.5356, 0.8,   0.2047, 0.7336, 0.01263}},
    {"mosaicml/mpt-7b", {0.9437, 0.7889,    166.8, 653.7, 0.4514, 0.2577, 19.7, 1.451,  0.3817, 2.049,  2.444,
                         6.942,  2.425e-05, 103.8, 35.49, 0.5885, 0.5111, 0.8,  0.2095, 0.737,  0.01281}},
    {"mosaicml/mpt-350m", {0.9515, 0.7922,    170.5, 667.6, 0.4508, 0.2591, 20.46, 1.467,  0.392,  2.036,  2.447,
                           6.901,  2.416e-05, 103.9, 35.52, 0.5862, 0.5103, 0.8,   0.2106, 0.7373, 0.01271}},
    {"mosaicml/mpt-125m", {0.9626, 0.8079,    201,   679.6, 0.452, 0.2603, 21.03, 1.514,  0.3886, 1.981,  2.436,
                           6.829,  2.401e-05, 103.7, 35.48, 0.579, 0.5008, 0.8,   0.2173, 0.7406, 0.01346}},
}};

}  // namespace gpudget::formats
