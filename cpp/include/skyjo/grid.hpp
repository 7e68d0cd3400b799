// SPDX-License-Identifier: MIT
// A seat's cards as everybody sees them, and the lines in which they leave.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "skyjo/card.hpp"

namespace skyjo {

using Cells = std::uint16_t;  // one bit a cell

// How many cells a mask holds. In steps that every processor has, for code that is compiled for any
// of them: there std::popcount is a call.
[[nodiscard]] constexpr int count_cells(Cells cells) noexcept {
    unsigned pairs = cells - ((cells >> 1) & 0x5555U);
    pairs = (pairs & 0x3333U) + ((pairs >> 2) & 0x3333U);
    const unsigned bytes = (pairs + (pairs >> 4)) & 0x0f0fU;
    return static_cast<int>((bytes + (bytes >> 8)) & 0x1fU);
}

// A family of lines: the columns, or the rows, of a grid. Line k starts at the k-th cell of
// `starts` and goes on by `stride` for `length` cells. A line of one cell never leaves (RULES A.5),
// so that there `starts` is empty.
struct Lines {
    Cells starts = 0;
    std::uint8_t stride = 1;
    std::uint8_t length = 1;
    std::uint64_t ones = 0;    // a 1 at the lowest bit of each of the line's fields, from cell 0 on
    std::uint64_t fields = 0;  // all bits of these fields
    std::uint64_t tops = 0;    // the highest bit of each starting cell's field
    Cells cells = 0;           // the line's cells, from cell 0 on

    // From now on none of these lines leaves.
    constexpr void stay() noexcept {
        starts = 0;
        tops = 0;
    }
    bool operator==(const Lines&) const = default;
};

[[nodiscard]] constexpr Lines make_lines(int count, int start_stride, int length,
                                         int stride) noexcept {
    Lines lines;
    for (int k = 0; k < count && length > 1; ++k) {
        const int start = k * start_stride;
        lines.starts = static_cast<Cells>(lines.starts | (1U << start));
        lines.tops |= std::uint64_t{1} << (CODE_BITS * start + CODE_BITS - 1);
    }
    lines.stride = static_cast<std::uint8_t>(stride);
    lines.length = static_cast<std::uint8_t>(length);
    for (int i = 0; i < length; ++i) {
        lines.ones |= std::uint64_t{1} << (CODE_BITS * stride * i);
        lines.cells = static_cast<Cells>(lines.cells | (1U << (stride * i)));
    }
    lines.fields = lines.ones * 31U;
    return lines;
}

// The line in which a cell lies, where it lies: of the masks of Lines, shifted.
struct LineOfCell {
    // In no grid: of a line that never leaves.
    static constexpr std::uint64_t NEVER = std::uint64_t{1} << (CODE_BITS * MAX_CELLS);

    std::uint64_t ones = NEVER;
    std::uint64_t fields = 0;
    std::uint64_t cells = NEVER;

    // Whether all its cells have this code, and whether they all lie face up.
    [[nodiscard]] constexpr bool is_of(std::uint64_t codes, Code code) const noexcept {
        return (codes & fields) == ones * code;
    }
    [[nodiscard]] constexpr bool is_open(Cells up) const noexcept {
        return (cells & ~std::uint64_t{up}) == 0;
    }
    bool operator==(const LineOfCell&) const = default;
};

// Rows and columns of a grid with the masks that follow from them.
struct Shape {
    std::uint8_t rows = 3;
    std::uint8_t columns = 4;
    std::uint8_t n_cells = 12;
    Cells all = 0xfff;
    std::array<std::uint8_t, MAX_CELLS> column_start{};  // of each cell: where its column starts
    std::array<LineOfCell, MAX_CELLS> column_of{};       // of each cell
    Lines column_lines{};
    Lines row_lines{};

