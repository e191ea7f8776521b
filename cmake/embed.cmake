# SPDX-License-Identifier: GPL-3.0-or-later
# embed_files(<out variable> <namespace> <array> <file>...): a source file that holds the given text files as
#   namespace { extern const EmbeddedFile array[]; extern const size_t array_count; }
# in the order of their names. Rewritten when one of them changes.
function(embed_files out namespace array)
  set(body "#include <cstddef>\n#include <string_view>\n\n#include \"support/embedded_file.hpp\"\n\nnamespace ${namespace} {\n")
  string(APPEND body "#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // what clang says of long files\n")
  string(APPEND body "extern const support::EmbeddedFile ${array}[];\nextern const size_t ${array}_count;\n")
  string(APPEND body "const support::EmbeddedFile ${array}[] = {\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND body "{\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  string(APPEND body "{\"\", \"\"}};\nconst size_t ${array}_count = sizeof ${array} / sizeof ${array}[0] - 1;\n}\n")
  set(path ${PROJECT_BINARY_DIR}/${array}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "${body}" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
