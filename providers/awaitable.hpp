// The coroutine type of the whole project, with the narrow Asio headers it needs.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace leaselab {

namespace asio = boost::asio;
using asio::awaitable;

}  // namespace leaselab
