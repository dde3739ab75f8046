// Reading a plan: every member must be there, of its type and in its range, and nothing else.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "sim/json_text.hpp"
#include "sim/names.hpp"
#include "sim/plan_fields.hpp"
#include "sim/plan_json.hpp"

namespace leaselab::sim {
namespace {

namespace json = boost::json;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + ": " + why);
}

template <class T>
void read_object(const json::value& from, const std::string& path, T& to);

void read(const json::value& from, const std::string& path, std::string& to) {
  auto text = text_of(from);
  if (!text) refuse(path, "must be a string");
  to = std::move(*text);
}

void read(const json::value& from, const std::string& path, bool& to) {
  if (!from.is_bool()) refuse(path, "must be true or false");
  to = from.get_bool();
}

template <class T>
requires std::is_integral_v<T>
void read(const json::value& from, const std::string& path, T& to) {
  const bool fits = (from.is_int64() && std::in_range<T>(from.get_int64())) ||
                    (from.is_uint64() && std::in_range<T>(from.get_uint64()));
  if (!fits) {
    refuse(path, "must be a whole number from " + std::to_string(std::numeric_limits<T>::min()) +
                     " to " + std::to_string(std::numeric_limits<T>::max()));
  }
  to = from.is_int64() ? static_cast<T>(from.get_int64()) : static_cast<T>(from.get_uint64());
}

template <class T>
requires std::is_enum_v<T>
void read(const json::value& from, const std::string& path, T& to) {
  const auto value =
      from.is_string() ? named<T>(std::string_view(from.get_string())) : std::nullopt;
  if (!value) {
    std::string allowed;
    for (const auto name : names<T>()) allowed.append(allowed.empty() ? "" : ", ").append(name);
    refuse(path, "must be one of " + allowed);
  }
  to = *value;
}

template <class T>
requires std::is_class_v<T>
void read(const json::value& from, const std::string& path, T& to) { read_object(from, path, to); }

template <class T>
void read(const json::value& from, const std::string& path, std::optional<T>& to) {
  to.reset();
  if (!from.is_null()) read(from, path, to.emplace());
}

template <class T>
void read(const json::value& from, const std::string& path, std::vector<T>& to) {
  if (!from.is_array()) refuse(path, "must be a list");
  to.clear();
  for (const auto& one : from.get_array()) {
    const std::string here = path + "[" + std::to_string(to.size()) + "]";
    read(one, here, to.emplace_back());
  }
}

template <class T>
void read(const json::value& from, const std::string& path, or_null<T> to) {
  to.value = to.none;
  if (!from.is_null()) read(from, path, to.value);
}

template <class T>
void read(const json::value& from, const std::string& path, as_digits<T> to) {
  const std::string_view digits =
      from.is_string() ? std::string_view(from.get_string()) : std::string_view();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to.value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    refuse(path, "must be a string of decimal digits, below 2^64");
  }
}

struct reader {
  const json::object& from;
  const std::string& path;
  std::vector<std::string_view> known{};

  template <class T>
  void operator()(std::string_view name, T&& member) {
    const std::string here = path + "." + std::string(name);
    const auto* found = from.if_contains(name);
    if (!found) refuse(here, "is missing");
    read(*found, here, member);
    known.push_back(name);
  }

  void refuse_others() const {
    for (const auto& [name, ignored] : from) {
      if (std::find(known.begin(), known.end(), std::string_view(name)) == known.end()) {
        refuse(path + "." + std::string(name), "is not known");
      }
    }
  }
};

template <class T>
void read_object(const json::value& from, const std::string& path, T& to) {
  if (!from.is_object()) refuse(path, "must be an object");
  reader field{from.get_object(), path};
  members(field, to, to);
  field.refuse_others();
}

}  // namespace

plan plan_from_value(const json::value& value) {
  plan out;
  read(value, "plan", out);
  refuse_impossible(out);
  return out;
}

plan plan_from_json(std::string_view text) {
  json::error_code error;
  const auto value = json::parse(text, error);
  if (error) throw std::invalid_argument("plan: no JSON: " + error.message());
  return plan_from_value(value);
}

}  // namespace leaselab::sim
