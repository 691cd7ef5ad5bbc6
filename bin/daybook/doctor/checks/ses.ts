import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type {
  GetAccountCommandOutput,
  GetEmailIdentityCommandOutput,
  EventDestination,
  EventType,
} from '@aws-sdk/client-sesv2';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { LEAST_PATIENCE } from '#mail/mail-sender.ts';
import type { Lines, Stage } from '../../stage/stage.ts';
import { when } from '../../terminal/command-errors.ts';
import { fine, quotaIncrease, unknown, warning, wrong } from '../check.ts';
import type { Check, Finding } from '../check.ts';

const MOST_IN_SANDBOX = 20;
/** Corrections and alerts need mails, too: the quota should have room for as many again. */
const ROOM = 2;

/** SES: may this account send, as many mails as the merchants of the registry get, and how fast? And by which prices? */
export const sesAccount: Check = {
  name: 'SES account',
  looksAt: () => 'sending, sandbox, quotas and price',
  look: async ({ stage, client, registry }) => {
    const account = await client(SESv2Client).send(new GetAccountCommand({}));
    const { merchants } = await registry();
    const reports = merchants.reduce((sum, { recipients }) => sum + recipients.length, 0);
    return [
      ...sendingFindings(account),
      ...sandboxFindings(account, merchants, stage.lines),
      quotaFinding(account, reports, stage.lines),
      rateFinding(account, reports, stage),
      priceFinding(account),
    ];
  },
};

/** Whether SES lets the account send at all. */
export function sendingFindings({ SendingEnabled, EnforcementStatus }: GetAccountCommandOutput): Finding[] {
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
  const mend = productionAccess(lines);
  const found = `SES is in its sandbox: only verified addresses get mail, and the registry has ${recipients.size} recipients`;
  return [recipients.size > MOST_IN_SANDBOX ? wrong(found, mend) : warning(found, mend)];
}

/** Asks SES to let the account out of its sandbox. */
export function productionAccess(lines: Lines): string {
  return lines.aws(
    ...['sesv2', 'put-account-details', '--production-access-enabled'],
    ...['--mail-type', 'TRANSACTIONAL', '--website-url', '<yours>'],
  );
}

function quotaFinding({ SendQuota = {} }: GetAccountCommandOutput, expected: number, lines: Lines): Finding {
  const { Max24HourSend: most = 0, SentLast24Hours: sent = 0 } = SendQuota;
  // SES says -1 for an account without a quota.
  const found = `${most === -1 ? 'no quota' : `a quota of ${most} mails a day`}, ${sent} sent in the last 24 hours, ${expected} reports a day`;
  const mend = lines.aws(...quotaIncrease('ses', 'L-804C8AE8', '<mails a day>'));
  if (most === -1 || most >= expected * ROOM) return fine(found);
  return most < expected ? wrong(found, mend) : warning(found, mend);
}

/** A run sends one mail after the other. One that SES refuses because of the rate is tried again, but not for long. */
function rateFinding(
  { SendQuota = {} }: GetAccountCommandOutput,
  reports: number,
  { concurrency, lines }: Stage,
): Finding {
  const { MaxSendRate: rate = 0 } = SendQuota;
  const atOnce = Math.min(reports, concurrency.reports + concurrency.backfills + concurrency.alerts);
  const found = `${rate} mails a second; ${atOnce} may be sent at the same time`;
  const seconds = LEAST_PATIENCE / 1_000;
  if (atOnce <= rate * seconds) return fine(found);
  return warning(
    `${found}: after ${seconds} seconds of refusals a mail waits for the next round`,
    lines.aws(...quotaIncrease('ses', 'L-CDEF9B6B', '<mails a second>')),
  );
}

/** By which plan a mail costs. */
export function priceFinding({ PricingAttributes }: GetAccountCommandOutput): Finding {
  const plan = PricingAttributes?.CurrentPlan;
  if (plan === undefined) return unknown('SES does not say the pricing plan of the account');
  return fine(`pricing plan ${plan}: docs/scale.md has its prices`);
}

