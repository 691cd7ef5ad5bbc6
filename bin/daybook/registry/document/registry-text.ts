import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { codeInEntry } from '#registry/registry.ts';
import { CommandError } from '../../terminal/command-errors.ts';
import { indentedJson, indentOf, withMembers } from './json-members.ts';
import type { Members } from './json-members.ts';
import * as z from 'zod';
import { usableName } from '#registry/group.ts';

export { withMembers } from './json-members.ts';

/** An entry of `merchants` as it is written. */
interface EntryText {
  /** What the entry has as its code. */
  code: unknown;
  text: string;
  /** The blanks before it, behind the comma or the bracket. */
  before: string;
}

/** The new text of an entry, or how to make it, by code. `undefined`: the entry goes. */
type EntryEdits = ReadonlyMap<string, string | ((text: string) => string) | undefined>;

/**
 * The text of a registry, to be edited. Everything that is not edited stays as it is written: the order, the
 * form, and members that are not known.
 */
export interface RegistryText {
  readonly entries: readonly EntryText[];
  /** Adds an entry at the end, in the form of the others. `entry` may be the text of one. */
  add: (entry: Members | string) => RegistryText;
  /** Sets members of a merchant's entry. `undefined` removes one. @throws {CommandError} see {@link entry} */
  change: (merchantCode: string, members: Members) => RegistryText;
  /** Edits entries by code, all at once. Adds those that are not there. No code may appear twice. */
  edit: (edits: EntryEdits) => RegistryText;
  /** @throws {CommandError} see {@link entry} */
  remove: (merchantCode: string) => RegistryText;
  /** Sets members of the registry itself, or of its `service` or `defaults`. `undefined` removes one. */
  changeFrame: (member: 'service' | 'defaults' | undefined, members: Members) => RegistryText;
  /** The text of a merchant's entry. @throws {CommandError} when there is none, or more than one */
  entry: (merchantCode: string) => string;
  toText: () => string;
}

interface Parts {
  /** Up to the bracket that opens the list. */
  head: string;
  entries: readonly EntryText[];
  /** From the end of the last entry on. */
  tail: string;
}

/**
 * Reads the text of a registry. It must be one: `parseRegistry` has read it.
 *
 * @throws {CommandError} when it has no list of merchants
 */
export function readRegistryText(text: string): RegistryText {
  return registryText(partsOf(text.replace(/^\uFEFF/, '')));
}

function partsOf(text: string): Parts {
  const tree = parseTree(text);
  const list = tree === undefined ? undefined : findNodeAtLocation(tree, ['merchants']);
  if (list?.type !== 'array') throw new CommandError('the registry has no list "merchants"');
  const nodes = list.children ?? [];
  const opening = list.offset + 1;
  let end = opening;
  const entries = nodes.map((node): EntryText => {
    const between = text.slice(end, node.offset).replace(',', '');
    end = node.offset + node.length;
    return { code: codeOf(node), text: text.slice(node.offset, end), before: between };
  });
  return { head: text.slice(0, opening), entries, tail: text.slice(end) };
}

function codeOf(entry: Node): unknown {
  const code = findNodeAtLocation(entry, ['merchantCode']);
  const value: unknown = code?.value;
  return value;
}

function textOf({ head, entries, tail }: Parts): string {
  const list = entries.map(({ before, text }, index) => `${index === 0 ? '' : ','}${before}${text}`);
  return `${head}${list.join('')}${tail}`;
}

function isOnLines({ head, tail }: Parts): boolean {
  return /\n/.test(head + tail);
}

function newEntry(parts: Parts, entry: Members | string): Parts {
  const code = typeof entry === 'string' ? codeInEntry(JSON.parse(entry)) : entry['merchantCode'];
  const last = parts.entries.at(-1);
  const unit = indentOf(parts.head + (last?.text ?? ''));
  const before = last?.before ?? (isOnLines(parts) ? `\n${unit.repeat(2)}` : '');
  const margin = /\n([ \t]*)$/.exec(before)?.[1];
  const written = margin === undefined ? JSON.stringify(entry) : indentedJson(entry, unit, margin);
  const text = typeof entry === 'string' ? entry : written;
  const isFirst = last === undefined && margin !== undefined;
  const tail = isFirst ? `\n${unit}${parts.tail.trimStart()}` : parts.tail;
  return { ...parts, entries: [...parts.entries, { code, text, before }], tail };
}

