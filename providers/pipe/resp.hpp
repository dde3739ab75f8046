// Redis' wire from the server's side: requests out of a stream of bytes, replies into one. RESP2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/command.hpp"

namespace leaselab::pipe {

using request = std::vector<std::string>;  // the command's name first

// Takes the first whole request off `bytes`; none: it has not come to its end. Throws
// std::runtime_error that says what is wrong with the bytes.
std::optional<request> take_request(std::string& bytes);

void append_reply(const reply& from, std::string& to);
// Its answer is a list or none: nil has another form there.
bool expects_list(const command& asked);
inline constexpr std::string_view no_list = "*-1\r\n";

// As ECHO, not echo.
std::string in_capitals(std::string_view name);

}  // namespace leaselab::pipe
