# The interface's tests draw with the real fonts, without a window.
target_link_libraries(test_ui PRIVATE gpudget_fonts)
