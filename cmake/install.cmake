# Installation and the package that find_package(leaselab) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(leaselab_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/leaselab)

# Headers keep their folder below include/leaselab, so that "sim/plan.hpp" means the same in the
# tree and in an installation.
function(leaselab_install_headers folder)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/leaselab/${folder}
    FILES_MATCHING PATTERN *.hpp PATTERN *.h
    PATTERN testdata EXCLUDE PATTERN samples EXCLUDE PATTERN node EXCLUDE PATTERN python EXCLUDE)
endfunction()

install(EXPORT leaselab NAMESPACE leaselab:: DESTINATION ${leaselab_package_dir}
  FILE leaselab-targets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/leaselab-config-version.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/leaselab-config.cmake.in
  ${PROJECT_BINARY_DIR}/leaselab-config.cmake
  INSTALL_DESTINATION ${leaselab_package_dir}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES
  ${PROJECT_BINARY_DIR}/leaselab-config.cmake
  cmake/dependencies.cmake
  ${PROJECT_BINARY_DIR}/leaselab-config-version.cmake
  DESTINATION ${leaselab_package_dir})

# What the documents speak of, at the same paths as in the tree: whoever follows them says
# LEASELAB=<prefix>/share/leaselab instead of LEASELAB=<tree>.
set(leaselab_share ${CMAKE_INSTALL_DATADIR}/leaselab)
install(DIRECTORY docs DESTINATION ${leaselab_share} FILES_MATCHING PATTERN *.md)
install(DIRECTORY scenarios DESTINATION ${leaselab_share}
  FILES_MATCHING PATTERN *.toml PATTERN README.md)
install(DIRECTORY providers/pipe/node providers/pipe/python
  DESTINATION ${leaselab_share}/providers/pipe USE_SOURCE_PERMISSIONS
  PATTERN node_modules EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN testdata EXCLUDE)
install(FILES providers/pipe/protocol.md DESTINATION ${leaselab_share}/providers/pipe)
install(DIRECTORY providers/plugin/samples DESTINATION ${leaselab_share}/providers/plugin)
install(FILES providers/plugin/lease_plugin.h DESTINATION ${leaselab_share}/providers/plugin)
install(FILES README.md LICENSE DESTINATION ${leaselab_share})
