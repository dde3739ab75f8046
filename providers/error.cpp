#include "providers/error.hpp"

#include <boost/assert/source_location.hpp>
#include <stdexcept>

namespace leaselab {

std::string_view to_string(outcome value) {
  switch (value) {
    case outcome::ok:
      return "ok";
    case outcome::fail:
      return "fail";
    case outcome::info:
      return "info";
  }
  return "?";
}

std::string_view to_string(errc value) {
  switch (value) {
    case errc::invalid_argument:
      return "invalid_argument";
    case errc::closed:
      return "closed";
    case errc::timed_out:
      return "timed_out";
    case errc::connection_refused:
      return "connection_refused";
    case errc::connection_lost:
      return "connection_lost";
    case errc::loading:
      return "loading";
    case errc::read_only:
      return "read_only";
    case errc::out_of_memory:
      return "out_of_memory";
    case errc::busy:
      return "busy";
    case errc::redirected:
      return "redirected";
    case errc::backend_error:
      return "backend_error";
    case errc::protocol:
      return "protocol";
  }
  return "?";
}

void throw_exception_from_error(const lease_error& error, const boost::source_location& where) {
  std::string text = "the value of a call that ended ";
  text.append(to_string(error.kind)).append(" ").append(to_string(error.code));
  if (!error.text.empty()) text.append(" (").append(error.text).append(")");
  text.append(" was read at ").append(where.to_string());
  throw std::logic_error(text);
}

}  // namespace leaselab
