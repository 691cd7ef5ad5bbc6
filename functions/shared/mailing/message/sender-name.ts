import { oneLine } from '#rendering/formatters/outside-text.ts';

/** The name before the address, `''` when there is none. */
export function senderName(sender: string): string {
  const name = /^([^<]*)<[^<>]*>\s*$/.exec(sender)?.[1] ?? '';
  return oneLine(name.trim().replace(/^"(.*)"$/s, '$1'), 120);
}
