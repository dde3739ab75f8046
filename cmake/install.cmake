# Installation and the package that find_package(leaselab) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(leaselab_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/leaselab)

# Headers keep their folder below include/leaselab, so that "sim/plan.hpp" means the same in the
# tree and in an installation.
function(leaselab_install_headers folder)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/leaselab/${folder}
    FILES_MATCHING PATTERN *.hpp PATTERN *.h PATTERN testdata EXCLUDE)
endfunction()

install(EXPORT leaselab NAMESPACE leaselab:: DESTINATION ${leaselab_package_dir}
  FILE leaselab-targets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/leaselab-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  cmake/leaselab-config.cmake
  cmake/dependencies.cmake
  ${PROJECT_BINARY_DIR}/leaselab-config-version.cmake
  DESTINATION ${leaselab_package_dir})
