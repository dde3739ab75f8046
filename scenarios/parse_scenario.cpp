#include <fstream>
#include <iterator>

#include "scenarios/parser.hpp"

namespace leaselab::scenarios {
namespace {

const std::vector<std::string_view> top_keys{
    "schema",  "title",   "story",    "origin",    "ttl",    "call_limit", "providers",
    "expect",  "process", "call",     "fault",     "signal", "workload",   "nemesis",
    "explore", "phase",   "property", "sometimes", "matrix"};

// Before anything else: another format may have other keys.
void check_schema(const context& in, const node& root) {
  if (root.entries.empty()) in.fail(1, "the file is empty: no scenario");
  const node* schema = root.find("schema");
  if (!schema) {
    // A file whose first slip is a mistyped key hears of that instead.
    table_reader(in, root, "the scenario", top_keys);
    in.fail(1, "`schema = 1` is missing");
  }
  if (schema->kind != node_kind::integer) in.fail(schema->line, "`schema` must be a whole number");
  if (schema->integer != 1)
    in.fail(schema->line, "`schema` is " + std::to_string(schema->integer) +
                              ": this program reads format 1 only");
}

std::string variation_text(const node& value) {
  switch (value.kind) {
    case node_kind::text:
      return value.text;
    case node_kind::integer:
      return std::to_string(value.integer);
    case node_kind::decimal:
      return std::to_string(value.decimal);
    default:
      return value.flag ? "true" : "false";
  }
}

// Sets "workload.margin" in a document, making the table where there is none.
void assign(node& root, std::string_view key, const node& value) {
  const auto dot = key.find('.');
  const std::string first(key.substr(0, dot));
  node* child = root.find(first);
  if (!child) {
    root.entries.push_back({first, {}});
    child = &root.entries.back().value;
    child->kind = node_kind::table;
    child->line = value.line;
  }
  if (dot == std::string_view::npos)
    *child = value;
  else
    assign(*child, key.substr(dot + 1), value);
}

struct variant_document {
  node root;
  std::string name;
};

std::vector<variant_document> expand(const context& in, node root) {
  std::vector<variant_document> all{{root, ""}};
  const node* found = root.find("matrix");
  if (!found) return all;
  if (found->kind != node_kind::table) in.fail(found->line, "[matrix] must be a table");
  for (const auto& [key, values] : found->entries) {
    if (values.kind != node_kind::list || values.items.empty())
      in.fail(values.line, "[matrix] `" + key + "` must be a list of at least one value");
    if (key == "schema" || key == "matrix") in.fail(values.line, "[matrix] cannot vary " + key);
    std::vector<variant_document> next;
    for (const variant_document& base : all)
      for (const node& value : values.items) {
        if (value.kind == node_kind::table || value.kind == node_kind::list)
          in.fail(value.line, "[matrix] `" + key + "` takes single values");
        next.push_back({base.root, base.name + (base.name.empty() ? "" : " ") + key + "=" +
                                       variation_text(value)});
        assign(next.back().root, key, value);
      }
    all = std::move(next);
  }
  return all;
}

}  // namespace

scenario_error::scenario_error(const std::string& file, int line, const std::string& message)
    : std::runtime_error(file + ":" + std::to_string(line) + ": " + message) {}

scenario_error::scenario_error(const std::string& file, const std::string& message)
    : std::runtime_error(file + ": " + message) {}

const std::vector<node>& parser::tables(std::string_view key) const {
  static const std::vector<node> none;
  const node* found = root_.find(key);
  if (!found) return none;
  if (found->kind != node_kind::list)
    in_.fail(found->line,
             "write [[" + std::string(key) + "]], with two brackets: there may be several");
  return found->items;
}

void parser::head(const table_reader& top) {
  in_.ttl_ms = 100;
  const std::int64_t most = (std::int64_t{1} << 53) - 1;
  if (top.has("ttl")) in_.ttl_ms = ttl_ms(top);
  if (in_.ttl_ms < 1 || in_.ttl_ms > most)
    top.fail("ttl", "the scenario's ttl must be from 1ms to 2^53 - 1 ms");
  out_.plan.ttl_ms = in_.ttl_ms;
  out_.plan.bounds.call_limit = top.duration("call_limit", out_.plan.bounds.call_limit);
  if (out_.plan.bounds.call_limit == 0) top.fail("call_limit", "must be more than 0");
  out_.title = top.text("title");
  out_.story = top.text("story", "");
  out_.origin = top.text("origin", "");
  out_.providers = provider_filter(top);
  if (!top.has("providers")) out_.providers = in_.known.providers;
}

// Names first: a call may wait for one that stands further down.
void parser::name_calls() {
  std::uint32_t id = 0;
  for (const node& table : tables("call")) {
    const node* name = table.find("name");
    if (name && name->kind == node_kind::text && !calls_.emplace(name->text, id).second)
      in_.fail(name->line, "`name`: there are two calls \"" + name->text + "\"");
    ++id;
  }
}

void parser::check_something_runs(const table_reader& top) const {
  if (tables("call").empty() && tables("signal").empty() && !top.has("workload"))
    in_.fail(1, "nothing to run: state [[call]] or [workload]");
}

scenario parser::run() {
  const table_reader top(in_, root_, "the scenario", top_keys);
  out_.file = in_.file;
  head(top);
  expectations();
  check_something_runs(top);
  workload();
  for (const node& table : tables("process")) process(table);
  name_calls();
  std::uint32_t id = 0;
  for (const node& table : tables("call")) call(table, id++);
  check_order();
  for (const node& table : tables("signal")) signal(table);
  id = 0;
  for (const node& table : tables("fault")) fault(table, id++);
  nemesis();
  explore();
  phase();
  claims();
  out_.plan.one_at_a_time = out_.directed_only();
  return std::move(out_);
}

std::vector<scenario> parse(std::string_view text, const std::string& file,
                            const known_names& known) {
  context in{file, known};
  node root = parse_document(text, file);
  check_schema(in, root);
  std::vector<scenario> all;
  for (const variant_document& variant : expand(in, std::move(root))) {
    all.push_back(parser(in, variant.root).run());
    all.back().variation = variant.name;
  }
  return all;
}

std::vector<scenario> load(const std::filesystem::path& file, const known_names& known) {
  const std::string name = file.string();
  if (!std::filesystem::exists(file)) throw scenario_error(name, "there is no such file");
  // A stream opens a directory too, and reads nothing.
  if (std::filesystem::is_directory(file)) throw scenario_error(name, "this is a folder");
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw scenario_error(name, "cannot be read");
  return parse(text, name, known);
}

}  // namespace leaselab::scenarios
