#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "formats/schema.h"

using namespace gpudget;

TEST_CASE("the fuzzers' dictionaries know every field and every name of the schema (else: node tests/fuzz/dictionary.mjs)") {
  for (const char* name : {"scenario", "set"}) {
    const std::ifstream file(std::string(GPUDGET_SOURCE_DIR) + "/tests/fuzz/" + name + ".dict");
    std::stringstream text;
    text << file.rdbuf();
    REQUIRE_FALSE(text.str().empty());
    for (const formats::Field& f : formats::fields()) {
      CHECK_MESSAGE(text.str().find("\"" + std::string(f.path) + "\"\n") != std::string::npos, std::string(f.path));
      for (const std::string_view choice : f.choices)
        CHECK_MESSAGE(text.str().find("\"" + std::string(choice) + "\"\n") != std::string::npos, std::string(choice));
    }
  }
}
