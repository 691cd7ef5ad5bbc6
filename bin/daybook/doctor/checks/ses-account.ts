import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import type { GetAccountCommandOutput } from '@aws-sdk/client-sesv2';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Lines } from '../../stage/lines.ts';
import { fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** The most addresses of `mail.sandboxRecipients`. */
const MOST_IN_SANDBOX = 20;
/** Corrections and alerts need mails, too: the quota should have room for as many again. */
const ROOM = 2;

/** SES: may this account send, and as many mails as the merchants of the registry get? */
export const sesAccount: Check = {
  name: 'SES account',
  looksAt: () => 'sending, sandbox and quota',
  look: async ({ stage: { lines }, clients, usableRegistry }: CheckedStage) => {
    const account = await clients.ses().send(new GetAccountCommand({}));
    const { merchants } = await usableRegistry();
    return [
      ...sendingFindings(account),
      ...sandboxFindings(account, merchants, lines),
      quotaFinding(account, merchants, lines),
    ];
  },
};

function sendingFindings({ SendingEnabled, EnforcementStatus }: GetAccountCommandOutput): Finding[] {
  const console = 'open SES in the AWS console, "Account dashboard": it names the reason and how to answer';
  if (SendingEnabled === false || EnforcementStatus === 'SHUTDOWN') {
    return [wrong(`sending is paused (${EnforcementStatus ?? 'by the account'}): no mail goes out`, console)];
  }
  return EnforcementStatus === 'PROBATION'
    ? [warning('SES reviews this account and may pause it', console)]
    : [];
}

function sandboxFindings(
  { ProductionAccessEnabled }: GetAccountCommandOutput,
  merchants: readonly MerchantSettings[],
  lines: Lines,
): Finding[] {
  if (ProductionAccessEnabled !== false) return [];
  const recipients = new Set(merchants.flatMap((merchant) => merchant.recipients));
  const mend = lines.aws(
    ...['sesv2', 'put-account-details', '--production-access-enabled'],
    ...['--mail-type', 'TRANSACTIONAL', '--website-url', '<yours>'],
  );
  const found = `SES is in its sandbox: only verified addresses get mail, and the registry has ${recipients.size} recipients`;
  return [recipients.size > MOST_IN_SANDBOX ? wrong(found, mend) : warning(found, mend)];
}

function quotaFinding(
  { SendQuota = {} }: GetAccountCommandOutput,
  merchants: readonly MerchantSettings[],
  lines: Lines,
): Finding {
  const { Max24HourSend: most = 0, SentLast24Hours: sent = 0 } = SendQuota;
  const expected = merchants.reduce((sum, { recipients }) => sum + recipients.length, 0);
  // SES says -1 for an account without a quota.
  const found = `${most === -1 ? 'no quota' : `a quota of ${most} mails a day`}, ${sent} sent in the last 24 hours, ${expected} reports a day`;
  const mend = lines.aws(
    ...['service-quotas', 'request-service-quota-increase', '--service-code', 'ses'],
    ...['--quota-code', 'L-804C8AE8', '--desired-value', '<mails a day>'],
  );
  if (most === -1 || most >= expected * ROOM) return fine(found);
  return most < expected ? wrong(found, mend) : warning(found, mend);
}
