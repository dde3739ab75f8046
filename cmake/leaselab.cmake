# The house functions: every library, test and benchmark of the tree is declared by one of them.

# __FILE__ and source_location name a file by its path in the tree, so that a program says nothing
# of where it was built and two trees build the same one.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_library(leaselab_warnings INTERFACE)
target_compile_options(leaselab_warnings INTERFACE
  -Wall -Wextra -Wpedantic
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  # g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<BOOL:${LEASELAB_WERROR}>:-Werror>)

# leaselab_library(<folder> [SOURCES file...] [DEPENDS target...])
# The static library leaselab_<folder>, alias leaselab::<folder>. Without sources it is an
# INTERFACE library, so that a layer may start as headers and its users need not change later.
function(leaselab_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  set(target leaselab_${folder})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(visibility PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:leaselab_warnings>)
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  add_library(leaselab::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_include_directories(${target} ${visibility}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/leaselab>)
  target_link_libraries(${target} ${visibility} ${arg_DEPENDS})
  install(TARGETS ${target} EXPORT leaselab)
  leaselab_install_headers(${folder})
endfunction()

# leaselab_test(<path> SOURCES file... [DEPENDS target...] [LABELS label...] [FIXTURES name...])
# One GoogleTest program. <path> names it: sim.scheduler is built of sim/scheduler_test.cpp, whose
# suite is `scheduler`, and CTest shows TEST(scheduler, runs_in_its_window) as
# sim.scheduler.runs_in_its_window. LABELS defaults to unit.
function(leaselab_test path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;LABELS;FIXTURES")
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  set(target test.${path})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPENDS} leaselab_warnings GTest::gtest_main)
  string(REGEX REPLACE "[^.]+$" "" prefix ${path})
  set(fixtures "")
  if(arg_FIXTURES)
    set(fixtures FIXTURES_REQUIRED "${arg_FIXTURES}")
  endif()
  # PRE_TEST: a test program that cannot start fails as a test, not as a build. NO_PRETTY_VALUES:
  # a parameter's value may be an address.
  gtest_discover_tests(${target}
    TEST_PREFIX ${prefix}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    NO_PRETTY_VALUES
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600 ${fixtures})
  if(path MATCHES "^(providers|sim|properties)\\.")
    add_dependencies(core_tests ${target})
  endif()
endfunction()

# leaselab_bench(<name> SOURCES file... [DEPENDS target...])
# One Google Benchmark program, build/bench/<name>. Its CTest entry (label bench) is a smoke run:
# it proves that every benchmark runs and measures nothing.
function(leaselab_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} leaselab_warnings benchmark::benchmark)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(program ${name})
  add_test(NAME bench.${name} COMMAND ${name} --benchmark_min_time=0.01)
  set_tests_properties(bench.${name} PROPERTIES
    LABELS bench TIMEOUT 900 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

include(GoogleTest)
