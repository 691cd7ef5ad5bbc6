import * as fc from 'fast-check';
import { isExactInteger, isMembers } from '#records/json/exact-json.ts';

/** One of the ways in which a service may print JSON. */
export interface Style {
  slashes: 'plain' | 'escaped';
  /** Which characters of texts are written as `\uXXXX`. */
  escaped: 'none' | 'not ASCII' | 'every third' | 'all';
  /** Whether that holds for names, too. */
  names: boolean;
  /** Stands after brackets, colons and commas. */
  blank: string;
}

/** As `JSON.stringify` prints it. */
export const PLAIN: Style = { slashes: 'plain', escaped: 'none', names: false, blank: '' };

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

const IS_ESCAPED: Record<Style['escaped'], (code: number, at: number) => boolean> = {
  none: () => false,
  'not ASCII': (code) => code > 0x7f,
  'every third': (_code, at) => at % 3 === 0,
  all: () => true,
};

function printedText(text: string, { slashes, escaped }: Style): string {
  const units = Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return IS_ESCAPED[escaped](code, at) ? unit(code) : JSON.stringify(text.charAt(at)).slice(1, -1);
  });
  const printed = escaped === 'none' ? JSON.stringify(text) : `"${units.join('')}"`;
  return slashes === 'escaped' ? printed.replaceAll('/', '\\/') : printed;
}

/** A value as JSON in this style. */
export function printed(value: unknown, style: Style = PLAIN): string {
  const { blank } = style;
  if (typeof value === 'string') return printedText(value, style);
  if (Array.isArray(value)) {
    return `[${blank}${value.map((item) => printed(item, style)).join(`,${blank}`)}]`;
  }
  if (!isMembers(value) || isExactInteger(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${printedText(name, style.names ? style : PLAIN)}:${blank}${printed(member, style)}`,
  );
  return `{${blank}${members.join(`,${blank}`)}}`;
}

/** Any of them. */
export const anyStyle: fc.Arbitrary<Style> = fc.record({
  slashes: fc.constantFrom('plain', 'escaped'),
  escaped: fc.constantFrom('none', 'none', 'none', 'not ASCII', 'every third', 'all'),
  names: fc.constantFrom(false, false, false, true),
  blank: fc.constantFrom('', '', '', '', ' ', '\n', '\t\r\n '),
});
