// SPDX-License-Identifier: MIT
#include "skyjo/record_text.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace skyjo {
namespace {

// Numbers as items of a list. Copied whole, so that the length is no branch.
template <std::size_t ROOM>
struct Items {
    std::array<char, ROOM> text{};  // as in "12,-2,"
    std::uint8_t length = 0;

    constexpr void add(int value) {
        const int size = value < 0 ? -value : value;
        if (value < 0) put('-');
        if (size >= 100) put(static_cast<char>('0' + size / 100));
        if (size >= 10) put(static_cast<char>('0' + size / 10 % 10));
        put(static_cast<char>('0' + size % 10));
        put(',');
    }
    constexpr void put(char letter) { text[length++] = letter; }
};
constexpr std::size_t ITEM_ROOM = 4;

// The items of one number below N, and of two of them, N times the first and the second: pairs take
// two thirds of the time.
template <std::size_t N, std::size_t ROOM>
struct Numerals {
    std::array<Items<ROOM>, N> one{};
    std::array<Items<ROOM>, N * N> two{};

    template <class Value>
    explicit constexpr Numerals(Value value) {
        for (std::size_t i = 0; i < N; ++i) {
            one[i].add(value(i));
            for (std::size_t k = 0; k < N; ++k) {
                two[i * N + k] = one[i];
                two[i * N + k].add(value(k));
            }
        }
    }
};
constexpr Numerals<N_CODES, 15> CARDS([](std::size_t code) {
    return value_of(static_cast<Code>(code));
});
constexpr Numerals<N_MOVES, 7> MOVES([](std::size_t move) { return static_cast<int>(move); });

// Writes behind a text, into room that is there from the start.
class JsonText {
 public:
    JsonText(TextBuffer& out, std::size_t room)
        : out_(out), at_(out.room(room)), end_(at_ + room) {}
    JsonText(const JsonText&) = delete;
    JsonText& operator=(const JsonText&) = delete;
    ~JsonText() {
        assert(at_ <= end_);
        out_.end_at(at_);
    }

    void text(std::string_view piece) noexcept {
        std::memcpy(at_, piece.data(), piece.size());
        at_ += piece.size();
    }
    template <class Integer>
    void number(Integer value) noexcept {
        at_ = std::to_chars(at_, end_, value).ptr;
    }
    void seat_or_null(int seat) noexcept {
        if (seat < 0)
            text("null");
        else
            number(seat);
    }
    void truth(bool value) noexcept { text(value ? "true" : "false"); }
    // A list of what `write` writes of each item, with the comma behind it.
    template <class List, class Write>
    void list(const List& items, Write write) noexcept {
        text("[");
        const char* const begin = at_;
        for (const auto& item : items) write(item);
        if (at_ != begin) --at_;
        text("]");
    }
    void numbers(std::span<const int> values) noexcept {
        list(values, [this](int value) {
            number(value);
            text(",");
        });
    }
    void cards(std::span<const Code> codes) noexcept {
        numerals(CARDS, codes, [](Code code) { return std::size_t{code}; });
    }
    void moves(std::span<const skyjo_played> moves) noexcept {
        numerals(MOVES, moves, [](const skyjo_played& played) { return std::size_t{played.move}; });
    }

 private:
    // Where it writes stands in a local: as a member it would be read anew behind each character.
    template <std::size_t N, std::size_t ROOM, class Item, class Number>
    void numerals(const Numerals<N, ROOM>& table, std::span<const Item> items,
                  Number number) noexcept {
        char* at = at_;
        const auto put = [&at](const Items<ROOM>& numeral) {
            std::memcpy(at, &numeral, sizeof numeral);
            at += numeral.length;
        };
        *at++ = '[';
        std::size_t i = 0;
        for (; i + 2 <= items.size(); i += 2)
            put(table.two[number(items[i]) * N + number(items[i + 1])]);
        if (i < items.size()) put(table.one[number(items[i])]);
        at_ = at - (items.empty() ? 0 : 1);
        *at_++ = ']';
    }

