// Answers of the text version: the same figures as the calls that they stand for, in the reader's language, errors that name the argument.
#include "formats/text_version.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/limit.h"
#include "formats/course_quiz.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/url_state.h"

using namespace gpudget;
using i18n::Language;
using nlohmann::json;

namespace {
using std::string;
json ask(std::string_view what, std::string_view argument, Language language = Language::en, const Scenario& s = formats::default_scenario()) {
  const auto answer = formats::answer_text_version(what, argument, s, language, "https://example.org/gpudget/");
  REQUIRE(answer);
  return json::parse(*answer);
}
}  // namespace

TEST_CASE("the largest batch is limit's own, with the change that sets it") {
  const auto qlora = formats::read_scenario(R"({"method": "qlora"})", formats::default_scenario());
  REQUIRE(qlora);
  const json answer = ask("limit", "per_device_train_batch_size", Language::en, *qlora);
  const auto largest = limit(*qlora, LimitOf::per_device_train_batch_size);
  REQUIRE(largest);
  CHECK(answer["value"] == largest->value);
  CHECK(answer["scenario_patch"]["per_device_train_batch_size"] == largest->value);
  CHECK(answer["scenario_patch"].size() == 1);
}

TEST_CASE("ways carry scenarios that can be set, and words in the language; a deadline that nothing meets says what came nearest") {
  const json answer = ask("plan", R"({"budget": 500, "methods": "any"})", Language::fr);
  REQUIRE(answer["rows"].size() > 0);
  for (const json& row : answer["rows"]) {
    CHECK(formats::read_scenario(row["scenario"].dump(), formats::default_scenario()));
    CHECK(row["cost"].get<string>().find("$US") != std::string::npos);
  }
  CHECK(answer["nothing"].is_null());
  const auto own = formats::read_scenario(
      R"({"gpu": {"name": "Mine", "memory_gib": 96, "bf16_tflops": 200, "memory_bandwidth_gb_s": 1000}, "price": {"usd_per_gpu_hour": 1}})",
      formats::default_scenario());
  REQUIRE(own);
  const json here = ask("plan_here", "{}", Language::en, *own);
  REQUIRE(here["rows"].size() > 0);  // a GPU that no catalog has
  for (const json& row : here["rows"]) CHECK(row["scenario"]["gpu"]["name"] == "Mine");
  const json nothing = ask("plan", R"({"deadline": 1, "max_gpus": 1})");
  CHECK(nothing["rows"].empty());
  CHECK(nothing["nothing"].get<string>().find("Nothing satisfies all of this.") == 0);
}

TEST_CASE("configurations, reports and links are there to take away") {
  CHECK(json::parse(ask("export", "deepspeed")["text"].get<string>())["train_micro_batch_size_per_gpu"] == 1);
  for (const std::string_view kind : {"markdown", "csv", "json", "html"}) CHECK(ask("report", kind)["text"].get<string>().size() > 200);
  const std::string link = ask("link", "")["link"];
  CHECK(link.substr(0, 32) == "https://example.org/gpudget/#s=1");
  CHECK(formats::read_url_state(link.substr(31)));
}

TEST_CASE("the chapter comes whole: every table with its cells, every question of the quiz") {
  for (const Language language : {Language::en, Language::pt, Language::fr}) {
    std::size_t tables = 0, questions = 0;
    const json chapter = ask("learn", "", language);
    for (const json& section : chapter["sections"]) {
      CHECK(section["title"].get<string>().find("learn.") == std::string::npos);
      for (const json& block : section["blocks"]) {
        if (block["kind"] == "quiz") questions += block["questions"].size();
        if (block["kind"] != "table") continue;
        ++tables;
        for (const json& row : block["rows"]) CHECK(row.size() == block["columns"].size());
      }
    }
    CHECK(tables >= 8);
    CHECK(questions == formats::quiz_questions(language).size());
  }
}

TEST_CASE("a wrong question is an error that names its argument") {
  const Scenario s = formats::default_scenario();
  const auto path = [&](std::string_view what, std::string_view argument) {
    const auto answer = formats::answer_text_version(what, argument, s, Language::en, "");
    return answer ? std::string("no error") : answer.error().path;
  };
  CHECK(path("limt", "") == "ask");
  CHECK(path("limit", "max_lenght") == "of");
  CHECK(path("limit", "lora.r") == "of");
  CHECK(path("export", "deepsped") == "to");
  CHECK(path("report", "pdf") == "to");
  CHECK(path("plan", R"({"deadline": "soon"})") == "deadline");
}