    bool operator==(const Shape&) const = default;
};

[[nodiscard]] constexpr Shape make_shape(int rows, int columns) noexcept {
    Shape shape;
    shape.rows = static_cast<std::uint8_t>(rows);
    shape.columns = static_cast<std::uint8_t>(columns);
    shape.n_cells = static_cast<std::uint8_t>(rows * columns);
    shape.all = static_cast<Cells>((1U << (rows * columns)) - 1U);
    for (int cell = 0; cell < shape.n_cells; ++cell)
        shape.column_start[static_cast<std::size_t>(cell)] =
            static_cast<std::uint8_t>(cell - cell % rows);
    shape.column_lines = make_lines(columns, rows, rows, 1);
    shape.row_lines = make_lines(rows, 1, columns, rows);
    const Lines& lines = shape.column_lines;
    for (int cell = 0; cell < shape.n_cells && rows > 1; ++cell) {
        const int start = cell - cell % rows;
        shape.column_of[static_cast<std::size_t>(cell)] = {lines.ones << (CODE_BITS * start),
                                                           lines.fields << (CODE_BITS * start),
                                                           std::uint64_t{lines.cells} << start};
    }
    return shape;
}

// Whether the line that starts there is face up, whole and of one code.
[[nodiscard]] constexpr bool is_complete(std::uint64_t codes, Cells up, int start,
                                         const Lines& lines) noexcept {
    // What is amiss, in one number: a test of its own for each part no processor could foresee.
    const unsigned closed = ~(unsigned{up} >> start) & lines.cells;
    const std::uint64_t fields = (codes >> (CODE_BITS * start)) & lines.fields;
    return (closed | (fields ^ (fields & 31U) * lines.ones)) == 0;
}

// A grid: up to 12 cells, column after column, 5 bits each.
//
//   bit      59 … 45   44 … 30   29 … 15   14 10  9  5  4  0
//   cell     11 10  9 | 8  7  6 | 5  4  3 |  2  |  1  |  0        (here 4 columns x 3 rows)
//   codes    column 3 | column 2 | column 1 | column 0            code = value + 4
//   up       one bit a cell: lies face up
//   removed  one bit a cell: a hole, its column is gone
//
// Invariant: up and removed share no bit; the code of a cell that is not face up is 0. So a Grid
// never holds what nobody may see: cards that lie face down are the deck's.
struct Grid {
    std::uint64_t codes = 0;
    Cells up = 0;
    Cells removed = 0;
    std::uint32_t unused = 0;

    [[nodiscard]] constexpr Code code(int cell) const noexcept {
        return static_cast<Code>((codes >> (CODE_BITS * cell)) & 31U);
    }
    [[nodiscard]] constexpr bool is_up(int cell) const noexcept { return ((up >> cell) & 1U) != 0; }
    [[nodiscard]] constexpr bool is_removed(int cell) const noexcept {
        return ((removed >> cell) & 1U) != 0;
    }
    [[nodiscard]] constexpr Cells hidden(const Shape& shape) const noexcept {
        return static_cast<Cells>(shape.all & ~(up | removed));
    }
    [[nodiscard]] constexpr Cells present(const Shape& shape) const noexcept {
        return static_cast<Cells>(shape.all & ~removed);
    }

    // Lays a card face up into a cell that is no hole.
    constexpr void put(int cell, Code card) noexcept {
        const int shift = CODE_BITS * cell;
        codes = (codes & ~(std::uint64_t{31} << shift)) | (std::uint64_t{card} << shift);
        up = static_cast<Cells>(up | (1U << cell));
    }

    // The sum of the cards face up, in points; a Star counts 0.
    [[nodiscard]] constexpr int open_points() const noexcept {
        constexpr std::uint64_t PAIRS = 0x0004010040100401U;  // a 1 every 10 bits, six of them
        // Only the Star has these two bits, of all codes; it becomes the code of a 0.
        const std::uint64_t stars = codes >> 4 & codes >> 1 & (PAIRS | PAIRS << CODE_BITS);
        const std::uint64_t cards = codes - stars * (STAR_CODE - BIAS);
        // The twelve fields are added in pairs, then the six sums by one product.
        const std::uint64_t pairs =
            (cards & (PAIRS * 31U)) + ((cards >> CODE_BITS) & (PAIRS * 31U));
        const auto sum = static_cast<int>((pairs * PAIRS) >> 50 & 0x3ffU);
        return sum - BIAS * count_cells(up);
    }

