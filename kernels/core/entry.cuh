// The functions that the host calls, for the Enactor and Problem of the primitive that was included before this
// header.
#pragma once
#include "contract.cuh"

using Args = Arguments<Problem>;

namespace gunrock::contract {
GR_NAME(Problem, "Problem")
}

// All that the host must know of the compiled code. The unit lists the Problem's members, the phases, and the
// constants that the host asks for (gunrock_cli/toolchain/unit.py).
#define GR_PROBLEM_MEMBER(NAME) GR_MEMBER(Problem, NAME)
#define GR_PHASE(NAME) GR_ENUMERATOR(Phase, NAME)
#define GR_CONTRACT                                                      \
  GR_CORE_ENTRIES                                                        \
  GR_MEMBER(Args, graph) GR_MEMBER(Args, workspace) GR_MEMBER(Args, problem) \
  GR_MEMBER(Args, peers)                                                 \
  GR_PROBLEM_MEMBERS(GR_PROBLEM_MEMBER)                                  \
  GR_PHASES(GR_PHASE)                                                    \
  GR_CONSTANTS(GR_CONSTANT)                                              \
  GR_SIZE(Problem) GR_SIZE(Args)

// A unit has only the entry for its loop (--loop), as each entry takes the compiler as long as everything else:
// gr_run is the persistent loop, gr_step one step of the host's loop.
#include GR_ENTRY
