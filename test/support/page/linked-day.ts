import { addressHash } from '#records/storage/keys.ts';
import { CODE, DAY, type DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

/** The secret with the key of links, and the variables of functions that make or read links. */
export const LINKS_SECRET = 'daybook/prod/links-key';
export const READER = `owner-${CODE}@merchants.example`;
export const READER_HASH = addressHash(READER);

export function linkVariables(origin: string): Record<string, string> {
  return {
    LINKS_SECRET,
    LINKS_ROLE: 'arn:aws:iam::000000000000:role/daybook-prod-linked-files',
    LINKS_FILES: `${origin}/d/`,
  };
}

/** Gives the world a key of links, and a day whose CSV is too large for a mail. */
export function seedLinkedDay(world: DaybookWorld): void {
  world.aws.secrets.put(LINKS_SECRET, 'first key of the links, long enough');
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 2 });
  for (let row = 0; row < 200; row += 1) {
    world.payments.data.insertInvoice(CODE, DAY, { description: `${row} `.padEnd(40_000, 'Kaffee — قهوة ') });
  }
}

export function linksIn(html: string, start: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href]) => defined(href))
    .filter((href) => href.startsWith(start));
}
