import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { JSONPath } from 'jsonc-parser';
import { isMembers } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { codeInEntry, codesInEntries, parseRegistry } from '#registry/registry.ts';
import { withoutMark } from '../files.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** @param value `undefined` removes what is there */
function edited(given: string, path: JSONPath, value: unknown): string {
  const text = withoutMark(given);
  const margin = /\n([ \t]+)\S/.exec(text)?.[1];
  const formattingOptions = {
    insertSpaces: margin?.startsWith('\t') === false,
    tabSize: margin?.length ?? 2,
  };
  return applyEdits(text, modify(text, path, value, text.includes('\n') ? { formattingOptions } : {}));
}

/** Sets members of the object at a path, made if missing; `undefined` removes one. All other values stay. */
export function withMembers(text: string, members: Members, path: JSONPath = []): string {
  return Object.entries(members).reduce(
    (changed, [name, value]) => edited(changed, [...path, name], value),
    text,
  );
}

/** A text as JSON, with or without a byte order mark. */
export function jsonOf(text: string): unknown {
  return JSON.parse(withoutMark(text));
}

/** Whether an entry of a registry has this code, usable or not. @throws {RegistryError} when it is no registry */
export function hasEntry(text: string, merchantCode: string): boolean {
  return codesInEntries(parseRegistry(withoutMark(text))).has(merchantCode);
}

function entriesIn(text: string): readonly unknown[] {
  const registry = jsonOf(text);
  if (isMembers(registry) && Array.isArray(registry.merchants)) return registry.merchants;
  throw new CommandError('the registry has no list "merchants"');
}

function placeOf(text: string, merchantCode: string): number {
  const places = entriesIn(text).flatMap((entry, index) =>
    codeInEntry(entry) === merchantCode ? [index] : [],
  );
  const [first] = places;
  if (first === undefined) throw new CommandError(`the registry has no merchant ${merchantCode}`);
  if (places.length === 1) return first;
  throw new CommandError(
    `merchant ${merchantCode} appears ${places.length} times in the registry: pull the registry, remove the wrong entries, and push it`,
  );
}

/** A merchant's entry as it is written. @throws {CommandError} when there is none, or more than one */
export function entryOf(text: string, merchantCode: string): Members {
  const entry = entriesIn(text)[placeOf(text, merchantCode)];
  return isMembers(entry) ? entry : {};
}

export function withEntry(text: string, entry: Members): string {
  return edited(text, ['merchants', entriesIn(text).length], entry);
}

/** The text with other members in a merchant's entry. @throws {CommandError} as {@link entryOf} */
export function withEntryMembers(text: string, merchantCode: string, members: Members): string {
  return withMembers(text, members, ['merchants', placeOf(text, merchantCode)]);
}

/** The text without a merchant's entry. @throws {CommandError} as {@link entryOf} */
export function withoutEntry(given: string, merchantCode: string): string {
  const text = withoutMark(given);
  const place = placeOf(text, merchantCode);
  const tree = parseTree(text);
  const { children = [] } = (tree && findNodeAtLocation(tree, ['merchants'])) ?? {};
  const [before, entry, after] = [children[place - 1], children[place], children[place + 1]];
  if (entry === undefined) return text;
  const end = entry.offset + entry.length;
  if (after !== undefined) return text.slice(0, entry.offset) + text.slice(after.offset);
  return text.slice(0, before === undefined ? entry.offset : before.offset + before.length) + text.slice(end);
}
