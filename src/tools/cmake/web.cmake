# The site, build/web/site: the page (src/app/web*.cpp, platform_web*.cpp and what is shared with the window), the
# JavaScript module (src/app/js_api*.cpp, no ImGui inside), and the files of web/. web/site.mjs SITE WEB BUILD assembles them.
set(site ${CMAKE_BINARY_DIR}/site)
set(small -sALLOW_MEMORY_GROWTH=1 -sFILESYSTEM=0 -sMALLOC=emmalloc -sDYNAMIC_EXECUTION=0 -sTEXTDECODER=2 -sPOLYFILL=0 -sSUPPORT_ERRNO=0 -sASSERTIONS=0)

if(NOT GPUDGET_TESTS)  # the measurements' tables are a file of the site, fetched when the Accuracy view is opened
  set_property(SOURCE src/formats/accuracy_tables.cpp APPEND PROPERTY COMPILE_DEFINITIONS GPUDGET_TABLES_LATER=1)
endif()

# Page and module in two halves each (web/split.mjs), where Binaryen's wasm-split is: it comes with Emscripten.
set(named "")
set(binaryen "")
if(NOT GPUDGET_TESTS)
  find_program(WASM_SPLIT wasm-split HINTS ${EMSCRIPTEN_ROOT_PATH}/../bin ${EMSCRIPTEN_ROOT}/../bin NO_CMAKE_FIND_ROOT_PATH)
  if(WASM_SPLIT)
    get_filename_component(binaryen ${WASM_SPLIT} DIRECTORY)
    set(named --profiling-funcs -Wl,--no-demangle)  # names to split by; no half keeps them
  else()
    message(WARNING "wasm-split is not here (binaryen): the page's program stays in one piece")
  endif()
endif()

file(GLOB page_sources CONFIGURE_DEPENDS src/app/web*.cpp src/app/platform_web*.cpp)
file(GLOB module_sources CONFIGURE_DEPENDS src/app/js_api*.cpp)
set(site_parts "")

if(page_sources AND TARGET gpudget_ui)
  add_library(imgui_web STATIC ${imgui_backend_dir}/imgui_impl_opengl3.cpp)
  target_include_directories(imgui_web SYSTEM PUBLIC ${imgui_backend_dir})
  target_link_libraries(imgui_web PUBLIC imgui)
  add_executable(gpudget-page ${page_sources} ${shared_app_sources})
  target_link_libraries(gpudget-page PRIVATE gpudget_room_flags gpudget_ui gpudget_fonts imgui_web)
  add_dependencies(gpudget-page gpudget_generated)
  target_link_options(gpudget-page PRIVATE ${small} -sENVIRONMENT=web -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sGL_TRACK_ERRORS=0
    -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0 -sTOTAL_STACK=524288 -sMODULARIZE=1 -sEXPORT_NAME=gpudgetPage
    -sEXPORTED_FUNCTIONS=_main,_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8)
  if(NOT GPUDGET_TESTS)
    # The page's own text.cpp comes before the library's: English is built in, the other languages are files of the site.
    add_library(page_texts OBJECT src/i18n/text.cpp)
    target_compile_definitions(page_texts PRIVATE GPUDGET_LANGUAGES_LATER=1)
    target_link_libraries(page_texts PRIVATE gpudget_room_flags)
    add_dependencies(page_texts gpudget_generated)
    target_sources(gpudget-page PRIVATE $<TARGET_OBJECTS:page_texts>)
    target_link_options(gpudget-page PRIVATE ${named})
  endif()
  list(APPEND site_parts gpudget-page)
endif()
if(module_sources)  # a program without JavaScript of its own: web/gpudget.js loads it
  add_executable(gpudget-core ${module_sources})
  set_target_properties(gpudget-core PROPERTIES SUFFIX .wasm)
  target_link_libraries(gpudget-core PRIVATE gpudget_room_flags gpudget_formats)
  add_dependencies(gpudget-core gpudget_generated)
  target_link_options(gpudget-core PRIVATE -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 -sFILESYSTEM=0 -sMALLOC=emmalloc -sTOTAL_STACK=1048576 --no-entry ${named})
  list(APPEND site_parts gpudget-core)
endif()

if(site_parts)
  find_program(NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  # js-yaml, which reads YAML in the page and the module: pinned in web/yaml, fetched once.
  set(yaml ${third_party}/js-yaml)
  if(NOT EXISTS ${yaml}/node_modules/js-yaml/package.json OR ${CMAKE_SOURCE_DIR}/web/yaml/package-lock.json IS_NEWER_THAN ${yaml}/package-lock.json)
    find_program(NPM npm REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    file(MAKE_DIRECTORY ${yaml})
    file(COPY ${CMAKE_SOURCE_DIR}/web/yaml/package.json ${CMAKE_SOURCE_DIR}/web/yaml/package-lock.json DESTINATION ${yaml})
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${yaml} RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "js-yaml could not be installed: see the lines above")
    endif()
    file(TOUCH ${yaml}/package-lock.json)
  endif()
  file(GLOB_RECURSE web_files CONFIGURE_DEPENDS web/*)
  list(FILTER web_files EXCLUDE REGEX "/(node_modules|docusaurus/build|\\.docusaurus)/")
  set(products "")
  foreach(part ${site_parts})
    list(APPEND products $<TARGET_FILE:${part}>)
  endforeach()
  set(scorm ${CMAKE_COMMAND} -E true)
  if(TARGET gpudget-page)
    set(scorm ${CMAKE_COMMAND} -E chdir ${CMAKE_BINARY_DIR}/scorm ${CMAKE_COMMAND} -E tar cf ${site}/gpudget-scorm.zip --format=zip imsmanifest.xml launch.html scorm.js gpudget-offline.html)
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/web/site.mjs)
    add_custom_command(OUTPUT ${site}.stamp COMMAND ${NODE} ${CMAKE_SOURCE_DIR}/web/site.mjs ${site} ${CMAKE_SOURCE_DIR}/web ${CMAKE_BINARY_DIR} ${yaml}/node_modules/js-yaml ${binaryen}
                       COMMAND ${scorm}
                       COMMAND ${CMAKE_COMMAND} -E touch ${site}.stamp DEPENDS ${web_files} ${site_parts} ${products} COMMENT "Assembling the site" VERBATIM)
    add_custom_target(site ALL DEPENDS ${site}.stamp)
  endif()
endif()
