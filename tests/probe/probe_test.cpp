#include "probe/probe.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace gpudget;
using namespace gpudget::probe;

namespace {

const std::string kFakes = GPUDGET_BINARY_DIR "/fake/";
const std::string kNvml = kFakes + "libnvidia-ml.so.1", kCuda = kFakes + "libcuda.so.1";

Report with(const char* scenario, const std::string& nvml = kNvml, const std::string& cuda = kCuda) {
  setenv("FAKE_GPU", scenario, 1);
  return read({nvml, cuda, "/nonexistent", "none", "none"});
}

}  // namespace

TEST_CASE("one GPU: name, memory that adds up, versions, capability, the process that uses it once") {
  const Report report = with("one_24g");
  CHECK(report.source == "nvml");
  CHECK(report.driver == "550.54.15");
  CHECK(report.cuda == "12.4");
  CHECK(report.note.empty());
  CHECK(report.context_cost == Bytes{});
  REQUIRE(report.gpus.size() == 1);
  const Gpu& gpu = report.gpus[0];
  CHECK(gpu.name == "NVIDIA GeForce RTX 4090");
  CHECK(gpu.uuid == "GPU-00000000-0000-0000-0000-000000000001");
  CHECK(gpu.total == gib(24));
  CHECK(gpu.used == gib(2));
  CHECK(gpu.reserved == mib(512));
  CHECK(gpu.used + gpu.free + gpu.reserved == gpu.total);
  CHECK(gpu.compute_major == 8);
  CHECK(gpu.compute_minor == 9);
  CHECK_FALSE(gpu.mig);
  REQUIRE(gpu.processes.size() == 1);  // computes and draws: told twice, listed once
  CHECK(gpu.processes[0].pid == getpid());
  CHECK(gpu.processes[0].name.substr(0, 10) == "test_probe");
  CHECK(gpu.processes[0].used == gib(1));
}

TEST_CASE("eight GPUs and none") {
  CHECK(with("eight").gpus.size() == 8);
  const Report none = with("zero_devices");
  CHECK(none.gpus.empty());
  CHECK(none.note_id == "probe.no_devices");
}

TEST_CASE("MIG: the slices, not the GPU they divide; empty places are passed over") {
  const Report report = with("mig");
  REQUIRE(report.gpus.size() == 2);
  CHECK(report.gpus[0].mig);
  CHECK(report.gpus[0].name == "NVIDIA A100-SXM4-80GB MIG 3g.40gb");
  CHECK(report.gpus[0].total == gib(40));
  CHECK(report.gpus[0].compute_major == 8);
  CHECK(report.gpus[1].uuid.substr(0, 4) == "MIG-");
  CHECK(report.gpus[1].total == gib(10));
  CHECK(report.note.empty());
}

TEST_CASE("a driver without the newer memory call, or whose newer call fails, is read by the older one") {
  for (const Report& report : {with("one_24g", kFakes + "libnvidia-ml-v1-only.so.1"), with("v2_rejects")}) {
    REQUIRE(report.gpus.size() == 1);
    CHECK(report.gpus[0].used == gib(4));
    CHECK_FALSE(report.gpus[0].reserved_known);
    CHECK(report.note.empty());
  }
}

TEST_CASE("processes whose memory the driver does not tell are unknown, not sixteen exabytes") {
  const Report report = with("wddm");
  REQUIRE(report.gpus.size() == 1);
  REQUIRE(report.gpus[0].processes.size() == 1);
  CHECK_FALSE(report.gpus[0].processes[0].used_known);
  CHECK(report.gpus[0].processes[0].used == Bytes{});
}

TEST_CASE("a list of processes that grows between two calls is read all the same") { CHECK(with("evil_counts").gpus.at(0).processes.size() >= 10); }

TEST_CASE("processes may be withheld") {
  const Report report = with("no_processes");
  REQUIRE(report.gpus.size() == 1);
  CHECK(report.gpus[0].processes.empty());
  CHECK(report.note.empty());
}

TEST_CASE("memory that changes is seen to change") {
  const Report first = with("one_24g");
  setenv("FAKE_GPU_MORE_USED_GIB", "3", 1);
  const Report second = with("one_24g");
  unsetenv("FAKE_GPU_MORE_USED_GIB");
  CHECK(second.gpus.at(0).used == first.gpus.at(0).used + gib(3));
  CHECK(second.gpus.at(0).free + gib(3) == first.gpus.at(0).free);
}

