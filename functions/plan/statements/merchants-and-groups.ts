import type { Weekday } from '#records/day/business-day.ts';
import { membersOf, allGroups } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';

/** `reportAt` of the next day is `HH:MM` in the zone. */
export interface ReportClock {
  timeZone: string;
  reportAt: string;
}

export interface Members {
  places: Uint32Array;
  clocks: readonly ReportClock[];
  weekStarts: ReadonlySet<Weekday>;
}

export interface GroupOwner {
  settings: GroupSettings;
  members: Members;
}

/** A merchant's place in the list stands for it: numbers take a tenth of the memory of codes. */
export interface MerchantsAndGroups {
  merchants: readonly MerchantSettings[];
  places: ReadonlyMap<string, number>;
  groups: readonly GroupOwner[];
}

function membersAt(
  codes: readonly string[],
  { merchants, places }: Omit<MerchantsAndGroups, 'groups'>,
): Members {
  const found = new Uint32Array(codes.length);
  const clocks = new Map<string, ReportClock>();
  const weekStarts = new Set<Weekday>();
  let count = 0;
  for (const code of codes) {
    const place = places.get(code);
    const merchant = place === undefined ? undefined : merchants[place];
    if (place === undefined || merchant === undefined) continue;
    found[count] = place;
    count += 1;
    const { timeZone, reportAt, weekStart } = merchant;
    clocks.set(`${timeZone} ${reportAt}`, { timeZone, reportAt });
    weekStarts.add(weekStart);
  }
  return { places: found.slice(0, count), clocks: [...clocks.values()], weekStarts };
}

/** Merchants, and the groups with those of them that are theirs. Groups without pages are left out. */
export function ownersOf(registry: Registry, merchants: readonly MerchantSettings[]): MerchantsAndGroups {
  const places = new Map(merchants.map(({ merchantCode }, place) => [merchantCode, place]));
  // Many groups may have the same merchants, such as "all".
  const known = new Map<string, Members>();
  const groups = allGroups(registry).groups.flatMap((settings): GroupOwner[] => {
    const { daily, weekly, monthly } = settings;
    if (!daily && weekly === undefined && monthly === undefined) return [];
    const name = JSON.stringify(settings.merchants);
    const members = known.get(name) ?? membersAt(membersOf(settings, registry).codes, { merchants, places });
    known.set(name, members);
    return [{ settings, members }];
  });
  return { merchants, places, groups };
}
