// The text of a checkpoint: words and whole numbers, one item a line. It is read back by the
// version that wrote it; `scope` names that version.
#include <sstream>
#include <stdexcept>

#include "properties/search/exhaustive/walk.hpp"

namespace leaselab::properties {
namespace {

constexpr const char* title = "leaselab-checkpoint-1";

void write(std::ostream& out, const sim::label& value) {
  out << ' ' << unsigned(value.what) << ' ' << unsigned(value.process) << ' ' << value.trip << ' '
      << value.repetition << ' ' << value.subject;
}

void write(std::ostream& out, const footprint& value) {
  out << ' ' << value.processes << ' ' << value.keys << ' ' << value.all;
}

void write(std::ostream& out, const fork& value) {
  out << "fork " << value.taken << ' ' << value.moves.size() << ' ' << value.asleep.size() << ' '
      << value.touched.size();
  for (const auto& one : value.moves) {
    out << ' ' << unsigned(one.what);
    write(out, one.event);
    out << ' ' << one.at << ' ' << one.first;
  }
  for (const auto& one : value.asleep) {
    write(out, one.event);
    write(out, one.touched);
  }
  for (const auto& one : value.touched) write(out, one);
  out << '\n';
}

void write(std::ostream& out, const walk& value) {
  out << "walk " << value.complete << ' ' << value.runs << ' ' << value.redundant << ' '
      << value.steps << ' ' << value.violations << ' ' << value.digest << ' '
      << value.tallies.size() << ' ' << value.finals.size() << ' ' << value.first.size() << ' '
      << value.path.size() << '\n';
  for (const auto& one : value.tallies)
    out << one.judged << ' ' << one.violations << ' ' << one.unknown << ' ' << one.first_violation
        << '\n';
  for (const auto one : value.finals) out << one << ' ';
  out << '\n';
  for (const auto& [property, decisions] : value.first) {
    out << "first " << property << ' ' << decisions.size();
    for (const auto& one : decisions) {
      write(out, one.event);
      out << ' ' << one.at;
    }
    out << '\n';
  }
  for (const auto& one : value.path) write(out, one);
}

class reader {
 public:
  explicit reader(const std::string& text) : in_(text) {}

  checkpoint read() {
    word(title);
    checkpoint out;
    std::string rest;
    std::getline(in_, rest);
    std::getline(in_, out.scope);
    const auto count = number<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) out.walks.push_back(read_walk());
    word("end");
    return out;
  }

 private:
  [[noreturn]] static void refuse() {
    throw std::invalid_argument("it is no checkpoint of this version, or not a whole one");
  }
  void word(std::string_view wanted) {
    std::string found;
    if (!(in_ >> found) || found != wanted) refuse();
  }
  template <class Number>
  Number number() {
    Number out{};
    if (!(in_ >> out)) refuse();
    return out;
  }
  template <class Number>
  void take(Number& into) {
    into = number<Number>();
  }

  sim::label read_label() {
    sim::label out;
    out.what = sim::event_label(number<unsigned>());
    out.process = sim::process_id(number<unsigned>());
    take(out.trip);
    take(out.repetition);
    take(out.subject);
    return out;
  }

  footprint read_footprint() {
    footprint out;
    take(out.processes);
    take(out.keys);
    take(out.all);
    return out;
  }

  fork read_fork() {
    word("fork");
    fork out;
    take(out.taken);
    const auto moves = number<std::size_t>();
    const auto asleep = number<std::size_t>();
    const auto touched = number<std::size_t>();
    for (std::size_t i = 0; i < moves; ++i) {
      auto& one = out.moves.emplace_back();
      one.what = move::kind(number<unsigned>());
      one.event = read_label();
      take(one.at);
      take(one.first);
    }
    for (std::size_t i = 0; i < asleep; ++i) {
      auto& one = out.asleep.emplace_back();
      one.event = read_label();
      one.touched = read_footprint();
    }
    for (std::size_t i = 0; i < touched; ++i) out.touched.push_back(read_footprint());
    if (out.taken >= out.moves.size()) refuse();
    return out;
  }

  walk read_walk() {
    word("walk");
    walk out;
    take(out.complete);
    take(out.runs);
    take(out.redundant);
    take(out.steps);
    take(out.violations);
    take(out.digest);
    const auto tallies = number<std::size_t>();
    const auto finals = number<std::size_t>();
    const auto first = number<std::size_t>();
    const auto path = number<std::size_t>();
    for (std::size_t i = 0; i < tallies; ++i) {
      auto& one = out.tallies.emplace_back();
      take(one.judged);
      take(one.violations);
      take(one.unknown);
      take(one.first_violation);
    }
    for (std::size_t i = 0; i < finals; ++i) out.finals.insert(number<std::uint64_t>());
    for (std::size_t i = 0; i < first; ++i) read_first(out);
    for (std::size_t i = 0; i < path; ++i) out.path.push_back(read_fork());
    return out;
  }

  void read_first(walk& into) {
    word("first");
    const auto property = number<std::uint32_t>();
    auto& decisions = into.first[property];
    const auto count = number<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
      auto& one = decisions.emplace_back();
      one.event = read_label();
      take(one.at);
    }
  }

  std::istringstream in_;
};

}  // namespace

std::string to_text(const checkpoint& value) {
  std::ostringstream out;
  out << title << '\n' << value.scope << '\n' << value.walks.size() << '\n';
  for (const auto& one : value.walks) write(out, one);
  out << "end\n";
  return out.str();
}

checkpoint checkpoint_from_text(const std::string& text) { return reader(text).read(); }

}  // namespace leaselab::properties
