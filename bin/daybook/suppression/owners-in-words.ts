import { firstNamed } from '../terminal/counted.ts';

/** Who has an address: merchants by code, groups by name. */
export interface Owners {
  readonly merchants: readonly string[];
  readonly groups: readonly string[];
}

/** The owners of an address, such as `700001, 700002 and 3 more, group shops`. Empty when nobody has it. */
export function ownersInWords({ merchants, groups }: Owners, most: number): string {
  const owners = [...merchants, ...groups.map((name) => `group ${name}`)];
  return firstNamed(owners, most);
}
