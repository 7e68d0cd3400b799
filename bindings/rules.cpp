// SPDX-License-Identifier: MIT
#include "skyjo/rules.hpp"

#include <cstring>
#include <string>

#include "bindings.hpp"

namespace skyjo::bindings {
namespace {

// The fields of Rules by name: numbers as they are, words as their index, off as OFF.
template <class Visit>
void each_field(Rules& rules, Visit visit) {
    visit("rows", rules.rows);
    visit("columns", rules.columns);
    visit("initial_flips", rules.initial_flips);
    visit("initial_flip_restriction", rules.initial_flip_restriction);
    visit("start_first", rules.start_first);
    visit("start_tie", rules.start_tie);
    visit("start_later", rules.start_later);
    visit("column_removal", rules.column_removal);
    visit("row_removal", rules.row_removal);
    visit("last_turns", rules.last_turns);
    visit("reveal_timing", rules.reveal_timing);
    visit("double", rules.doubling);
    visit("double_factor", rules.double_factor);
    visit("reshuffle", rules.reshuffle);
    visit("reshuffle_timing", rules.reshuffle_timing);
    visit("forbid_same_value_swap", rules.forbid_same_value_swap);
    visit("threshold", rules.threshold);
    visit("max_rounds", rules.max_rounds);
    visit("winner_tie", rules.winner_tie);
    visit("stall_limit", rules.stall_limit);
    visit("max_turns_per_round", rules.max_turns_per_round);
    visit("max_rounds_guard", rules.max_rounds_guard);
}

Counts counts_of(const std::vector<std::pair<int, int>>& deck) {
    Counts counts;
    for (const auto& [value, n] : deck) {
        if ((value != STAR && (value < MIN_VALUE || value > MAX_VALUE)) || n < 0 || n > MAX_COPIES)
            throw py::value_error("deck: expected values -4..13 with 0 to 120 copies each");
        counts[code_of(value)] = static_cast<std::uint8_t>(n);
    }
    if (counts.total() > MAX_CARDS) throw py::value_error("deck: expected at most 240 cards");
    return counts;
}

Rules rules_of(const py::dict& fields, const std::vector<std::pair<int, int>>& deck) {
    Rules rules;
    each_field(rules, [&fields](const char* name, auto& field) {
        using Field = std::remove_reference_t<decltype(field)>;
        field = static_cast<Field>(fields[name].cast<int>());
    });
    rules.deck = counts_of(deck);
    return rules;
}

py::dict words() {
    py::dict result;
    for (const Choice& choice : CHOICES) {
        py::list list;
        for (const std::string_view word : choice.words)
            if (!word.empty()) list.append(py::str(word.data(), word.size()));
        result[py::str(choice.field.data(), choice.field.size())] = py::tuple(list);
    }
    return result;
}

py::dict defaults() {
    py::dict result;
    Rules rules;
    each_field(rules, [&result](const char* name, auto& field) {
        result[name] = static_cast<int>(field);
    });
    return result;
}

}  // namespace

void register_rules(py::module_& module) {
    module.attr("OFF") = OFF;
    module.attr("RULE_WORDS") = words();
    module.attr("RULE_DEFAULTS") = defaults();
    py::class_<Setup, std::shared_ptr<Setup>>(module, "Setup",
                                              "Rules as the core reads them, checked.")
        .def(py::init([](const py::dict& fields, const std::vector<std::pair<int, int>>& deck) {
                 const Rules rules = rules_of(fields, deck);
                 if (!faults(rules).empty())
                     throw py::value_error("Setup: expected rules without faults");
                 return std::make_shared<Setup>(rules);
             }),
             py::arg("fields"), py::arg("deck"))
        .def_property_readonly("max_seats", [](const Setup& setup) { return setup.max_seats; })
        .def_property_readonly("values", [](const Setup& setup) {
            py::tuple values(setup.known.n_values);
            for (std::size_t i = 0; i < setup.known.n_values; ++i)
                values[i] = value_of(setup.known.values[i]);
            return values;
        });
    module.def(
        "rule_faults",
        [](const py::dict& fields, const std::vector<std::pair<int, int>>& deck) {
            py::list result;
            for (const RulesFault& fault : faults(rules_of(fields, deck)))
                result.append(py::make_tuple(std::string(fault.field), fault.expected));
            return result;
        },
        py::arg("fields"), py::arg("deck"),
        "All that is wrong with these rules: (field, what it may hold).");
}

}  // namespace skyjo::bindings
