/** The bare address of `Name <address>`, or of the address alone. */
export function bareAddress(sender: string): string {
  return (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim();
}
