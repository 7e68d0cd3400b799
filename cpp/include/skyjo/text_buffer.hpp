// SPDX-License-Identifier: MIT
// Text that grows at its end, for writers who know how long at most the next piece is.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace skyjo {

// Unlike a string it neither fills its room before that is written nor gives it back when it is
// cleared: to have memory anew from the system takes as long as half of the text of a record.
class TextBuffer {
 public:
    [[nodiscard]] std::string_view view() const noexcept { return {memory_.get(), size_}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void clear() noexcept { size_ = 0; }

    // Where the text ends, with n bytes and more to be written there. Throws std::bad_alloc.
    [[nodiscard]] char* room(std::size_t n) {
        if (capacity_ - size_ < n) grow(size_ + n);
        return memory_.get() + size_;
    }
    // Tells where the text ends now. Precondition: within the room asked for last.
    void end_at(const char* end) noexcept {
        size_ = static_cast<std::size_t>(end - memory_.get());
        assert(size_ <= capacity_);
    }
    void append(std::string_view piece) {
        end_at(std::copy(piece.begin(), piece.end(), room(piece.size())));
    }

 private:
    void grow(std::size_t at_least) {
        capacity_ = std::max(at_least, 2 * capacity_);
        auto memory = std::make_unique_for_overwrite<char[]>(capacity_);
        std::copy_n(memory_.get(), size_, memory.get());
        memory_ = std::move(memory);
    }

    std::unique_ptr<char[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace skyjo
