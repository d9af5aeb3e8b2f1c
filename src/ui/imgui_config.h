// Dear ImGui's compile-time choices, the same for every program: compile with IMGUI_USER_CONFIG="ui/imgui_config.h".
#pragma once

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_FILE_FUNCTIONS           // fonts are inside the program, nothing is saved by ImGui
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS  // links are opened by the Host
#define ImDrawIdx unsigned int                 // WebGL draws without a base vertex: 16 bits would end at 65 536 vertices in a list
#define IMGUI_ENABLE_TEST_ENGINE               // the item hooks of ui/items.cpp; no test engine is linked
