// The devices that share a run: one, or several that exchange what they found between steps. An enactor names
// its Team; the driver calls it.
//
// A Team has EXCHANGES, true if there is anything to exchange, and exchange(ctx, problem, control, state),
// which the whole grid calls between two steps: it sees all that the previous step wrote, and the next step
// sees all that it writes. In the host loop an exchange is a launch of its own.
//
// A Team of several devices (SeveralDevices) writes into the other devices' symmetric heaps (core/peers.cuh),
// and its next step begins when all have written. It also has due(state): true if the previous step left
// something to exchange. All devices must answer alike. The enactor bases every decision that the devices must
// take together (go on, change direction) on what all have received.
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
