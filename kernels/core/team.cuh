// Who shares a run: one device, or several whose steps tell each other what they found.
//
// A team has EXCHANGES, whether there is anything to tell, and exchange(ctx, problem, control, state),
// which the whole grid calls between two steps: it sees all that the step before wrote, and the next step
// sees all that it writes. Enactors do not know of it; one that is to run in a team names it as its Team.
// In the host loop an exchange is a launch of its own.
//
// A team of several devices (SeveralDevices) writes into the heaps of others (core/peers.cuh): its next
// step begins when all of them have written. It has due(state), too: whether the step before has anything
// to tell. All devices must say the same. An enactor of such a team takes every decision that the others
// must take with it (go on, change direction) from what all have been told.
#pragma once
#include "context.cuh"

namespace gunrock {

struct OneDevice {
  static constexpr bool EXCHANGES = false;
};

struct SeveralDevices {
  static constexpr bool EXCHANGES = true;
  static constexpr bool MEETS = true;
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

template <class Team, class = void>
constexpr bool MEETS = false;
template <class Team>
constexpr bool MEETS<Team, VoidOf<decltype(Team::MEETS)>> = Team::MEETS;

template <class Team, class State>
GR_DEVICE bool exchange_is_due(const State& state) {
  if constexpr (MEETS<Team>) return Team::due(state);
  return true;
}

}  // namespace gunrock
