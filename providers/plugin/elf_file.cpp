#include "providers/plugin/elf_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

namespace leaselab::plugin {
namespace {

namespace fs = std::filesystem;

using header = ElfW(Ehdr);
using segment = ElfW(Phdr);

std::string machine_name(unsigned machine) {
  constexpr std::array<std::pair<unsigned, const char*>, 7> known{{{EM_X86_64, "x86-64"},
                                                                   {EM_386, "32-bit x86"},
                                                                   {EM_AARCH64, "arm64"},
                                                                   {EM_ARM, "32-bit arm"},
                                                                   {EM_RISCV, "riscv"},
                                                                   {EM_PPC64, "ppc64"},
                                                                   {EM_S390, "s390"}}};
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto& each) { return each.first == machine; });
  return found != known.end() ? found->second : fmt::format("machine {}", machine);
}

template <class T>
std::optional<T> read_at(std::ifstream& file, std::uint64_t offset) {
  T value;
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(&value), sizeof(value))) return std::nullopt;
  return value;
}

// This program's own: what a library must be like.
const header& own_header() {
  static const header own = [] {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    return read_at<header>(file, 0).value_or(header{});
  }();
  return own;
}

bool begins_like_elf(std::ifstream& file) {
  const auto magic = read_at<std::array<char, SELFMAG>>(file, 0);
  return magic && std::memcmp(magic->data(), ELFMAG, SELFMAG) == 0;
}

std::string why_not_for_this_machine(const header& said) {
  const header& own = own_header();
  const auto like_own = [&](int what) { return said.e_ident[what] == own.e_ident[what]; };
  if (said.e_machine != own.e_machine)
    return fmt::format("it is built for {}, and this program for {}", machine_name(said.e_machine),
                       machine_name(own.e_machine));
  if (!like_own(EI_CLASS) || !like_own(EI_DATA))
    return "it is built for another word size or byte order than this program";
  return "";
}

// Where the last part that is loaded ends; nothing where the table of parts is cut off.
std::optional<std::uint64_t> loaded_up_to(std::ifstream& file, const header& said) {
  std::uint64_t end = 0;
  for (unsigned i = 0; i < said.e_phnum; ++i) {
    const auto part = read_at<segment>(file, said.e_phoff + i * std::uint64_t{said.e_phentsize});
    if (!part) return std::nullopt;
    if (part->p_type == PT_LOAD)
      end = std::max<std::uint64_t>(end, part->p_offset + part->p_filesz);
  }
  return end;
}

std::string why_not_readable(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) {
    const bool link = fs::is_symlink(fs::symlink_status(path, error));
    const auto shown = path.lexically_normal().string();
    return link ? fmt::format("the link {} leads nowhere", shown)
                : fmt::format("there is no file {}", shown);
  }
  if (fs::is_directory(status)) return "it is a folder";
  if (!fs::is_regular_file(status)) return "it is no file";
  return "";
}

}  // namespace

std::string why_no_library(const fs::path& path) {
  if (auto why = why_not_readable(path); !why.empty()) return why;
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("it cannot be read: {}", std::strerror(errno));
  if (!begins_like_elf(file)) return "it is no shared library, but another kind of file";
  const auto said = read_at<header>(file, 0);
  if (!said) return "it is cut off";
  if (auto why = why_not_for_this_machine(*said); !why.empty()) return why;
  if (said->e_type != ET_DYN) return "it is no shared library: link it with -shared";
  const auto end = loaded_up_to(file, *said);
  if (!end || *end > fs::file_size(path)) return "it is cut off";
  return "";
}

}  // namespace leaselab::plugin