TEST_CASE("a name that the driver does not end stays within its buffer") { CHECK(with("huge_name").gpus.at(0).name == std::string(96, 'x')); }

TEST_CASE("memory shared with the computer: total from CUDA, free from the system") {
  const Report report = with("uma");
  REQUIRE(report.gpus.size() == 1);
  CHECK(report.gpus[0].shared);
  CHECK(report.gpus[0].total == gib(119));
  CHECK(report.gpus[0].free > Bytes{});
  CHECK(report.gpus[0].free <= gib(119));
}

TEST_CASE("a failing driver is told in words, without CUDA") {
  struct Case {
    const char* scenario;
    const char* id;
  };
  for (const Case& c :
       {Case{"mismatch", "probe.version_mismatch"}, Case{"not_loaded", "probe.driver_not_loaded"}, Case{"no_permission_at_all", "probe.no_permission"},
        Case{"no_permission", "probe.no_permission"}, Case{"count_fails", "probe.failed"}, Case{"memory_fails", "probe.failed"}}) {
    CAPTURE(c.scenario);
    const Report report = with(c.scenario, kNvml, "none");
    CHECK(report.gpus.empty());
    CHECK(report.note_id == c.id);
    CHECK_FALSE(report.note.empty());
    CHECK(report.note.find('{') == std::string::npos);
  }
  CHECK(with("count_fails", kNvml, "none").note == "The driver could not say: Unknown Error (999)");
}

TEST_CASE("one lost GPU does not hide the others") {
  const Report report = with("lost");
  CHECK(report.gpus.size() == 1);
  CHECK(report.note_id == "probe.lost");
  CHECK(report.note_detail == "1");
}

TEST_CASE("a driver too old: the missing function is named") {
  const Report report = with("one_24g", kFakes + "libnvidia-ml-without-init.so.1", "none");
  CHECK(report.gpus.empty());
  CHECK(report.note_id == "probe.too_old");
  CHECK(report.note_detail == "nvmlInit_v2");
}

TEST_CASE("a file that is not a library") {
  const std::string path = std::filesystem::temp_directory_path() / "gpudget-not-a-library.so.1";
  std::ofstream(path) << "not a library";
  const Report report = with("one_24g", path, "none");
  std::filesystem::remove(path);
  CHECK(report.gpus.empty());
  CHECK(report.note_id == "probe.unusable");
}

TEST_CASE("no driver at all is an answer") {
  const Report report = with("one_24g", "/nonexistent/libnvidia-ml.so.1", "/nonexistent/libcuda.so.1");
  CHECK(report.gpus.empty());
  CHECK(report.source.empty());
  CHECK(report.note_id == "probe.no_driver");
}

TEST_CASE("CUDA stands in where NVML is missing, says what its context cost, and leaves no context behind") {
  const Report report = with("two_mixed_order", "none");
  CHECK(report.source == "cuda");
  CHECK(report.cuda == "13.0");
  CHECK(report.context_cost == mib(400));
  REQUIRE(report.gpus.size() == 2);
  CHECK(report.gpus[0].total == gib(80));
  CHECK(report.gpus[0].uuid == "GPU-00000000-0000-0000-0000-000000000002");
  CHECK(report.gpus[1].free == gib(22) - mib(400));
  CHECK(report.gpus[1].compute_major == 8);
  void* library = dlopen(kCuda.c_str(), RTLD_LAZY);
  REQUIRE(library);
  CHECK(reinterpret_cast<int (*)()>(dlsym(library, "fakeContextsLeft"))() == 0);
  dlclose(library);
}

TEST_CASE("CUDA without room for a context still tells the total") {
  const Report report = with("full", "none");
  REQUIRE(report.gpus.size() == 1);
  CHECK(report.gpus[0].total == gib(24));
  CHECK_FALSE(report.gpus[0].used_known);
  CHECK(report.note == "The driver could not say: out of memory (2)");
}

TEST_CASE("CUDA's stand-in library and a driver without devices are no driver and no devices") {
  CHECK(with("stub", "none").note_id == "probe.no_driver");
  CHECK(with("cuda_no_device", "none").note_id == "probe.no_devices");
}

TEST_CASE("NVML's failure is kept as the reason when CUDA answers in its place") {
  const Report report = with("mismatch");
  CHECK(report.source == "cuda");
  CHECK(report.gpus.size() == 1);
  CHECK(report.note_id == "probe.version_mismatch");
}

