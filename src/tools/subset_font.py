#!/usr/bin/python3
"""subset_font.py OUTPUT.cpp NAME=FONT.otf… : Inter as C++ arrays, functions NAME() of app/fonts.h.

Only what the three languages need is kept (ASCII, Latin-1, Latin Extended-A, the punctuation, arrows, mathematical signs, super- and subscripts of the
interface), without layout tables and hints. Dear ImGui applies no OpenType features, and Inter's default digits differ in width, so numbers that change
would jitter: the digits are mapped to the glyphs that the font's own `tnum` feature would choose.
"""
import io
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x2BC, 0x2BC), (0x2C6, 0x2C7), (0x2D8, 0x2DD), (0x394, 0x394), (0x3BC, 0x3BC), (0x3C0, 0x3C0),
          (0x2009, 0x200A), (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026), (0x202F, 0x202F), (0x2030, 0x2030), (0x2032, 0x2033),
          (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x2079), (0x2080, 0x2089), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2199), (0x21BA, 0x21BB),
          (0x2202, 0x2202), (0x2206, 0x2206), (0x2211, 0x2212), (0x2219, 0x221A), (0x221E, 0x221E), (0x2248, 0x2248), (0x2260, 0x2260), (0x2264, 0x2265),
          (0x2318, 0x2318), (0x25A0, 0x25A1), (0x25B2, 0x25BD), (0x25C6, 0x25CF), (0x2605, 0x2606), (0x2713, 0x2717)]
MUST_HAVE = "0123456789 \u00a0\u202f\u2212\u2013\u2014\u2026\u00d7\u00f7\u2264\u2265\u2248\u2190\u2192\u2191\u2193\u2022áâãàçéêèëíîïóôõúûùüÿœæÁÂÃÀÇÉÊÈËÍÎÏÓÔÕÚÛÙÜŸŒÆ«»“”’"


def tabular(font):
    """glyph -> glyph, as the font's own tnum feature says."""
    table = font["GSUB"].table
    lookups = {i for record in table.FeatureList.FeatureRecord if record.FeatureTag == "tnum" for i in record.Feature.LookupListIndex}
    mapping = {}
    for i in sorted(lookups):
        for step in table.LookupList.Lookup[i].SubTable:
            mapping.update(getattr(getattr(step, "ExtSubTable", step), "mapping", {}))
    return mapping


def subset_of(path):
    font = TTFont(path)
    mapping = tabular(font)
    for table in font["cmap"].tables:
        for digit in range(0x30, 0x3A):
            if digit in table.cmap:
                table.cmap[digit] = mapping.get(table.cmap[digit], table.cmap[digit])  # subtables may share one map
    best = font.getBestCmap()
    digits = [best[digit] for digit in range(0x30, 0x3A)]
    widths = [font["hmtx"][glyph][0] for glyph in digits]
    if max(widths) - min(widths) > 8:  # of 2816 units to the em; SemiBold's own differ by 3
        sys.exit(f"{path}: the digits still differ in width: {widths}")
    for glyph in digits:
        font["hmtx"][glyph] = (max(widths), font["hmtx"][glyph][1])
    missing = [hex(ord(c)) for c in MUST_HAVE if ord(c) not in best]
    if missing:
        sys.exit(f"{path}: has no {', '.join(missing)}")
    options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 13, 14], glyph_names=False, desubroutinize=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "meta", "DSIG"]
    chooser = subset.Subsetter(options)
    chooser.populate(unicodes=[c for first, last in RANGES for c in range(first, last + 1)])
    chooser.subset(font)
    out = io.BytesIO()
    font["head"].modified = font["head"].created  # the same bytes from every build
    font.recalcTimestamp = False
    font.save(out)
    return out.getvalue()


def main():
    output, *fonts = sys.argv[1:]
    lines = ["// Made by subset_font.py from Inter (SIL Open Font License 1.1, assets/fonts/OFL.txt): do not edit.", '#include "app/fonts.h"', "",
             "namespace gpudget::app {", "namespace {"]
    functions = []
    for i, item in enumerate(fonts):
        name, path = item.split("=", 1)
        data = subset_of(path)
        lines.append(f"constexpr unsigned char kFont{i}[{len(data)}] = {{")
        lines += [",".join(map(str, data[at:at + 40])) + "," for at in range(0, len(data), 40)]
        lines.append("};")
        functions.append(f"std::span<const unsigned char> {name}() {{ return kFont{i}; }}")
    lines += ["}  // namespace", ""] + functions + ["", "}  // namespace gpudget::app", ""]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
