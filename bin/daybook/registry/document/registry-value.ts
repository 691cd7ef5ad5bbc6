import * as z from 'zod';
import { codeInEntry } from '#domain/registry/merchant-codes.ts';
import type { Members } from './json-members.ts';

const members = z.lazy(() => z.record(z.string(), z.unknown()));
const list = z.lazy(() => z.array(z.unknown()));

/** The parts of a registry as they are written, usable or not. */
export interface RegistryValue {
  service: Members;
  defaults: Members;
  /** The members beside `service`, `defaults` and `merchants`. */
  others: Members;
  /** The entries by code. More than one where a code appears twice. */
  entries: ReadonlyMap<string, readonly Members[]>;
  /** Entries without a code. */
  nameless: readonly unknown[];
}

/** Reads the parts of a registry. @param text JSON, `undefined` when there is no registry */
export function registryValue(text: string | undefined): RegistryValue {
  const json: unknown = text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  const { service, defaults, merchants, ...others } = members.safeParse(json).data ?? {};
  const entries = new Map<string, Members[]>();
  const nameless: unknown[] = [];
  for (const entry of list.safeParse(merchants).data ?? []) {
    const code = codeInEntry(entry);
    if (typeof code !== 'string') {
      nameless.push(entry);
      continue;
    }
    const known = entries.get(code) ?? [];
    entries.set(code, [...known, members.parse(entry)]);
  }
  return {
    service: members.safeParse(service).data ?? {},
    defaults: members.safeParse(defaults).data ?? {},
    others,
    entries,
    nameless,
  };
}