TEST_CASE("AMD's cards by the files of their driver") {
  namespace fs = std::filesystem;
  const fs::path drm = fs::temp_directory_path() / ("gpudget-drm-" + std::to_string(getpid()));
  fs::create_directories(drm / "card1/device");
  std::ofstream(drm / "card1/device/mem_info_vram_total") << 17163091968LL << '\n';
  std::ofstream(drm / "card1/device/mem_info_vram_used") << 1073741824LL << '\n';
  const Report report = read({"none", "none", drm, "none", "none"});
  fs::remove_all(drm);
  CHECK(report.source == "sysfs");
  CHECK(report.note.empty());
  REQUIRE(report.gpus.size() == 1);
  CHECK(report.gpus[0].name == "AMD GPU");
  CHECK(report.gpus[0].total == bytes(17163091968LL));
  CHECK(report.gpus[0].free == bytes(17163091968LL - 1073741824LL));
}

TEST_CASE("AMD's GPUs through ROCm SMI: name, memory, the process that uses it; no NVIDIA driver is then no news") {
  const std::string rocm = kFakes + "librocm_smi64.so.1";
  const auto with_rocm = [&](const char* scenario) {
    setenv("FAKE_GPU", scenario, 1);
    return read({"/nonexistent.so", "/nonexistent.so", "/nonexistent", rocm, {}});
  };
  const Report one = with_rocm("one_24g");
  CHECK(one.source == "rocm");
  CHECK(one.note.empty());
  CHECK(one.driver == "6.8.5");
  REQUIRE(one.gpus.size() == 1);
  CHECK(one.gpus[0].name == "AMD Instinct MI300X");
  CHECK(one.gpus[0].uuid == "GPU-000000000000abc0");
  CHECK(one.gpus[0].total == gib(192));
  CHECK(one.gpus[0].free == gib(189));
  CHECK_FALSE(one.gpus[0].reserved_known);
  REQUIRE(one.gpus[0].processes.size() == 1);
  CHECK(one.gpus[0].processes[0].used == gib(1));
  const Report two = with_rocm("two_mixed_order");  // told of both together, so not known of each
  REQUIRE(two.gpus.size() == 2);
  REQUIRE(two.gpus[1].processes.size() == 1);
  CHECK_FALSE(two.gpus[1].processes[0].used_known);
  CHECK_FALSE(with_rocm("memory_fails").gpus.at(0).used_known);
  CHECK(with_rocm("huge_name").gpus.at(0).name == std::string(128, 'x'));
  CHECK(with_rocm("zero_devices").note_id == "probe.no_driver");
  CHECK(with_rocm("not_loaded").note_id == "probe.no_driver");
  CHECK(with_rocm("no_permission").note_id == "probe.no_permission");
}

TEST_CASE("Apple's unified memory: what Metal allows a program, what the kernel could give of it") {
  const auto with_metal = [&](const char* scenario) {
    setenv("FAKE_GPU", scenario, 1);
    return read({"none", "none", "/nonexistent", "none", kFakes + "libmetal.so.1"});
  };
  const Report report = with_metal("one_24g");
  CHECK(report.source == "metal");
  REQUIRE(report.gpus.size() == 1);
  CHECK(report.gpus[0].name == "Apple M2 Max");
  CHECK(report.gpus[0].shared);
  CHECK(report.gpus[0].total == gib(48));
  CHECK(report.gpus[0].free == gib(12));
  CHECK_FALSE(with_metal("memory_fails").gpus.at(0).used_known);
  CHECK(with_metal("zero_devices").note_id == "probe.no_driver");
}

TEST_CASE("reading through NVML makes no CUDA context") {
  using Count = int();
  void* library = dlopen(kCuda.c_str(), RTLD_LAZY);
  REQUIRE(library);
  Count* const made = reinterpret_cast<Count*>(dlsym(library, "fakeContextsMade"));
  const bool there = made != nullptr;
  REQUIRE(there);
  const int before = made();
  for (const char* scenario : {"one_24g", "eight", "mig", "uma", "lost", "v2_rejects"}) CHECK(with(scenario).source == "nvml");
  CHECK(made() == before);
  CHECK(with("one_24g", "none").source == "cuda");
  CHECK(made() > before);
  dlclose(library);
}
