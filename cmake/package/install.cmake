# What is installed: the program, which needs no other file (machine data is inside it), what CMake finds it by, its manual
# page and completions; and packages of these, by CPack.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/warpspan)
configure_package_config_file(cmake/package/warpspanConfig.cmake.in warpspanConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(warpspanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT warpspan NAMESPACE warpspan:: FILE warpspanTargets.cmake DESTINATION ${package_folder})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpspanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/warpspanConfigVersion.cmake
  cmake/package/warpspan_check.cmake DESTINATION ${package_folder})

# The pages, as help and messages name them (docs/gate.md), with what they link to.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)
install(DIRECTORY samples/ci samples/tutorial DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan/samples)

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
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpspan)

if(NOT WARPSPAN_PORTABLE)
  install(TARGETS warpspan EXPORT warpspan)
  return()
endif()

# The libraries of Debian 12 that a bare system lacks lie beside the program, and are found from there (DT_RPATH, which
# holds for what they load too); each with its licence. libstdc++ and libgcc are part of every system.
target_sources(warpspan PRIVATE cmake/package/arc4random.cpp)
target_link_options(warpspan PRIVATE -Wl,--disable-new-dtags)
set(libraries ${CMAKE_INSTALL_LIBDIR}/warpspan)
set_target_properties(warpspan PROPERTIES INSTALL_RPATH "$ORIGIN/../${libraries}")
install(TARGETS warpspan EXPORT warpspan RUNTIME_DEPENDENCY_SET beside)
install(RUNTIME_DEPENDENCY_SET beside PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|gcc_s|stdc[+][+])[.]so" LIBRARY DESTINATION ${libraries})
foreach(package libglpk40 libamd2 libcolamd2 libsuitesparseconfig5 libltdl7 libgmp10 libxml2 libicu72 liblzma5 zlib1g libzstd1 liblz4-1
    libnettle8 libfmt9 libtomlplusplus3)
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
include(CPack)
