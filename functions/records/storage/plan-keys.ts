/** @param name such as `daily/20261121T030000Z` */
export function planItemsKey(name: string): string {
  return `plan/${name}.json`;
}

/** Exists until its execution has reported its end, and names its items. */
export const OPEN_ROUNDS = 'plan/open/daily/';

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

export function openRoundKey(itemsKey: string): string {
  return `${OPEN_ROUNDS}${nameIn(itemsKey)}`;
}

/** `undefined` for every other key. */
export function itemsKeyOfOpenRound(key: string): string | undefined {
  const itemsKey = planItemsKey(`daily/${nameIn(key).replace(/\.json$/, '')}`);
  return TICK_ITEMS.test(itemsKey) && openRoundKey(itemsKey) === key ? itemsKey : undefined;
}

/** Items of a tick of the reports. Items that were planned by hand have a longer name. */
const TICK_ITEMS = /^plan\/daily\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.json$/;

/** The tick of these items, milliseconds UTC; not a number for another key. */
export function tickInItemsKey(itemsKey: string): number {
  const [, ...parts] = TICK_ITEMS.exec(itemsKey) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
