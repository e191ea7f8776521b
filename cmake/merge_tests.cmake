# SPDX-License-Identifier: GPL-3.0-or-later
# merge_tests(<out variable> <program> <file>...): sources that hold eight of the given files each, every file in a namespace of its own
# after the headers of all. What tests instantiate of the test framework and of containers is then compiled once for eight,
# which halves the time of the build. So a file of tests opens no namespace but unnamed ones.
function(merge_tests out program)
  set(merged)
  while(ARGN)
    list(SUBLIST ARGN 0 8 files)
    list(REMOVE_ITEM ARGN ${files})
    set(headers)
    set(body)
    foreach(file IN LISTS files)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(STRINGS ${file} included REGEX "^#include .*[^f][>\"]")  # lists in .def files stay where they are
      list(APPEND headers ${included})
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
      string(MAKE_C_IDENTIFIER ${path} name)
      string(APPEND body "namespace ${name} {\n#include \"${path}\"\n}\n")
    endforeach()
    list(REMOVE_DUPLICATES headers)
    list(JOIN headers "\n" headers)
    set(source ${PROJECT_BINARY_DIR}/tests/merged/${program}/to_${name}.cpp)  # the last one
    file(CONFIGURE OUTPUT ${source} CONTENT "${headers}\n${body}" @ONLY)
    list(APPEND merged ${source})
  endwhile()
  set(${out} ${merged} PARENT_SCOPE)
endfunction()
