import * as harfbuzz from 'harfbuzzjs';

/** A glyph of a run: its number in the font, how far it moves on, and where it stands from there. In the font's units. */
export interface PlacedGlyph {
  id: number;
  advance: number;
  x: number;
  y: number;
}

/** Runs' glyphs from left to right, by HarfBuzz, the shaper of browsers. `features` are on, such as `tnum`. */
export function harfbuzzShaper(font: Uint8Array, features: readonly string[]) {
  const shaped = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(font)));
  return (text: string, direction: 'ltr' | 'rtl'): PlacedGlyph[] => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.setDirection(direction === 'rtl' ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    buffer.setScript(direction === 'rtl' ? 'Arab' : 'Latn');
    buffer.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
    harfbuzz.shape(
      shaped,
      buffer,
      features.map((tag) => new harfbuzz.Feature(tag)),
    );
    const positions = buffer.getGlyphPositions();
    return buffer.getGlyphInfos().map(({ codepoint }, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      return { id: codepoint, advance: xAdvance, x: xOffset, y: yOffset };
    });
  };
}
