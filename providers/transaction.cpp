#include "providers/transaction.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace leaselab {

command transaction_of(std::vector<std::vector<std::string>> commands) {
  command out;
  out.words.emplace_back("EXEC");
  // Told apart from an EXEC that stands alone, which is an error.
  if (commands.empty()) out.words.emplace_back("0");
  for (auto& each : commands) {
    out.words.push_back(std::to_string(each.size()));
    std::ranges::move(each, std::back_inserter(out.words));
  }
  return out;
}

bool is_transaction(const command& request) {
  return request.lua == nullptr && request.words.size() > 1 && request.words[0] == "EXEC";
}

std::vector<std::span<const std::string>> commands_of(const command& transaction) {
  std::vector<std::span<const std::string>> out;
  const std::span<const std::string> words(transaction.words.data(), transaction.words.size());
  for (std::size_t at = 1; at < words.size();) {
    const std::string& count = words[at++];
    std::size_t size = 0;
    std::from_chars(count.data(), count.data() + count.size(), size);
    size = std::min(size, words.size() - at);
    if (size > 0) out.push_back(words.subspan(at, size));
    at += size;
  }
  return out;
}

}  // namespace leaselab
