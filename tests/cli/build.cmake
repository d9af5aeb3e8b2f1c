# round_trips, beside gpudget: what test_python_exports_lose_nothing talks to.
if(NOT GPUDGET_WEB AND NOT GPUDGET_SANITIZE)
  add_executable(round_trips tests/cli/round_trips.cpp)
  target_link_libraries(round_trips PRIVATE gpudget_flags ${plain_rooms})
  add_dependencies(round_trips gpudget_generated)
endif()
