import { isSameJson } from '#domain/json/same-json.ts';
import type { Members } from '../document/json-members.ts';
import { registryValue } from '../document/registry-value.ts';
import type { RegistryValue } from '../document/registry-value.ts';

/** What differs between two registries, by merchant and member. No values. */
export interface Differences {
  /** Codes. */
  added: string[];
  /** Codes. */
  removed: string[];
  changed: { merchantCode: string; members: string[] }[];
  /** Members of `defaults`. */
  defaults: string[];
  /** Members of `service`. */
  service: string[];
  /** Other members of the registry. */
  others: string[];
}

/** The names of the members that are not the same, those of `before` first. */
export function changedNames(before: Members, after: Members): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSameJson(before[name], after[name]));
}

function changedMembers(before: RegistryValue, after: RegistryValue): Differences['changed'] {
  return [...after.entries].flatMap(([merchantCode, entries]) => {
    const earlier = before.entries.get(merchantCode);
    if (earlier === undefined) return [];
    const [[was], [is]] = [earlier, entries];
    const isSingle = earlier.length === 1 && entries.length === 1;
    // Which of several entries is meant is not known, so the entry as a whole changes.
    const members = isSingle
      ? changedNames(was ?? {}, is ?? {})
      : isSameJson(earlier, entries)
        ? []
        : ['merchantCode'];
    return members.length === 0 ? [] : [{ merchantCode, members }];
  });
}

/** What differs between two registries. @param before `undefined` when there was none */
export function differencesOf(before: string | undefined, after: string): Differences {
  const [was, is] = [registryValue(before), registryValue(after)];
  return {
    added: [...is.entries.keys()].filter((code) => !was.entries.has(code)),
    removed: [...was.entries.keys()].filter((code) => !is.entries.has(code)),
    changed: changedMembers(was, is),
    defaults: changedNames(was.defaults, is.defaults),
    service: changedNames(was.service, is.service),
    others: [
      ...changedNames(was.others, is.others),
      ...(isSameJson(was.nameless, is.nameless) ? [] : ['merchants']),
    ],
  };
}

/** Whether nothing differs but the form of the text. */
export function isSame(differences: Differences): boolean {
  return Object.values(differences).every((list: unknown[]) => list.length === 0);
}
