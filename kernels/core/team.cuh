// Who shares a run: one device, or several whose steps tell each other what they found.
//
// A team has EXCHANGES, whether there is anything to tell, and exchange(ctx, problem, control, state),
// which the whole grid calls between two steps: it sees all that the previous step wrote, and the next step
// sees all that it writes. Enactors do not know of it; one that is to run in a team names it as its Team.
// In the host loop an exchange is a launch of its own.
//
// A team of several devices (SeveralDevices) writes into the heaps of others (core/peers.cuh), and its next
// step begins when all of them have written. It also has due(state): whether the previous step has anything
// to tell. All devices must answer the same. An enactor of such a team bases every decision that the devices
// must take together (go on, change direction) on what all have been told.
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
