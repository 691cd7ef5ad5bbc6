import { ledgerKey } from '#domain/storage/keys.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

/** The notice to ops about a revision's mail that may or may not have arrived. */
export function heldNotice({ merchantCode, day }: Manifest, revision: number, recipients: number) {
  return {
    subject: `Mail held for merchant ${merchantCode}, day ${day}`,
    text: [
      `It is not known whether the mail of revision ${revision} reached ${recipients} of its recipients, so it is not sent again by itself.`,
      `Look into the ledger ${ledgerKey(day, merchantCode, revision)} and at the mail service's own log.`,
      `To send the newest revision again, invoke daily-report with { "merchantCode": "${merchantCode}", "day": "${day}", "resend": true }.`,
    ].join('\n'),
  };
}
