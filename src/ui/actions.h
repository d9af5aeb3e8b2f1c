// The one small set of changes. Every control, key, link and message goes through these, so that undo, the URL and tests see them all;
// the estimate is renewed at once, so that what is drawn later in the same frame is already the new answer.
#pragma once
#include <string_view>

#include "formats/schema.h"
#include "ui/state.h"

namespace gpudget::ui {

// On error the scenario stays and the error stands beside its field. `key`: changes with the same key are one step while it is open.
bool set_field(State& s, std::string_view path, const formats::Value& value, std::string_view key = {});
void set_scenario(State& s, const Scenario& scenario, std::string_view key = {}, bool by_host = false);
void start_with(State& s, const Scenario& scenario);  // no step to go back to
void apply(State& s, AdviceId advice);
bool undo(State& s);
bool redo(State& s);
void reset(State& s);  // to the defaults; undo brings it back
// A config.json becomes the model; what it left out is kept to be shown.
formats::Result<void> use_config(State& s, std::string_view json);
// Another tool's file became the scenario; what was read, assumed and ignored is kept to be shown.
void use_import(State& s, formats::Imported imported);
void pin(State& s);
void unpin(State& s, std::size_t index);
void refuse(State& s, formats::Error error, bool from_outside = false, std::string_view source = {});
void dismiss_error(State& s);
void dismiss_import(State& s);

// The scenario that an item of advice leads to: core's, and for a larger GPU the catalog's cheapest on which it fits.
Scenario advised(const State& s, AdviceId advice);
// What a choice would need: this scenario's device memory with `path` set to `choice`; nothing where the choice is not possible.
std::optional<Bytes> device_with(const State& s, std::string_view path, std::string_view choice);

}  // namespace gpudget::ui
