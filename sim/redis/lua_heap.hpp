// The memory of one Lua interpreter: free lists by size over large chunks. A script allocates and
// drops a dozen small objects; malloc would be a third of its time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace leaselab::sim::redis {

class lua_heap {
 public:
  // A lua_Alloc; `self` is the lua_heap.
  static void* reallocate(void* self, void* old, std::size_t old_size, std::size_t size);

 private:
  static constexpr std::size_t step = 16;
  static constexpr std::size_t largest = 512;  // beyond it malloc serves
  static constexpr std::size_t chunk_size = 64 * 1024;
  struct free_block {
    free_block* next;
  };

  void* take(std::size_t size);
  void give_back(void* block, std::size_t size);
  void* carve(std::size_t size);

  std::array<free_block*, largest / step + 1> free_{};
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* rest_ = nullptr;
  std::size_t rest_size_ = 0;
};

}  // namespace leaselab::sim::redis
