# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed: the program, which needs no other file (machine data is inside it), its manual page and completions,
# the library with its header, and what CMake and pkg-config find them by; and packages of these, by CPack.
include(CMakePackageConfigHelpers)

# Not below lib/ARCHITECTURE: CMake looks there only where a project has a language, and one with a gate need not.
set(package_folder lib/cmake/warpspan)
configure_package_config_file(cmake/package/warpspanConfig.cmake.in warpspanConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(warpspanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT warpspan NAMESPACE warpspan:: FILE warpspanTargets.cmake DESTINATION ${package_folder})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpspanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/warpspanConfigVersion.cmake
  cmake/package/warpspan_check.cmake DESTINATION ${package_folder})

# The pages, as help and messages name them (docs/gate.md), with what they link to.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)
install(DIRECTORY samples/ci samples/cmake-gate samples/rta samples/tutorial
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan/samples)
file(GLOB samples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/*.*)  # of the examples that help has
install(FILES ${samples} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan/samples)

# The program writes these itself: FOLDER below share, what it is called there, the words.
function(install_written folder name)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/share/${folder}/${name})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/share/${folder})
  add_custom_command(TARGET warpspan POST_BUILD COMMAND warpspan ${ARGN} > ${file} BYPRODUCTS ${file} VERBATIM)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()
install_written(man/man1 warpspan.1 man)
install_written(bash-completion/completions warpspan completion bash)
install_written(zsh/vendor-completions _warpspan completion zsh)
install_written(fish/vendor_completions.d warpspan.fish completion fish)

set(installed_targets warpspan)
if(TARGET shared_library)
  list(APPEND installed_targets shared_library)
endif()
install(FILES include/warpspan/warpspan.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpspan)
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# What libraries beside the library need lies there too, where a linker does not look by itself.
set(libraries ${CMAKE_INSTALL_LIBDIR}/warpspan)
set(pkgconfig_link_options "")
if(WARPSPAN_PORTABLE)
  set(pkgconfig_link_options " -Wl,-rpath-link,\${libdir}/warpspan")
  target_link_options(shared_library INTERFACE "$<INSTALL_INTERFACE:LINKER:-rpath-link,$<INSTALL_PREFIX>/${libraries}>")
endif()
configure_file(cmake/package/warpspan.pc.in warpspan.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpspan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set_target_properties(warpspan PROPERTIES EXPORT_NAME program)
# All that is installed, without the tests.
add_custom_target(installed DEPENDS ${installed_targets})

install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)

if(NOT WARPSPAN_PORTABLE)
  install(TARGETS ${installed_targets} EXPORT warpspan)
  return()
endif()

# The libraries of Debian 12 that a bare system lacks lie in a folder of their own, and are found from there (DT_RPATH, which
# holds for what they load too); each with its licence, as what is inside has. libstdc++ and libgcc are part of every system.
set_target_properties(warpspan PROPERTIES INSTALL_RPATH "$ORIGIN/../${libraries}")
set_target_properties(shared_library PROPERTIES INSTALL_RPATH "$ORIGIN/warpspan")
foreach(target warpspan shared_library)
  target_sources(${target} PRIVATE cmake/package/arc4random.cpp)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endforeach()
install(TARGETS ${installed_targets} EXPORT warpspan RUNTIME_DEPENDENCY_SET beside)
install(RUNTIME_DEPENDENCY_SET beside PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|gcc_s|stdc[+][+])[.]so" LIBRARY DESTINATION ${libraries})
foreach(package libglpk40 libamd2 libcolamd2 libsuitesparseconfig5 libltdl7 libgmp10 libxml2 libicu72 liblzma5 zlib1g libzstd1 liblz4-1
    libnettle8 libfmt9 libtomlplusplus3 llvm-19-dev nlohmann-json3-dev libcli11-dev pybind11-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright RENAME ${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan/licences)
  endif()
endforeach()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME warpspan)
set(CPACK_PACKAGE_VENDOR warpspan)
set(CPACK_PACKAGE_CONTACT "warpspan <warpspan@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "safe upper bounds on how long GPU kernels can take")
set(CPACK_PACKAGE_FILE_NAME warpspan-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.35), libgcc-s1, libstdc++6 (>= 12)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3 (>= 3.11), python3 (<< 3.12)")  # for the package that is in it
include(CPack)
