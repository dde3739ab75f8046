// Owners and keys are bytes, JSON strings are Unicode: what is not UTF-8 is written as
// {"hex": "ff00"}, so that every text survives the round trip and every file stays valid JSON.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace leaselab::sim {

boost::json::value json_text(std::string_view text);
// Nothing where `value` is neither form.
std::optional<std::string> text_of(const boost::json::value& value);

bool is_utf8(std::string_view text);

}  // namespace leaselab::sim
