// The commands of a child's own Redis client, on their way: each waits in its connection until
// those before it have been answered.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "providers/command.hpp"
#include "providers/environment.hpp"
#include "providers/pipe/front.hpp"

namespace leaselab::pipe {

// The call that something is done for.
struct errand {
  std::uint64_t call = 0;    // the child's
  std::uint32_t caller = 0;  // errands::caller()
  monotonic_time deadline;
  std::string key, owner, to;

  // How well a command goes with it: by the key it names, then by the owner. A client may hold
  // commands of one call back and send them when it is told something for another.
  int fits(const command& sent) const;
  bool is_about(const command& sent) const { return fits(sent) >= 4; }
};

// One connection's.
struct channel {
  struct held {
    std::string constant;  // known already; empty: it is a trip
    command request;
    bool wants_list = false;  // expects_list()
    std::shared_ptr<const errand> by;
  };

  std::shared_ptr<connection> on;
  std::deque<held> queue;
  bool carried = false;  // somebody carries what is in the queue
};

class traffic {
 public:
  using deadline = front::deadline;
  using errands = std::vector<std::shared_ptr<const errand>>;

  explicit traffic(front& at) : front_(at) {}

  // Takes up what the child has sent, for `by` or whichever of `open` it goes with better; without
  // any of them it waits for `adopt`. Answers what needs no trip.
  // True: something was answered.
  bool take(const std::vector<socket_news>& said, deadline until,
            const std::shared_ptr<const errand>& by, const errands& open);
  // The same of a child that says nothing of it: what comes until then.
  void take_any(deadline until, const std::shared_ptr<const errand>& by, const errands& open);
  // What nobody sent was sent for this one.
  void adopt(const std::shared_ptr<const errand>& by);
  // Those with a trip at their head that nobody carries; whoever asks carries them.
  std::vector<std::shared_ptr<channel>> to_carry();

  // The trip at the head has come back, or never will: then the connection is lost, and with it
  // what stood behind.
  void answer(channel& on, const reply& with);
  void lose(channel& on);

  // Trips are under way.
  bool busy() const;
  std::vector<socket_news> news() { return front_.news(); }
  void reset();
  front& at() { return front_; }

 private:
  void take_up(std::vector<front::arrival> arrived, const std::shared_ptr<const errand>& by,
               const errands& open);
  channel& channel_of(const std::shared_ptr<connection>& on);
  void admit(channel& to, request asked, const std::shared_ptr<const errand>& by,
             const errands& open, bool known);
  void answer_constants(channel& on);

  front& front_;
  std::vector<std::shared_ptr<channel>> channels_;  // in order of their first words
};

}  // namespace leaselab::pipe
