import * as z from 'zod';
import { usableName } from '#registry/group.ts';
import { codeInEntry } from '#registry/registry.ts';
import type { Members } from './json-members.ts';

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

function codeOf(entry: unknown): string | null {
  const code = codeInEntry(entry);
  return typeof code === 'string' ? code : null;
}

/** Reads the parts of a registry. @param text JSON, `undefined` when there is no registry */
export function registryValue(text: string | undefined): RegistryValue {
  const json: unknown = text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  const { service, defaults, merchants, groups, ...others } = members.safeParse(json).data ?? {};
  const entries = byName(merchants, codeOf);
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
