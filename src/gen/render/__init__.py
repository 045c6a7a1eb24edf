"""Drawing primitives: every picture of an item is made by these.

Pictures are uint8 RGB arrays (H, W, 3), C-contiguous. Whatever draws does so in place and returns
None. Nothing here draws random numbers, and lines and fills are not anti-aliased: each drawn pixel
has exactly the colour that a legend names.
"""
