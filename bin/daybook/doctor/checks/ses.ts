import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
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
import type { Check, Finding, CheckedStage } from '../check.ts';

const MOST_IN_SANDBOX = 20;
/** Corrections and alerts need mails, too: the quota should have room for as many again. */
const ROOM = 2;

/**
 * What 1,000 mails cost, in US dollars of us-east-1, and what a plan costs a month. From AWS's price list of 2026-07-22, as quoted by
 * github.com/api-evangelist/amazon-ses on 2026-08-13. Since 2026-07-21 a new account has ESSENTIALS.
 */
const PRICES = new Map<string, string>([
  ['NONE', 'no pricing plan: 0.10 dollars for 1,000 mails'],
  ['ESSENTIALS', 'pricing plan ESSENTIALS: 0.16 dollars for 1,000 mails'],
  ['PRO', 'pricing plan PRO: 0.22 dollars for 1,000 mails, and 105 a month'],
  ['ENTERPRISE', 'pricing plan ENTERPRISE: 0.23 dollars for 1,000 mails, and 500 a month'],
]);

/** SES: may this account send, as many mails as the merchants of the registry get, and how fast? And what does a mail cost? */
export const sesAccount: Check = {
  name: 'SES account',
  looksAt: () => 'sending, sandbox, quotas and price',
  look: async ({ stage, clients, usableRegistry }: CheckedStage) => {
    const account = await clients.ses().send(new GetAccountCommand({}));
    const { merchants } = await usableRegistry();
    return [
      ...sendingFindings(account),
      ...sandboxFindings(account, merchants, stage.lines),
      quotaFinding(account, merchants, stage.lines),
      rateFinding(account, merchants, stage),
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

function quotaFinding(
  { SendQuota = {} }: GetAccountCommandOutput,
  merchants: readonly MerchantSettings[],
  lines: Lines,
): Finding {
  const { Max24HourSend: most = 0, SentLast24Hours: sent = 0 } = SendQuota;
  const expected = reportsOf(merchants);
  // SES says -1 for an account without a quota.
  const found = `${most === -1 ? 'no quota' : `a quota of ${most} mails a day`}, ${sent} sent in the last 24 hours, ${expected} reports a day`;
  const mend = lines.aws(...quotaIncrease('ses', 'L-804C8AE8', '<mails a day>'));
  if (most === -1 || most >= expected * ROOM) return fine(found);
  return most < expected ? wrong(found, mend) : warning(found, mend);
}

function reportsOf(merchants: readonly MerchantSettings[]): number {
  return merchants.reduce((sum, { recipients }) => sum + recipients.length, 0);
}

/** A run sends one mail after the other. One that SES refuses because of the rate is tried again, but not for long. */
function rateFinding(
  { SendQuota = {} }: GetAccountCommandOutput,
  merchants: readonly MerchantSettings[],
  { concurrency, lines }: Stage,
): Finding {
  const { MaxSendRate: rate = 0 } = SendQuota;
  const runs = concurrency.reports + concurrency.backfills + concurrency.alerts;
  const atOnce = Math.min(reportsOf(merchants), runs);
  const found = `${rate} mails a second; ${atOnce} may be sent at the same time`;
  const seconds = LEAST_PATIENCE / 1_000;
  if (atOnce <= rate * seconds) return fine(found);
  return warning(
    `${found}: after ${seconds} seconds of refusals a mail waits for the next round`,
    lines.aws(...quotaIncrease('ses', 'L-CDEF9B6B', '<mails a second>')),
  );
}

/** What a mail costs. */
export function priceFinding({
  PricingAttributes: { CurrentPlan: plan } = {},
}: GetAccountCommandOutput): Finding {
  if (plan === undefined) return unknown('SES does not say the pricing plan of the account');
  const price = PRICES.get(plan);
  return price === undefined ? unknown(`pricing plan ${plan}: its price is not known`) : fine(price);
}

/** The mail domain in SES: verified, and signed with DKIM? */
export const sesIdentity: Check = {
  name: 'SES identity',
  looksAt: ({ stage }) => stage.mail.identity,
  look: async ({ stage, clients }: CheckedStage) => {
    const read = clients.ses().send(new GetEmailIdentityCommand({ EmailIdentity: stage.mail.identity }));
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
  if (VerifiedForSendingStatus !== true) {
    findings.push(wrong('it is not verified: SES refuses every mail', records));
  }
  if (Status !== 'SUCCESS') findings.push(wrong(`DKIM is ${Status}: mails are not signed`, records));
  else if (!SigningEnabled) {
    findings.push(
      wrong(
        'DKIM signing is switched off',
        lines.aws(
          ...['sesv2', 'put-email-identity-dkim-attributes'],
          ...['--email-identity', mail.identity, '--signing-enabled'],
        ),
      ),
    );
  }
  if (ConfigurationSetName !== undefined && ConfigurationSetName !== mail.configurationSet) {
    findings.push(warning(`its configuration set is ${ConfigurationSetName}`, deploy(stage)));
  }
  return findings.length > 0
    ? findings
    : [
        fine('verified, signed with DKIM'),
        ...(stage.optionalFunctions.unsubscribe !== undefined ? [HOW_TO_SEE_ONE_CLICK] : []),
      ];
}

/** The events that `mail-events` needs, so that ledgers say what became of a mail. */
const NEEDED: readonly EventType[] = ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT', 'SEND'];

/** The configuration set: does it send, and do its events reach EventBridge? */
export const configurationSet: Check = {
  name: 'Configuration set',
  looksAt: ({ stage }) => stage.mail.configurationSet,
  look: async ({ stage, clients }: CheckedStage) => {
    const { configurationSet: name } = stage.mail;
    const deploy = stage.lines.cdk('deploy', `Daybook-${stage.name}-Mail`);
    const input = { ConfigurationSetName: name };
    try {
      const ses = clients.ses();
      const [set, { EventDestinations: destinations = [] }] = await Promise.all([
        ses.send(new GetConfigurationSetCommand(input)),
        ses.send(new GetConfigurationSetEventDestinationsCommand(input)),
      ]);
      const isOff = set.SendingOptions?.SendingEnabled === false;
      const enable = stage.lines.aws(
        ...['sesv2', 'put-configuration-set-sending-options'],
        ...['--configuration-set-name', name, '--sending-enabled'],
      );
      return [
        ...(isOff ? [wrong('its sending is paused: no mail goes out', enable)] : []),
        destinationFinding(destinations, deploy),
      ];
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      return [wrong('SES does not have it: every mail is refused', deploy)];
    }
  },
};

function destinationFinding(destinations: readonly EventDestination[], deploy: string): Finding {
  const working = destinations.filter(
    ({ Enabled, EventBridgeDestination }) => Enabled === true && EventBridgeDestination !== undefined,
  );
  const sent = new Set(working.flatMap(({ MatchingEventTypes }) => MatchingEventTypes ?? []));
  const lacking = NEEDED.filter((type) => !sent.has(type));
  if (lacking.length === 0) return fine('its events go to EventBridge');
  return wrong(
    working.length === 0
      ? 'no event destination is enabled: bounces and deliveries are never known'
      : `its event destination leaves out ${lacking.join(', ')}`,
    deploy,
  );
}
