// Boost.JSON, compiled once: Debian's 1.81 has its headers only.
#include <boost/json/src.hpp>
