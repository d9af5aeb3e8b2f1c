# cpack runs this on the files it has laid out, before it packs them: what differs between the .deb and the portable .tar.gz.
# CPACK_TEMPORARY_DIRECTORY: the files, or one folder a component.
file(GLOB_RECURSE programs ${CPACK_TEMPORARY_DIRECTORY}/gpudget ${CPACK_TEMPORARY_DIRECTORY}/gpudget-desktop)
list(FILTER programs INCLUDE REGEX "/bin/gpudget(-desktop)?$")
if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(program ${programs})  # the distribution's libraries are found without
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  file(GLOB_RECURSE functions ${CPACK_TEMPORARY_DIRECTORY}/_gpudget)
  foreach(function ${functions})  # Debian's zsh looks elsewhere
    get_filename_component(folder ${function} DIRECTORY)
    get_filename_component(zsh ${folder} DIRECTORY)
    file(RENAME ${folder} ${zsh}/vendor-completions)
  endforeach()
else()
  foreach(program ${programs})  # brings the libraries that not every desktop has
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
    list(FILTER libraries INCLUDE REGEX "/lib(glfw|yaml)[^/]*$")
    get_filename_component(bin ${program} DIRECTORY)
    get_filename_component(prefix ${bin} DIRECTORY)
    foreach(library ${libraries})
      get_filename_component(name ${library} NAME)
      file(REAL_PATH ${library} file)
      file(MAKE_DIRECTORY ${prefix}/lib/gpudget)
      configure_file(${file} ${prefix}/lib/gpudget/${name} COPYONLY)
    endforeach()
  endforeach()
endif()
