import { oneLine } from '../formatters/outside-text.ts';

/** `''` when there is none. */
export function senderName(sender: string): string {
  const name = /^([^<]*)<[^<>]*>\s*$/.exec(sender)?.[1] ?? '';
  return oneLine(name.trim().replace(/^"(.*)"$/s, '$1'), 120);
}
