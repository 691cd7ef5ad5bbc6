import { ledgerKey } from '#domain/storage/keys.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

/** What ops are told of a revision's mail of which it is not known whether it arrived. */
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
