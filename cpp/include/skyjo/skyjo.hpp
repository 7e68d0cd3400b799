// SPDX-License-Identifier: MIT
// Everything, in reading order: each header needs only those above it.
#pragma once

#include "skyjo/portability.hpp"
// layer 0
#include "skyjo/card.hpp"
#include "skyjo/rng.hpp"
#include "skyjo/text_buffer.hpp"
#include "skyjo/tick_clock.hpp"
// layer 1
#include "skyjo/bot_abi.h"
#include "skyjo/grid.hpp"
#include "skyjo/move.hpp"
// layer 2
#include "skyjo/rules.hpp"
#include "skyjo/scoring.hpp"
#include "skyjo/table.hpp"
// layer 3
#include "skyjo/deck.hpp"
#include "skyjo/round.hpp"
#include "skyjo/score_sheet.hpp"
// layer 4
#include "skyjo/game.hpp"
// layer 5
#include "skyjo/record.hpp"
#include "skyjo/view.hpp"
// layer 5, on the view
#include "skyjo/baselines.hpp"
#include "skyjo/plain_turns.hpp"
// layer 6, compiled
#include "skyjo/bot_choice.hpp"
#include "skyjo/fused.hpp"
#include "skyjo/levels.hpp"
#include "skyjo/match.hpp"
#include "skyjo/match_loop.hpp"
#include "skyjo/native_tables.hpp"
#include "skyjo/notation.hpp"
#include "skyjo/playouts.hpp"
#include "skyjo/record_text.hpp"
#include "skyjo/replay.hpp"
#include "skyjo/snapshot.hpp"
#include "skyjo/soundness.hpp"
#include "skyjo/thread_pool.hpp"
#include "skyjo/world.hpp"
// layer 6, on the threads
#include "skyjo/batch_game.hpp"
#include "skyjo/simulation.hpp"
