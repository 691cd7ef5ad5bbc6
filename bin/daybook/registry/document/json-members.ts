import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { isMembers } from '#records/json/exact-json.ts';

/** Members to set. `undefined` removes one. */
export type Members = Readonly<Record<string, unknown>>;

/** What one level is indented by in a text. Two blanks where it shows none. */
export function indentOf(text: string): string {
  const margins = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, margin = '']) => margin);
  const [first = '', ...others] = margins;
  const deeper = others.find((margin) => margin.length > first.length && margin.startsWith(first));
  if (first !== '' && deeper === undefined) return first;
  return deeper?.slice(first.length) ?? '  ';
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (!isMembers(value)) return JSON.stringify(value);
  const members = written(value).map(([name, member]) => `${JSON.stringify(name)}: ${inLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function written(members: Members): [string, unknown][] {
  return Object.entries(members).filter(([, member]) => member !== undefined);
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasObjects) : isMembers(value);
}

/**
 * A value as JSON on several lines. Lists of plain values stay on one line.
 *
 * @param margin the blanks at the beginning of the line on which the value begins
 */
export function indentedJson(value: unknown, unit: string, margin: string): string {
  if (!hasObjects(value)) return inLine(value);
  const inner = margin + unit;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${indentedJson(item, unit, inner)}`);
    return `[\n${items.join(',\n')}\n${margin}]`;
  }
  const lines = (isMembers(value) ? written(value) : []).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${indentedJson(member, unit, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${margin}}`;
}

/**
 * A JSON text with other members in the object at a path. All the rest stays as it is written. The text must be
 * JSON, and the path that of an object in it.
 */
export function withMembers(text: string, members: Members, path: readonly string[] = []): string {
  return Object.entries(members).reduce(
    (changed, [name, value]) => withMember(changed, path, name, value),
    text,
  );
}

function withMember(text: string, path: readonly string[], name: string, value: unknown): string {
  const tree = parseTree(text);
  const object = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  if (object?.type !== 'object') {
    const [last] = path.slice(-1);
    if (last === undefined) throw new TypeError('the text is no object');
    return withMember(text, path.slice(0, -1), last, { [name]: value });
  }
  const properties = object.children ?? [];
  const place = properties.findIndex((property) => property.children?.[0]?.value === name);
  if (value === undefined) return place === -1 ? text : without(text, object, properties, place);
  return properties[place] === undefined
    ? withNew(text, object, properties, name, value)
    : withValue(text, properties[place], value);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function spliced(text: string, start: number, end: number, between: string): string {
  return text.slice(0, start) + between + text.slice(end);
}

function without(text: string, object: Node, properties: readonly Node[], place: number): string {
  const [before, property, after] = [properties[place - 1], properties[place], properties[place + 1]];
  if (property === undefined) return text;
  if (after !== undefined) return spliced(text, property.offset, after.offset, '');
  if (before !== undefined) return spliced(text, endOf(before), endOf(property), '');
  return spliced(text, object.offset, endOf(object), '{}');
}

/** The blanks before a place on its line, `undefined` when anything else precedes it on that line. */
function marginAt(text: string, offset: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(text.slice(Math.max(0, offset - 1_000), offset))?.[1];
}

function withValue(text: string, property: Node, value: unknown): string {
  const old = property.children?.[1];
  if (old === undefined) return text;
  const margin = marginAt(text, property.offset);
  const json = margin === undefined ? inLine(value) : indentedJson(value, indentOf(text), margin);
  return spliced(text, old.offset, endOf(old), json);
}

function withNew(
  text: string,
  object: Node,
  properties: readonly Node[],
  name: string,
  value: unknown,
): string {
  const last = properties.at(-1);
  const isMinified = !/\s/.test(text.slice(object.offset, object.offset + 2)) && !text.includes('\n');
  if (last === undefined) {
    return spliced(text, object.offset, endOf(object), `{${JSON.stringify(name)}: ${inLine(value)}}`);
  }
  const margin = marginAt(text, last.offset);
  const separator = margin === undefined ? (isMinified ? ',' : ', ') : `,\n${margin}`;
  const json = margin === undefined ? inLine(value) : indentedJson(value, indentOf(text), margin);
  return spliced(text, endOf(last), endOf(last), `${separator}${JSON.stringify(name)}: ${json}`);
}
