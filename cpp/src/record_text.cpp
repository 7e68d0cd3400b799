// SPDX-License-Identifier: MIT
#include "skyjo/record_text.hpp"

#include <charconv>
#include <string_view>

namespace skyjo {
namespace {

class JsonText {
 public:
    void text(std::string_view piece) { out_.append(piece); }
    void number(int value) {
        char digits[16];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        out_.append(digits, end);
    }
    void number_or_null(int value) {
        if (value < 0)
            text("null");
        else
            number(value);
    }
    void truth(bool value) { text(value ? "true" : "false"); }
    // A list of what `write` writes of each item.
    template <class Items, class Write>
    void list(const Items& items, Write write) {
        text("[");
        bool is_first = true;
        for (const auto& item : items) {
            if (!is_first) text(", ");
            is_first = false;
            write(item);
        }
        text("]");
    }
    template <class Cards>
    void cards(const Cards& codes) {
        list(codes, [this](Code code) { number(value_of(code)); });
    }

    [[nodiscard]] std::string take() noexcept { return std::move(out_); }

 private:
    std::string out_;
};

void points(JsonText& out, const Points& values, int n_seats, bool finished) {
    if (!finished) return out.text("null");
    const std::vector<std::int32_t> shown(values.begin(), values.begin() + n_seats);
    out.list(shown, [&out](int value) { out.number(value); });
}

void write(JsonText& out, const RoundLog& round, int n_seats) {
    out.text(R"({"deck": )");
    out.cards(round.deck());
    out.text(R"(, "starter": )");
    out.number_or_null(round.starter);
    out.text(R"(, "moves": )");
    out.list(round.moves, [&out](const skyjo_played& played) { out.number(played.move); });
    out.text(R"(, "reshuffles": )");
    out.list(round.reshuffles, [&out](const std::vector<Code>& pile) { out.cards(pile); });
    out.text(R"(, "closer": )");
    out.number_or_null(round.finished ? round.closer : -1);
    out.text(R"(, "stalled": )");
    out.truth(round.stalled);
    out.text(R"(, "capped": )");
    out.truth(round.capped);
    out.text(R"(, "raw": )");
    points(out, round.raw, n_seats, round.finished);
    out.text(R"(, "points": )");
    points(out, round.points, n_seats, round.finished);
    out.text("}");
}

}  // namespace

std::string rounds_text(const GameLog& log, const Game& game) {
    JsonText out;
    out.list(log.rounds(),
             [&](const RoundLog& round) { write(out, log.complete(round, game), game.n_seats()); });
    return out.take();
}

}  // namespace skyjo
