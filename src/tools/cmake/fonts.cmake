# gpudget_fonts: Inter regular and semibold, subset, as arrays (app/fonts.h). Needs fonts-inter and fontTools, or -DGPUDGET_INTER_DIR with Inter-Regular.otf and
# Inter-SemiBold.otf and a Python that has fontTools.
find_path(GPUDGET_INTER_DIR Inter-SemiBold.otf PATHS /usr/share/fonts/opentype/inter /usr/local/share/fonts NO_CMAKE_FIND_ROOT_PATH)
foreach(python /usr/bin/python3 python3)  # Debian's own first: the fontTools package is for that one
  execute_process(COMMAND ${python} -c "import fontTools" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(font_python ${python})
    break()
  endif()
endforeach()
if(NOT GPUDGET_INTER_DIR OR NOT font_python)
  message(FATAL_ERROR "The font Inter or Python's fontTools is not here: apt-get install fonts-inter fonttools, or pip install fonttools and -DGPUDGET_INTER_DIR=…")
endif()
add_custom_command(OUTPUT ${generated}/app/fonts.cpp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}/app
  COMMAND ${font_python} ${CMAKE_SOURCE_DIR}/src/tools/subset_font.py ${generated}/app/fonts.cpp
          inter_regular=${GPUDGET_INTER_DIR}/Inter-Regular.otf inter_semibold=${GPUDGET_INTER_DIR}/Inter-SemiBold.otf
  DEPENDS src/tools/subset_font.py COMMENT "Subsetting Inter" VERBATIM)
add_library(gpudget_fonts STATIC ${generated}/app/fonts.cpp)
target_link_libraries(gpudget_fonts PRIVATE gpudget_room_flags)
