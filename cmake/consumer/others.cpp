// Beside the program of the walk-through: providers of other shapes, and some that are wrong.
#include "cli/testbed.hpp"
#include "my_lease.hpp"
#include "my_table.hpp"

namespace {

using namespace leaselab;

// Removes whoever's lease it is.
struct careless : mine::my_lease {
  using mine::my_lease::my_lease;
  awaitable<result<void>> release_lease(std::string key, std::string owner,
                                        call_options call = {}) {
    if (const auto holder = co_await get_lease_owner(key, call); holder && *holder) {
      co_return co_await mine::my_lease::release_lease(key, **holder, call);
    }
    co_return co_await mine::my_lease::release_lease(key, owner, call);
  }
};

// Has no transfer_lease.
class four {
 public:
  four(environment& on, provider_options options) : all_(on, std::move(options)) {}
  awaitable<result<acquire_answer>> acquire_lease(std::string key, std::string owner,
                                                  milliseconds ttl) {
    return all_.acquire_lease(std::move(key), std::move(owner), ttl);
  }
  awaitable<result<std::optional<std::string>>> get_lease_owner(std::string key) {
    return all_.get_lease_owner(std::move(key));
  }
  awaitable<result<void>> release_lease(std::string key, std::string owner) {
    return all_.release_lease(std::move(key), std::move(owner));
  }
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl) {
    return all_.renew_lease(std::move(key), std::move(owner), ttl);
  }

 protected:
  mine::my_lease all_;
};

// Has no transfer_lease either, but hands on what has.
struct decorator : four {
  using four::four;
  mine::my_lease& get_lease_provider() { return all_; }
};

// Does not look at deadlines.
struct timeless : mine::table_lease {
  timeless(environment& on, mine::table& all, provider_options options)
      : table_lease(on, all, std::move(options)), on_(on), all_(all) {}
  awaitable<result<bool>> renew_lease(std::string key, std::string owner, milliseconds ttl) {
    if (auto refusal = refuse_arguments(key, owner, ttl)) co_return *refusal;
    if (auto step = co_await on_.step(monotonic_time::max()); !step) co_return step.error();
    const auto record = all_.peek(key);
    co_return record && record->owner == owner&& all_.put(key, owner, ttl);
  }
  environment& on_;
  mine::table& all_;
};

template <class Provider>
std::unique_ptr<Provider> make(environment& on, provider_options options) {
  return std::make_unique<Provider>(on, std::move(options));
}

}  // namespace

int main(int count, char** words) {
  leaselab::provider_card declared;
  declared.about = "declares what it keeps";
  declared.standard_records = true;
  declared.declared.emplace();
  declared.declared->not_guaranteed = {{"release.owner_only", "*"}, {"lease.linearizable", "*"}};
  return leaselab::testbed(count, words)
      .provider("careless", make<careless>, {.standard_records = true})
      .provider("unseen", mine::make)
      .provider("declared", make<careless>, declared)
      .provider("four", make<four>)
      .provider("decorator", make<decorator>)
      .provider_in_memory<mine::table>("table", mine::make_in_memory)
      .provider_in_memory<mine::table>(
          "timeless",
          [](environment& on, mine::table& all, provider_options options) {
            return std::make_shared<timeless>(on, all, std::move(options));
          })
      .run();
}
