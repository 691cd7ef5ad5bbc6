/** Sizes are points. */
export interface TextStyle {
  weight: 'regular' | 'bold';
  size: number;
  colour: string;
}

const INK = '#1c2330';
const GREY = '#5b6472';

export const STYLES = {
  title: { weight: 'bold', size: 18, colour: INK },
  subtitle: { weight: 'regular', size: 11, colour: GREY },
  notice: { weight: 'bold', size: 10, colour: INK },
  factLabel: { weight: 'regular', size: 9.5, colour: GREY },
  factValue: { weight: 'regular', size: 9.5, colour: INK },
  heading: { weight: 'bold', size: 12.5, colour: INK },
  note: { weight: 'regular', size: 9, colour: GREY },
  tableHead: { weight: 'bold', size: 9, colour: INK },
  tableCell: { weight: 'regular', size: 9, colour: INK },
  tableTotal: { weight: 'bold', size: 9, colour: INK },
  footer: { weight: 'regular', size: 8, colour: GREY },
} as const satisfies Record<string, TextStyle>;

export const COLOURS = { line: '#d5d9e0', strongLine: '#1c2330', box: '#f3f5f8', accent: '#b45309' } as const;

/** From one line to the next, as a multiple of the size. Marks above and below Arabic letters need the room. */
export const LINE_HEIGHT = 1.45;
/** From the top of a line to the foot of its letters, as a multiple of the size. */
export const BASELINE = 1.05;
