# find_package(gpudget): the calculator's core as the target gpudget::core. #include "core/estimate.h", C++20.
include(${CMAKE_CURRENT_LIST_DIR}/gpudget-targets.cmake)