    // Whether the line that starts there is face up, whole and of one code.
    [[nodiscard]] constexpr bool completes(int start, const Lines& lines) const noexcept {
        return is_complete(codes, up, start, lines);
    }

    // The starts of the lines that are face up, whole and of one code.
    [[nodiscard]] constexpr Cells complete(const Lines& lines) const noexcept {
        Cells found = 0;
        for (std::uint64_t rest = uniform_tops(lines); rest != 0; rest &= rest - 1)
            if (const int start = std::countr_zero(rest) / CODE_BITS; completes(start, lines))
                found = static_cast<Cells>(found | (1U << start));
        return found;
    }

    // Turns the cells of one line into holes.
    constexpr void remove(int start, const Lines& lines) noexcept {
        codes &= ~(lines.fields << (CODE_BITS * start));
        const auto cells = static_cast<Cells>(lines.cells << start);
        up = static_cast<Cells>(up & ~cells);
        removed = static_cast<Cells>(removed | cells);
    }

    bool operator==(const Grid&) const = default;

 private:
    // Of `tops` those of the lines that have one code, face up or not: all at once, since most of
    // the time there is none.
    [[nodiscard]] constexpr std::uint64_t uniform_tops(const Lines& lines) const noexcept {
        constexpr std::uint64_t LOW = 0x07bdef7bdef7bdefU;  // all bits but the highest of each
        const int stride = CODE_BITS * lines.stride;
        // A field is 0 where a cell and the one behind it in the line have one code, in the end
        // where the whole line has.
        const std::uint64_t next = codes ^ codes >> stride;
        std::uint64_t differs = next;
        for (int i = 1; i + 1 < lines.length; ++i) differs |= next >> (stride * i);
        return lines.tops & ~(((differs & LOW) + LOW) | differs);
    }
};
static_assert(sizeof(Grid) == 16 && std::is_trivially_copyable_v<Grid>);

namespace contract {
// Every column of three 5-bit codes (32,768): found exactly when the three are equal.
constexpr bool every_column_is_right(int first) {
    constexpr Shape SHAPE = make_shape(3, 4);
    for (std::uint64_t b = 0; b < 32; ++b)
        for (std::uint64_t c = 0; c < 32; ++c) {
            const auto a = static_cast<std::uint64_t>(first);
            const bool same = a == b && b == c;
            if (is_complete(a | b << 5 | c << 10, 0b111, 0, SHAPE.column_lines) != same)
                return false;
        }
    return true;
}
template <int... First>
constexpr bool all_columns(std::integer_sequence<int, First...>) {
    static_assert((every_column_is_right(First) && ...));
    return true;
}
static_assert(all_columns(std::make_integer_sequence<int, 32>{}));

// Every row of three codes in a 3 x 3 grid whose other cells lie face up and differ.
constexpr bool rows_are_found() {
    constexpr Shape SHAPE = make_shape(3, 3);
    for (int row = 0; row < 3; ++row)
        for (int other = -2; other <= 12; ++other) {
            Grid grid;
            for (int cell = 0; cell < 9; ++cell) grid.put(cell, code_of(cell));
            for (int column = 0; column < 3; ++column)
                grid.put(3 * column + row, code_of(column == 2 ? other : 5));
            if (grid.complete(SHAPE.row_lines) != (other == 5 ? 1U << row : 0U)) return false;
        }
    return true;
}
static_assert(rows_are_found());

constexpr bool removal_leaves_holes() {
    constexpr Shape SHAPE = make_shape(3, 4);
    Grid grid;
    for (int cell = 3; cell < 6; ++cell) grid.put(cell, code_of(0));
    if (grid.complete(SHAPE.column_lines) != 1U << 3) return false;
    grid.remove(3, SHAPE.column_lines);
    return grid.codes == 0 && grid.up == 0 && grid.removed == 0b111000 &&
           grid.hidden(SHAPE) == (0xfff & ~0b111000);
}
static_assert(removal_leaves_holes());
}  // namespace contract

}  // namespace skyjo
