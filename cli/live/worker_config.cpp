#include "cli/live/worker_config.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace leaselab::cli::live {

std::string work_path(const std::string& folder, int key) {
  return folder + "/work.k" + std::to_string(key);
}

std::string to_json(const worker_config& config) {
  return boost::json::serialize(boost::json::object{{"url", config.url},
                                                    {"prefix", config.prefix},
                                                    {"provider", config.provider},
                                                    {"client", config.client},
                                                    {"folder", config.folder},
                                                    {"worker", config.worker},
                                                    {"incarnation", config.incarnation},
                                                    {"keys", config.keys},
                                                    {"ttl_ms", config.ttl_ms},
                                                    {"margin_ppm", config.margin_ppm},
                                                    {"seed", config.seed}});
}

worker_config worker_config_of(const std::string& json) {
  const auto value = boost::json::parse(json);
  const auto& from = value.as_object();
  const auto text = [&](const char* name) { return std::string(from.at(name).as_string()); };
  worker_config out;
  out.url = text("url");
  out.prefix = text("prefix");
  out.provider = text("provider");
  out.client = text("client");
  out.folder = text("folder");
  out.worker = from.at("worker").to_number<int>();
  out.incarnation = from.at("incarnation").to_number<int>();
  out.keys = from.at("keys").to_number<int>();
  out.ttl_ms = from.at("ttl_ms").to_number<std::int64_t>();
  out.margin_ppm = from.at("margin_ppm").to_number<std::int64_t>();
  out.seed = from.at("seed").to_number<std::uint64_t>();
  return out;
}

}  // namespace leaselab::cli::live
