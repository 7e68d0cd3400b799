// SPDX-License-Identifier: MIT
#include "skyjo/notation.hpp"

#include <array>

namespace skyjo {

std::string move_name(int move, int rows) {
    if (move < 0 || move >= N_MOVES) return "no move";
    if (move == DRAW) return "draw";
    constexpr std::array<const char*, 3> VERBS = {"flip", "take", "place"};
    const int cell = cell_of(static_cast<Move>(move));
    const auto verb = static_cast<std::size_t>(verb_of(static_cast<Move>(move)));
    return std::string(VERBS[verb]) + " r" + std::to_string(cell % rows + 1) + "c" +
           std::to_string(cell / rows + 1);
}

std::string move_names(MoveSet moves, int rows) {
    std::string text;
    for (std::uint64_t rest = moves.bits; rest != 0; rest &= rest - 1) {
        if (!text.empty()) text += ", ";
        text += move_name(std::countr_zero(rest), rows);
    }
    return text;
}

}  // namespace skyjo