/** The mail domain in SES: verified, and signed with DKIM? */
export const sesIdentity: Check = {
  name: 'SES identity',
  looksAt: ({ stage }) => stage.mail.identity,
  look: async ({ stage, client }) => {
    const get = new GetEmailIdentityCommand({ EmailIdentity: stage.mail.identity });
    const read = client(SESv2Client).send(get);
    const none = [wrong('SES does not have it: no mail goes out', deploy(stage))];
    return read.then((found) => identityFindings(found, stage)).catch(when(NotFoundException, () => none));
  },
};

function deploy({ name, lines }: Stage): string {
  return lines.cdk('deploy', `Daybook-${name}-Mail`);
}

/** RFC 8058 asks for both headers in the signature. What SES signs, only a mail shows. */
const HOW_TO_SEE_ONE_CLICK = fine(
  'mail programs offer one click where DKIM signs List-Unsubscribe and List-Unsubscribe-Post: look in the source of the first mail for both names in the list h= of DKIM-Signature',
);

function identityFindings(
  { VerifiedForSendingStatus, DkimAttributes = {}, ConfigurationSetName }: GetEmailIdentityCommandOutput,
  stage: Stage,
): Finding[] {
  const { name, mail, lines } = stage;
  const { Status = 'NOT_STARTED', SigningEnabled = false } = DkimAttributes;
  const outputs = ['--stack-name', `Daybook-${name}-Mail`, '--query', 'Stacks[0].Outputs'];
  const records = `add the CNAME records Dkim1 to Dkim3 to your DNS: ${lines.aws('cloudformation', 'describe-stacks', ...outputs)}`;
  const findings: Finding[] = [];
  if (VerifiedForSendingStatus !== true)
    findings.push(wrong('it is not verified: SES refuses every mail', records));
  if (Status !== 'SUCCESS') findings.push(wrong(`DKIM is ${Status}: mails are not signed`, records));
  else if (!SigningEnabled) {
    const sign = ['sesv2', 'put-email-identity-dkim-attributes', '--email-identity', mail.identity];
    findings.push(wrong('DKIM signing is switched off', lines.aws(...sign, '--signing-enabled')));
  }
  if (ConfigurationSetName !== undefined && ConfigurationSetName !== mail.configurationSet)
    findings.push(warning(`its configuration set is ${ConfigurationSetName}`, deploy(stage)));
  if (findings.length > 0) return findings;
  const oneClick = stage.optionalFunctions.unsubscribe === undefined ? [] : [HOW_TO_SEE_ONE_CLICK];
  return [fine('verified, signed with DKIM'), ...oneClick];
}

/** The events that `mail-events` needs, so that ledgers say what became of a mail. */
const NEEDED: readonly EventType[] = ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT', 'SEND'];

/** The configuration set: does it send, and do its events reach EventBridge? */
export const configurationSet: Check = {
  name: 'Configuration set',
  looksAt: ({ stage }) => stage.mail.configurationSet,
  look: async ({ stage, client }) => {
    const { configurationSet: name } = stage.mail;
    const input = { ConfigurationSetName: name };
    try {
      const ses = client(SESv2Client);
      const [set, { EventDestinations: destinations = [] }] = await Promise.all([
        ses.send(new GetConfigurationSetCommand(input)),
        ses.send(new GetConfigurationSetEventDestinationsCommand(input)),
      ]);
      const found = destinationFinding(destinations, deploy(stage));
      if (set.SendingOptions?.SendingEnabled !== false) return [found];
      const enable = ['sesv2', 'put-configuration-set-sending-options', '--configuration-set-name', name];
      const mend = stage.lines.aws(...enable, '--sending-enabled');
      return [wrong('its sending is paused: no mail goes out', mend), found];
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      return [wrong('SES does not have it: every mail is refused', deploy(stage))];
    }
  },
};

function destinationFinding(destinations: readonly EventDestination[], deploy: string): Finding {
  const working = destinations.filter(
    ({ Enabled, EventBridgeDestination }) => Enabled === true && EventBridgeDestination !== undefined,
  );
  const sent = new Set(working.flatMap(({ MatchingEventTypes }) => MatchingEventTypes ?? []));
  const lacking = NEEDED.filter((type) => !sent.has(type));
  if (working.length === 0)
    return wrong('no event destination is enabled: bounces and deliveries are never known', deploy);
  if (lacking.length > 0) return wrong(`its event destination leaves out ${lacking.join(', ')}`, deploy);
  return fine('its events go to EventBridge');
}
