# What the libraries link. Read by the build and by the installed package alike, so that the two
# cannot disagree.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.81 COMPONENTS context)
find_dependency(ZLIB)
find_dependency(fmt)
find_dependency(CLI11)
find_dependency(rapidcheck)
find_dependency(benchmark)
# pkg-config for these three: Debian's CMake package of hiredis raises an error, Lua 5.1 has none,
# and that of toml++ leaves out the definitions which make it use the library.
find_dependency(PkgConfig)
foreach(module hiredis lua5.1 tomlplusplus)
  if(NOT TARGET PkgConfig::${module})
    pkg_check_modules(${module} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  endif()
endforeach()
