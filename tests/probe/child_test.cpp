#include "probe/child.h"

#include <doctest/doctest.h>

#include <chrono>

#include "probe/report_json.h"

using namespace gpudget;
using namespace gpudget::probe;

TEST_CASE("a report survives its JSON, unknown sizes included") {
  Report report;
  report.driver = "550.54.15";
  report.cuda = "12.4";
  report.source = "nvml";
  report.note = "a \"note\"";
  report.context_cost = mib(400);
  Gpu gpu;
  gpu.index = 3;
  gpu.name = "A\xff name";  // not UTF-8: replaced, never an exception
  gpu.uuid = "GPU-1";
  gpu.total = gib(24);
  gpu.used_known = false;
  gpu.reserved_known = false;
  gpu.compute_major = 8;
  gpu.compute_minor = 9;
  gpu.processes.push_back({42, "python3", {}, false});
  report.gpus.push_back(gpu);
  const Report back = from_json(to_json(report));
  REQUIRE(back.gpus.size() == 1);
  CHECK(back.gpus[0].index == 3);
  CHECK(back.gpus[0].name == "A\xEF\xBF\xBD name");
  CHECK(back.gpus[0].total == gib(24));
  CHECK_FALSE(back.gpus[0].used_known);
  CHECK_FALSE(back.gpus[0].reserved_known);
  CHECK(back.gpus[0].compute_minor == 9);
  REQUIRE(back.gpus[0].processes.size() == 1);
  CHECK(back.gpus[0].processes[0].pid == 42);
  CHECK_FALSE(back.gpus[0].processes[0].used_known);
  CHECK(back.driver == report.driver);
  CHECK(back.note == report.note);
  CHECK(back.context_cost == mib(400));
  CHECK(to_json({}) == R"({"gpus":[]})");
  const Report none = read({"none", "none", "/nonexistent", "none", "none"});
  CHECK(to_json(none) == R"({"gpus":[]})");
  CHECK(from_json(to_json(none)).note_id == "probe.no_driver");
}

TEST_CASE("a child's answer is read; one that fails, hangs or talks nonsense is no answer") {
  CHECK(read_in_child({"/bin/sh", "-c", R"(printf '{"gpus": [{"name": "X", "total": 5}]}')"}, 5).gpus.at(0).total == bytes(5));
  CHECK(read_in_child({"/bin/sh", "-c", "kill -SEGV $$"}, 5).note_id == "probe.no_answer");
  CHECK(read_in_child({"/bin/sh", "-c", "echo hello"}, 5).note_id == "probe.no_answer");
  CHECK(read_in_child({"/nonexistent"}, 5).note_id == "probe.no_answer");
  CHECK(read_in_child({}, 5).note_id == "probe.no_answer");
  const auto start = std::chrono::steady_clock::now();
  CHECK(read_in_child({"/bin/sleep", "60"}, 0.2).note_id == "probe.no_answer");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}
