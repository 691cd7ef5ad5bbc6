import { oneLine } from '#rendering/formatters/outside-text.ts';

/** The bare address of a sender that is written as `Name <address>` or as the address alone. */
export function bareAddress(sender: string): string {
  return (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim();
}

/** The name before the address, `''` when there is none. */
export function senderName(sender: string): string {
  const name = /^([^<]*)<[^<>]*>\s*$/.exec(sender)?.[1] ?? '';
  return oneLine(name.trim().replace(/^"(.*)"$/s, '$1'), 120);
}
