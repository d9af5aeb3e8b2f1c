// The desktop's own windows for choosing a file (zenity or kdialog, where one is installed) and opening a link, each in a process of its own.
#pragma once
#include <string>
#include <vector>

namespace gpudget::app {

// Blocking: call from a thread. The path chosen, or empty: cancelled. `available` false: this desktop has no such window.
std::string choose_file_to_open(bool& available);
std::string choose_file_to_save(const std::string& name, bool& available);
void open_link(const std::string& url);  // http, https and mailto only

// Where a file goes without asking: the person's folder for downloads, else home; a name that is free there ("estimate (2).json").
std::string download_path(const std::string& name);

bool read_file(const std::string& path, std::string& text);  // at most 64 MB
bool write_file(const std::string& path, const void* data, std::size_t size);

}  // namespace gpudget::app
