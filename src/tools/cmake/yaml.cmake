# libyaml, for src/formats/yaml_reader.cpp. The page goes without: people bring it JSON, and the library would weigh more than the readers it serves.
if(NOT GPUDGET_WEB)
  find_path(YAML_INCLUDE yaml.h)
  find_library(YAML_LIBRARY NAMES libyaml.a yaml)
  if(YAML_INCLUDE AND YAML_LIBRARY)
    set_property(SOURCE src/formats/yaml_reader.cpp APPEND PROPERTY COMPILE_DEFINITIONS GPUDGET_YAML=1)
    target_include_directories(gpudget_formats SYSTEM PRIVATE ${YAML_INCLUDE})  # of CMake's own folders nothing is added
    target_link_libraries(gpudget_formats PUBLIC ${YAML_LIBRARY})
  else()
    message(WARNING "libyaml is not here (apt-get install libyaml-dev): YAML files will not be read")
  endif()
endif()
