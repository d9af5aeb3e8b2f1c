#include "catalog/catalog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/edit_distance.h"
#include "core/parameters.h"

using namespace gpudget;
using namespace gpudget::catalog;

namespace {
std::vector<std::string> found(std::string_view query, std::size_t most = 8) {
  std::vector<const ModelSpec*> out(most);
  out.resize(search_models(query, out));
  std::vector<std::string> ids;
  for (const ModelSpec* m : out) ids.emplace_back(m->id.view());
  return ids;
}
bool has(const std::vector<std::string>& ids, const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
}  // namespace

TEST_CASE("every model's parameters, counted from its shape, are the published ones within 0.1 %") {
  CHECK(models().size() >= 100);
  for (const ModelSpec& m : models()) {
    CAPTURE(std::string(m.id.view()));
    const std::int64_t counted = count_parameters(m.architecture).total;
    CHECK(std::abs(static_cast<double>(counted - m.published_parameters)) <= 0.001 * static_cast<double>(m.published_parameters));
    CHECK(m.source == ModelSpec::Source::catalog);
    CHECK(source_of(m).starts_with("https://"));
  }
}

TEST_CASE("shapes are possible ones") {
  for (const ModelSpec& m : models()) {
    CAPTURE(std::string(m.id.view()));
    const Architecture& a = m.architecture;
    CHECK(a.num_attention_heads % a.num_key_value_heads == 0);
    CHECK(a.rotary_dim <= a.head_dim);
    CHECK(a.num_experts_per_tok <= a.num_experts);
    CHECK(a.first_k_dense_replace <= a.num_hidden_layers);
    CHECK((a.num_experts == 0) == (a.moe_intermediate_size == 0));
    CHECK(count_parameters(a).active <= count_parameters(a).total);
  }
}

TEST_CASE("GPUs: dense figures, the driver's memory, a source each") {
  CHECK(gpus().size() >= 60);
  std::set<std::string> ids;
  for (const Gpu& g : gpus()) {
    CAPTURE(std::string(g.id.view()));
    CHECK(ids.insert(std::string(g.id.view())).second);
    CHECK_FALSE(g.custom);
    CHECK(g.memory.in_gib() <= static_cast<double>(label_gb(g)));
    CHECK(g.memory.in_gb() >= 0.9 * static_cast<double>(label_gb(g)));
    CHECK(g.memory_bandwidth_gb_s > 0);
    CHECK(g.supports_bf16 == (g.bf16_tflops > 0));
    CHECK(g.bf16_tflops_achievable <= g.bf16_tflops);
    CHECK(g.fp8_tflops <= 2.1 * g.bf16_tflops);
    CHECK(source_of(g).starts_with("https://"));
    CHECK_FALSE(maker_of(g).empty());
  }
  const Gpu* a100 = find_gpu("a100-80gb-sxm");
  REQUIRE(a100 != nullptr);
  CHECK(a100->bf16_tflops == 312);
  CHECK(a100->memory == mib(81050));  // 79.15 GiB, not the 80 GB of the label
  CHECK(class_of(*a100) == GpuClass::datacenter);
}

TEST_CASE("no price without a date and a source, and each for a GPU of the catalog") {
  for (const PriceRow& p : prices()) {
    CAPTURE(std::string(p.gpu));
    CHECK(find_gpu(p.gpu) != nullptr);
    CHECK(p.date.size() == 10);
    CHECK_FALSE(p.source.empty());
    CHECK((p.on_demand > UsdPerHour(0) || p.spot > UsdPerHour(0)));
  }
}

TEST_CASE("the three largest clouds have prices, and an asked provider is kept even where another is cheaper") {
  for (const char* provider : {"aws", "azure", "gcp"}) {
    CAPTURE(provider);
    REQUIRE(has_provider(provider));
    const auto dear = quote("h100-80gb-sxm", provider), cheapest = quote("h100-80gb-sxm");
    REQUIRE(dear);
    REQUIRE(cheapest);
    CHECK(dear->on_demand > cheapest->on_demand);
    CHECK(cheapest->on_demand > UsdPerHour(0));
  }
  const auto spot = quote("h200-sxm", "aws", Market::spot);
  REQUIRE(spot);
  CHECK(spot->on_demand == UsdPerHour(7.912));  // 63.296 / 8
  CHECK(spot->spot == UsdPerHour(3.3999));
}

TEST_CASE("the course's five prices") {
  struct Row {
    const char* gpu;
    double on_demand, spot;
  };
  for (const Row& r :
       {Row{"t4", 0.5, 0.15}, Row{"a10g", 1.5, 0.45}, Row{"a100-40gb-sxm", 4, 1.2}, Row{"a100-80gb-sxm", 6, 1.8}, Row{"h100-80gb-sxm", 8, 2.4}}) {
    CAPTURE(r.gpu);
    const auto q = quote(r.gpu, "course");
    REQUIRE(q);
    CHECK(q->on_demand == UsdPerHour(r.on_demand));
    CHECK(q->spot == UsdPerHour(r.spot));
  }
  CHECK_FALSE(quote("rtx-2070", "course"));
  CHECK_FALSE(quote("no-such-gpu"));
  REQUIRE_FALSE(providers().empty());
  CHECK(providers().front() == "course");
  CHECK(has_provider("Course"));
  CHECK_FALSE(has_provider("nobody"));
}

TEST_CASE("without a provider the cheapest in the market asked for, the course only where nobody else has a price") {
  for (const Gpu& g : gpus()) {
    for (const Market market : {Market::on_demand, Market::spot}) {
      const auto price = [&](UsdPerHour on_demand, UsdPerHour spot) { return market == Market::spot ? spot : on_demand; };
      UsdPerHour least(0);
      for (std::string_view p : providers()) {
        const auto q = quote(g.id.view(), p);
        if (p == "course" || !q) continue;
        const UsdPerHour this_price = price(q->on_demand, q->spot);
        if (this_price > UsdPerHour(0) && (least == UsdPerHour(0) || this_price < least)) least = this_price;
      }
      const auto chosen = quote(g.id.view(), {}, market);
      CAPTURE(std::string(g.id.view()));
      if (least > UsdPerHour(0)) {
        REQUIRE(chosen);
        CHECK(price(chosen->on_demand, chosen->spot) == least);
        CHECK(chosen->provider.view() != "course");
      } else if (quote(g.id.view(), "course")) {
        REQUIRE(chosen);
        CHECK(chosen->provider.view() == "course");
      }
    }
  }
}

TEST_CASE("an id is found whatever its case, and the nearest is offered for a slip") {
  REQUIRE(find_model("META-LLAMA/llama-3.1-8b") != nullptr);
  CHECK(find_model("meta-llama/Llama-3.1-9B") == nullptr);
  CHECK(nearest_model("meta-llama/Llama-3.1-8") == "meta-llama/Llama-3.1-8B");
  CHECK(nearest_model("Llama-3.1-8B") == "meta-llama/Llama-3.1-8B");
  CHECK(nearest_gpu("a100-80gb-smx") == "a100-80gb-sxm");
  CHECK(nearest_gpu("A100_80GB_SXM") == "a100-80gb-sxm");
  CHECK(nearest_provider("coarse") == "course");
  CHECK(nearest_gpu("quantum computer of the future").empty());
  CHECK(nearest_model(std::string(100'000, 'x')).empty());
}

TEST_CASE("a search finds by words and by size, best first") {
  const auto qwen = found("qwen 7");
  REQUIRE_FALSE(qwen.empty());
  CHECK(has(qwen, "Qwen/Qwen2.5-7B"));
  CHECK(found("qwen2.5 7b").front() == "Qwen/Qwen2.5-7B");
  CHECK(found("llama 3.1 8b").front() == "meta-llama/Llama-3.1-8B");
  CHECK(found("llama3.1 8b instruct").front() == "meta-llama/Llama-3.1-8B-Instruct");
  CHECK(has(found("gpt2"), "openai-community/gpt2"));
  CHECK(found("smollm 135m").front() == "HuggingFaceTB/SmolLM2-135M");
  CHECK(found("nothing like this").empty());
  CHECK(found("", 1000).size() == models().size());
  CHECK_FALSE(has(found("qwen2.5 7b"), "Qwen/Qwen2.5-72B"));

  std::array<const Gpu*, 4> out{};
  REQUIRE(search_gpus("4090", out) == 1);
  CHECK(out[0]->id.view() == "rtx-4090");
}

TEST_CASE("edit distance counts slips of the hand") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("max_lenght", "max_length") == 1);  // a swap
  CHECK(edit_distance("Q-LoRA", "q_lora") == 0);
  CHECK(plausible("batch_size", "per_device_train_batch_size"));
  CHECK_FALSE(plausible("colour", "optim"));
}
