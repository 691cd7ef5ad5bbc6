import type { BadDefault } from './defaults.ts';

/** The number of entries and groups that inherit each bad default. */
export class HeirCounts {
  readonly #entries = new Map<BadDefault, number>();
  readonly #groups = new Map<BadDefault, number>();

  note(inherited: readonly BadDefault[], owner: 'entry' | 'group'): void {
    const counts = owner === 'entry' ? this.#entries : this.#groups;
    for (const bad of inherited) counts.set(bad, (counts.get(bad) ?? 0) + 1);
  }

  /** Such as `2 entries and 1 group inherit it`, `undefined` when nothing does. */
  consequenceOf(bad: BadDefault): string | undefined {
    const [entries, groups] = [this.#entries.get(bad) ?? 0, this.#groups.get(bad) ?? 0];
    if (entries + groups === 0) return undefined;
    const heirs = [
      ...(entries === 0 ? [] : [`${entries} ${entries === 1 ? 'entry' : 'entries'}`]),
      ...(groups === 0 ? [] : [`${groups} ${groups === 1 ? 'group' : 'groups'}`]),
    ];
    return `${heirs.join(' and ')} ${entries + groups === 1 ? 'inherits' : 'inherit'} it`;
  }
}
