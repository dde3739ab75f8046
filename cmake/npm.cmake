# Tests that need packages of npm. Nobody has to have Node: where it is missing they say so and skip,
# and `./leaselab test` leaves their labels out. The packages go into the build tree.

find_program(LEASELAB_NODE node)
find_program(LEASELAB_NPM npm)

# leaselab_npm_packages(<name> FOLDER folder LABEL label)
# What <folder>/package-lock.json pins, installed into build/npm/<name>/node_modules by the CTest
# fixture npm_<name>, once for each lock file.
function(leaselab_npm_packages name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;LABEL" "")
  set(install npm.${name}.install)
  add_test(NAME ${install} COMMAND ${CMAKE_COMMAND}
    -D NPM=${LEASELAB_NPM}
    -D FROM=${arg_FOLDER}
    -D TO=${PROJECT_BINARY_DIR}/npm/${name}
    -P ${PROJECT_SOURCE_DIR}/cmake/npm_install.cmake)
  set_tests_properties(${install} PROPERTIES
    LABELS ${arg_LABEL} FIXTURES_SETUP npm_${name} TIMEOUT 1200)
endfunction()

# leaselab_npm_test(<path> PACKAGES name LABEL label SOURCES file... [DEPENDS target...])
# A leaselab_test over those packages. It finds node as LEASELAB_NODE, empty where it has to skip,
# and the packages as LEASELAB_NODE_MODULES.
function(leaselab_npm_test path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGES;LABEL" "SOURCES;DEPENDS")
  leaselab_test(${path} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS} LABELS ${arg_LABEL}
    FIXTURES npm_${arg_PACKAGES})
  if(NOT TARGET test.${path})
    return()
  endif()
  set(node "")
  if(LEASELAB_NODE AND LEASELAB_NPM)
    set(node ${LEASELAB_NODE})
  endif()
  target_compile_definitions(test.${path} PRIVATE
    LEASELAB_NODE="${node}"
    LEASELAB_NODE_MODULES="${PROJECT_BINARY_DIR}/npm/${arg_PACKAGES}/node_modules")
endfunction()
