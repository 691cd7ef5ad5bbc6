import { isolated } from './outside-text.ts';
import type { Texts } from '../texts/texts.ts';

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT0|Universal|Zulu|Greenwich)$/i;
/** POSIX counts to the west: `Etc/GMT+3` is three hours behind UTC. */
const WEST_OF_UTC = /^Etc\/GMT([+-])(\d{1,2})$/;
const OFFSET = /^[+-]\d{2}(?::\d{2})?/;

/** The difference to UTC of a zone that is nothing but such a difference, else `undefined`. */
function offsetOf(timeZone: string): string | undefined {
  const [, sign, hours = ''] = WEST_OF_UTC.exec(timeZone) ?? [];
  if (sign !== undefined) return `${sign === '+' ? '-' : '+'}${hours.padStart(2, '0')}:00`;
  return OFFSET.exec(timeZone)?.[0];
}

/**
 * A time zone as people name it: `Kuwait time`. The names of usual cities are texts of ours. `Intl` would name
 * more of them, but differently from one version of Node to the next, and a mail must always have the same
 * bytes. The name of any other zone is the city of its id.
 */
export function zoneName(timeZone: string, texts: Texts): string {
  if (UTC.test(timeZone)) return texts.say('zone.utc');
  const offset = offsetOf(timeZone);
  if (offset !== undefined) return texts.say('zone.offset', { offset: isolated(`UTC${offset}`) });
  const name = `cities.${timeZone}`;
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return texts.say('zone.of', { city: texts.has(name) ? texts.say(name) : isolated(city) });
}