/** The entry with its edit, nothing when it goes. */
function editedEntry(entry: EntryText, edits: EntryEdits): EntryText[] {
  const { code, text } = entry;
  if (typeof code !== 'string' || !edits.has(code)) return [entry];
  const edit = edits.get(code);
  if (edit === undefined) return [];
  return [{ ...entry, text: typeof edit === 'string' ? edit : edit(text) }];
}

function withEdits(parts: Parts, edits: EntryEdits): Parts {
  const codes = new Set(parts.entries.map(({ code }) => code));
  const entries = parts.entries.flatMap((entry) => editedEntry(entry, edits));
  const added = [...edits].flatMap(([code, edit]) =>
    typeof edit === 'string' && !codes.has(code) ? [edit] : [],
  );
  return added.reduce<Parts>(newEntry, { ...parts, entries });
}

/** The place of a merchant's entry. @throws {CommandError} when there is none, or more than one */
function placeOf({ entries }: Parts, merchantCode: string): number {
  const places = entries.flatMap(({ code }, index) => (code === merchantCode ? [index] : []));
  const [first] = places;
  if (first === undefined) throw new CommandError(`the registry has no merchant ${merchantCode}`);
  if (places.length === 1) return first;
  throw new CommandError(
    `merchant ${merchantCode} appears ${places.length} times in the registry: pull the registry, remove the wrong entries, and push it`,
  );
}

function registryText(parts: Parts): RegistryText {
  const edited = (merchantCode: string, edit: ((text: string) => string) | undefined) => {
    placeOf(parts, merchantCode);
    return registryText(withEdits(parts, new Map([[merchantCode, edit]])));
  };
  return {
    entries: parts.entries,
    entry: (merchantCode) => parts.entries[placeOf(parts, merchantCode)]?.text ?? '',
    add: (entry) => registryText(newEntry(parts, entry)),
    change: (merchantCode, members) => edited(merchantCode, (text) => withMembers(text, members)),
    remove: (merchantCode) => edited(merchantCode, undefined),
    edit: (edits) => registryText(withEdits(parts, edits)),
    changeFrame: (member, members) =>
      Object.keys(members).length === 0
        ? registryText(parts)
        : readRegistryText(withMembers(textOf(parts), members, member === undefined ? [] : [member])),
    toText: () => textOf(parts),
  };
}

const members = z.lazy(() => z.record(z.string(), z.unknown()));
const list = z.lazy(() => z.array(z.unknown()));

/** The parts of a registry as they are written, usable or not. */
export interface RegistryValue {
  service: Members;
  defaults: Members;
  /** The members beside `service`, `defaults`, `merchants` and `groups`. */
  others: Members;
  /** The entries by code. More than one where a code appears twice. */
  entries: ReadonlyMap<string, readonly Members[]>;
  /** Entries without a code. */
  nameless: readonly unknown[];
  /** As they are written, `undefined` when there are none. */
  groups: unknown;
  /** The groups by name. More than one where a name appears twice. */
  groupsByName: ReadonlyMap<string, readonly Members[]>;
  /** Groups without a name that can be used. */
  namelessGroups: readonly unknown[];
}

/** The members of a list by their names, and those without one. */
function byName(given: unknown, nameOf: (one: unknown) => string | null) {
  const named = new Map<string, Members[]>();
  const nameless: unknown[] = [];
  for (const one of list.safeParse(given).data ?? []) {
    const name = nameOf(one);
    if (name === null) {
      nameless.push(one);
      continue;
    }
    const known = named.get(name);
    if (known === undefined) named.set(name, [members.parse(one)]);
    else known.push(members.parse(one));
  }
  return { named, nameless };
}

function nameOfEntry(entry: unknown): string | null {
  const code = codeInEntry(entry);
  return typeof code === 'string' ? code : null;
}

/** Reads the parts of a registry. @param text JSON, `undefined` when there is no registry */
export function registryValue(text: string | undefined): RegistryValue {
  const json: unknown = text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  const { service, defaults, merchants, groups, ...others } = members.safeParse(json).data ?? {};
  const entries = byName(merchants, nameOfEntry);
  const found = byName(groups, usableName);
  return {
    service: members.safeParse(service).data ?? {},
    defaults: members.safeParse(defaults).data ?? {},
    others,
    entries: entries.named,
    nameless: entries.nameless,
    groups,
    groupsByName: found.named,
    namelessGroups: found.nameless,
  };
}
