#include "sim/redis/lua_heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace leaselab::sim::redis {

void* lua_heap::reallocate(void* self, void* old, std::size_t old_size, std::size_t size) {
  auto& heap = *static_cast<lua_heap*>(self);
  if (old != nullptr && old_size > largest && size > largest) return std::realloc(old, size);
  if (size == 0) {
    if (old != nullptr) heap.give_back(old, old_size);
    return nullptr;
  }
  void* fresh = heap.take(size);
  if (fresh != nullptr && old != nullptr) {
    std::memcpy(fresh, old, std::min(old_size, size));
    heap.give_back(old, old_size);
  }
  return fresh;
}

void* lua_heap::take(std::size_t size) {
  if (size > largest) return std::malloc(size);
  free_block*& head = free_[(size + step - 1) / step];
  if (head == nullptr) return carve((size + step - 1) / step * step);
  free_block* block = head;
  head = block->next;
  return block;
}

void lua_heap::give_back(void* block, std::size_t size) {
  if (size > largest) return std::free(block);
  free_block*& head = free_[(size + step - 1) / step];
  head = ::new (block) free_block{head};
}

void* lua_heap::carve(std::size_t size) {
  if (rest_size_ < size) {
    chunks_.push_back(std::make_unique<std::byte[]>(chunk_size));
    rest_ = chunks_.back().get();
    rest_size_ = chunk_size;
  }
  void* block = rest_;
  rest_ += size;
  rest_size_ -= size;
  return block;
}

}  // namespace leaselab::sim::redis
