# SPDX-License-Identifier: GPL-3.0-or-later
# Gates of kernels by budget, in the build and as tests. docs/ci.md has examples.
#
#   warpspan_check(NAME <name> | TARGET <target>
#                  BUDGETS <file>
#                  [FILES <file>...]             # inputs beside those that the budgets file names
#                  [COMPILE_OPTIONS <option>...] # for the compilation of TARGET's sources to PTX
#                  [OPTIONS <option>...]         # further options of 'warpspan check'
#                  [BUILD_ONLY | TEST_ONLY])
#
# TARGET: its CUDA sources are compiled to PTX as they are for the target, once for each of its CUDA_ARCHITECTURES, with
# its definitions, include folders and options, and with line tables; a target whose objects are PTX already
# (CUDA_PTX_COMPILATION) is taken as it is. NAME is the target's name unless given.
#
# In the build, the custom target <name>-budgets, part of ALL, fails where a budget does not hold. It runs again when the
# PTX, the budgets or any other file that the last run has read changes. As a test, warpspan.<name> runs the same gate. The
# target <name>-budgets-update, which nothing builds by itself, writes today's values into BUDGETS.
include_guard(GLOBAL)

function(warpspan_check)
  cmake_parse_arguments(PARSE_ARGV 0 gate "BUILD_ONLY;TEST_ONLY" "NAME;TARGET;BUDGETS" "FILES;COMPILE_OPTIONS;OPTIONS")
  if(gate_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpspan_check: unknown argument '${gate_UNPARSED_ARGUMENTS}'")
  endif()
  if(gate_BUILD_ONLY AND gate_TEST_ONLY)
    message(FATAL_ERROR "warpspan_check: give BUILD_ONLY or TEST_ONLY, not both")
  endif()
  if(NOT gate_BUDGETS)
    message(FATAL_ERROR "warpspan_check: give BUDGETS <file>")
  endif()
  if(NOT gate_NAME)
    if(NOT gate_TARGET)
      message(FATAL_ERROR "warpspan_check: give NAME <name> or TARGET <target>")
    endif()
    set(gate_NAME ${gate_TARGET})
  endif()
  get_filename_component(budgets ${gate_BUDGETS} ABSOLUTE)
  if(NOT EXISTS ${budgets})
    message(FATAL_ERROR "warpspan_check: there is no budgets file '${budgets}'. Make one with your launches, such as\n"
      "  [[budget]]\n  kernel = \"*\"\n  block = 256\n  grid = 64\n  max = \"1 s\"\n"
      "Then the target ${gate_NAME}-budgets-update writes today's bounds into it.")
  endif()

  set(files)
  set(compiled_targets)
  foreach(file IN LISTS gate_FILES)
    if(NOT file MATCHES "^\\$<")
      get_filename_component(file ${file} ABSOLUTE)
    endif()
    list(APPEND files ${file})
  endforeach()
  if(gate_TARGET)
    _warpspan_ptx_of(${gate_NAME} ${gate_TARGET} "${gate_COMPILE_OPTIONS}" compiled)
    list(APPEND files ${compiled})
  endif()

  set(command $<TARGET_FILE:warpspan::program> check ${files} --budgets ${budgets} ${gate_OPTIONS})
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${gate_NAME}-budgets.stamp)
  if(NOT gate_TEST_ONLY)
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${command} --stamp ${stamp} --depfile ${stamp}.d
      DEPENDS ${files} ${budgets} warpspan::program
      DEPFILE ${stamp}.d
      COMMENT "Checking the budgets of ${gate_NAME}"
      COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${gate_NAME}-budgets ALL DEPENDS ${stamp})
  endif()
  add_custom_target(${gate_NAME}-budgets-update COMMAND ${command} --update DEPENDS ${files} COMMAND_EXPAND_LISTS VERBATIM)
  foreach(target ${gate_NAME}-budgets ${gate_NAME}-budgets-update)  # makefiles take no targets from TARGET_OBJECTS
    if(TARGET ${target} AND compiled_targets)
      add_dependencies(${target} ${compiled_targets})
    endif()
  endforeach()
  if(NOT gate_BUILD_ONLY)
    if(gate_TEST_ONLY AND files)
      add_custom_target(${gate_NAME}-inputs ALL DEPENDS ${files})
    endif()
    add_test(NAME warpspan.${gate_NAME} COMMAND ${command} COMMAND_EXPAND_LISTS)
  endif()
endfunction()

# The PTX of a target's CUDA sources: objects of a library for each architecture, with the target's properties. RESULT_targets
# are those libraries.
function(_warpspan_ptx_of name target options result)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "warpspan_check: there is no target '${target}'")
  endif()
  get_target_property(is_ptx ${target} CUDA_PTX_COMPILATION)
  if(is_ptx)
    set(${result} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
    set(${result}_targets ${target} PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "warpspan_check: TARGET ${target} needs the language CUDA; enable it, or give FILES with PTX")
  endif()

  get_target_property(all_sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(sources)
  foreach(source IN LISTS all_sources)
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
    get_source_file_property(language ${path} TARGET_DIRECTORY ${target} LANGUAGE)
    if(path MATCHES "\\.cu$" OR language STREQUAL CUDA)
      list(APPEND sources ${path})
    endif()
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "warpspan_check: ${target} has no CUDA source")
  endif()

  set(objects)
  set(libraries)
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  list(TRANSFORM architectures REPLACE "-(real|virtual)$" "")
  list(REMOVE_DUPLICATES architectures)
  foreach(architecture IN LISTS architectures)
    if(NOT architecture MATCHES "^[0-9]+[a-z]?$")
      message(FATAL_ERROR
        "warpspan_check: set CUDA_ARCHITECTURES of ${target} to numbers, such as 80; '${architecture}' is none")
    endif()
    set(library ${name}-sm_${architecture})
    add_library(${library} OBJECT ${sources})
    set_target_properties(${library} PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES ${architecture})
    foreach(property IN ITEMS CUDA_STANDARD CUDA_STANDARD_REQUIRED CUDA_EXTENSIONS CUDA_SEPARABLE_COMPILATION)
      get_target_property(value ${target} ${property})
      if(NOT value STREQUAL "value-NOTFOUND")
        set_property(TARGET ${library} PROPERTY ${property} ${value})
      endif()
    endforeach()
    target_include_directories(${library} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${library} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    target_compile_options(${library} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>
      $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-lineinfo> $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-gline-tables-only> ${options})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
    list(APPEND libraries ${library})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
  set(${result}_targets ${libraries} PARENT_SCOPE)
endfunction()
