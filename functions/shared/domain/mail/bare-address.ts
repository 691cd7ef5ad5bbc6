/** The bare address of a sender that is written as `Name <address>` or as the address alone. */
export function bareAddress(sender: string): string {
  return (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim();
}
