#include "sim/plan_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "sim/json_text.hpp"
#include "sim/names.hpp"
#include "sim/plan_fields.hpp"

namespace leaselab::sim {
namespace {

namespace json = boost::json;

template <class T>
json::object object_of(const T& value);

json::value value_of(const std::string& text) { return json_text(text); }
json::value value_of(bool value) { return value; }

template <class T>
requires std::is_integral_v<T> json::value value_of(T value) {
  using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  return wide{value};
}

template <class T>
requires std::is_enum_v<T> json::value value_of(T value) { return json::string(name_of(value)); }

template <class T>
requires std::is_class_v<T> json::value value_of(const T& value) { return object_of(value); }

template <class T>
json::value value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : json::value(nullptr);
}

template <class T>
json::value value_of(const std::vector<T>& values) {
  json::array out;
  out.reserve(values.size());
  for (const T& one : values) out.push_back(value_of(one));
  return out;
}

template <class T>
json::value value_of(or_null<T> member) {
  return member.value == member.none ? json::value(nullptr) : value_of(member.value);
}

template <class T>
json::value value_of(as_digits<T> member) {
  return json::string(std::to_string(member.value));
}

struct writer {
  json::object& out;
  template <class T>
  void operator()(std::string_view name, const T& member) {
    out.emplace(name, value_of(member));
  }
};

template <class T>
json::object object_of(const T& value) {
  json::object out;
  writer field{out};
  members(field, value, value);
  return out;
}

}  // namespace

json::object plan_to_value(const plan& value) { return object_of(value); }

std::string to_json(const plan& value) { return json::serialize(plan_to_value(value)); }

}  // namespace leaselab::sim
