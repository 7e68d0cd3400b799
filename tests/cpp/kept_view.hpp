// SPDX-License-Identifier: MIT
// A view with its arrays, as a value: copies point to their own.
#pragma once

#include <cstring>

#include "skyjo/view.hpp"

namespace skyjo::testing {

struct KeptView : skyjo_kept_view {
    KeptView() noexcept {
        std::memset(static_cast<skyjo_kept_view*>(this), 0, sizeof(skyjo_kept_view));
        skyjo_bind_view(this);
    }
    KeptView(const KeptView& other) noexcept : skyjo_kept_view(other) { skyjo_bind_view(this); }
    KeptView& operator=(const KeptView& other) noexcept {
        skyjo_kept_view::operator=(other);
        skyjo_bind_view(this);
        return *this;
    }
};

template <class AnyGame>
KeptView view_of(const AnyGame& game, int seat) {
    KeptView kept;
    keep_view(game, seat, nullptr, 0, kept);
    return kept;
}

// Equal in all but where the arrays lie.
inline bool same_view(KeptView a, KeptView b) {
    for (KeptView* kept : {&a, &b}) {
        skyjo_view& view = kept->view;
        view.grids = nullptr;
        view.totals = nullptr;
        view.discard_counts = view.pile_counts = view.hidden_counts = nullptr;
    }
    return std::memcmp(static_cast<skyjo_kept_view*>(&a), static_cast<skyjo_kept_view*>(&b),
                       sizeof(skyjo_kept_view)) == 0;
}

}  // namespace skyjo::testing