    TextBuffer& out_;
    char* at_;
    char* end_;
};

// keys, seed, deal, totals, places, and what an item's copy writes beyond it
constexpr std::size_t FRAME_ROOM = 512;
constexpr std::size_t ROUND_ROOM = 512;  // keys, seats, raw and points
constexpr std::size_t PILE_ROOM = 8;     // brackets and comma

// Bytes that the line takes at most.
std::size_t room_for(const RecordFrame& frame, const GameLog& log) {
    std::size_t room = FRAME_ROOM + frame.rules.size() + frame.players.size() + frame.faults.size();
    for (const RoundLog& round : log.rounds()) {
        room += ROUND_ROOM + ITEM_ROOM * (MAX_CARDS + round.moves.size());
        for (const std::vector<Code>& pile : round.reshuffles)
            room += PILE_ROOM + ITEM_ROOM * pile.size();
    }
    return room;
}

std::span<const int> shown(const Points& values, int n_seats) noexcept {
    return std::span(values).first(static_cast<std::size_t>(n_seats));
}

void points(JsonText& out, const Points& values, int n_seats, bool finished) {
    if (finished)
        out.numbers(shown(values, n_seats));
    else
        out.text("null");
}

void write(JsonText& out, const RoundLog& round, int n_seats) {
    std::array<Code, MAX_CARDS> deck;
    const std::size_t n_cards = round.copy_deck(deck.data());
    out.text(R"({"deck":)");
    out.cards(std::span(deck).first(n_cards));
    out.text(R"(,"starter":)");
    out.seat_or_null(round.starter);
    out.text(R"(,"moves":)");
    out.moves(round.moves);
    out.text(R"(,"reshuffles":)");
    out.list(round.reshuffles, [&out](const std::vector<Code>& pile) {
        out.cards(pile);
        out.text(",");
    });
    out.text(R"(,"closer":)");
    out.seat_or_null(round.finished ? round.closer : -1);
    out.text(R"(,"stalled":)");
    out.truth(round.stalled);
    out.text(R"(,"capped":)");
    out.truth(round.capped);
    out.text(R"(,"raw":)");
    points(out, round.raw, n_seats, round.finished);
    out.text(R"(,"points":)");
    points(out, round.points, n_seats, round.finished);
    out.text("}");
}

void write_rounds(JsonText& out, const GameLog& log, const Game& game) {
    out.list(log.rounds(), [&](const RoundLog& round) {
        if (round.finished)
            write(out, round, game.n_seats());
        else
            write(out, log.complete(round, game), game.n_seats());
        out.text(",");
    });
}

void write_end(JsonText& out, const RecordFrame& frame, const Game& game) {
    out.text(R"(,"totals":)");
    out.numbers(shown(game.totals(), game.n_seats()));
    out.text(R"(,"places":)");
    if (frame.places.empty())
        out.text("null");
    else
        out.numbers(frame.places);
    out.text(R"(,"faults":)");
    out.text(frame.faults);
    out.text(R"(,"end":)");
    const char* const end = end_word(game.end());
    if (end == nullptr) return out.text("null}");
    out.text("\"");
    out.text(end);
    out.text("\"}");
}

}  // namespace

void append_record(TextBuffer& text, const RecordFrame& frame, const GameLog& log,
                   const Game& game) {
    JsonText out(text, room_for(frame, log));
    out.text(R"({"format":"skyjo-record/1","rules":)");
    out.text(frame.rules);
    out.text(R"(,"seed":")");
    out.number(game.seed());
    out.text(R"(","deck_kind":")");
    out.text(game.deck_kind() == DeckKind::LANES ? "lanes" : "stack");
    out.text(R"(","deal":)");
    out.number(frame.deal);
    out.text(R"(,"players":)");
    out.text(frame.players);
    out.text(R"(,"rounds":)");
    write_rounds(out, log, game);
    write_end(out, frame, game);
}

}  // namespace skyjo
