// Who shares a run: one device, or several whose steps tell each other what they found.
//
// A team has EXCHANGES, whether there is anything to tell, and exchange(ctx, problem, control, state),
// which the whole grid calls between two steps: it sees all that the step before wrote, and the next step
// sees all that it writes. Enactors do not know of it; one that is to run in a team names it as its Team.
// In the host loop an exchange is a launch of its own.
#pragma once
#include "context.cuh"

namespace gunrock {

struct OneDevice {
  static constexpr bool EXCHANGES = false;
};

template <class T>
using VoidOf = void;
template <class Enactor, class = void>
struct TeamOf {
  using type = OneDevice;
};
template <class Enactor>
struct TeamOf<Enactor, VoidOf<typename Enactor::Team>> {
  using type = typename Enactor::Team;
};

}  // namespace gunrock
