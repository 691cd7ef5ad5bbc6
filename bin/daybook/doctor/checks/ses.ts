import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { GetAccountCommandOutput, EventType } from '@aws-sdk/client-sesv2';
import { LEAST_PATIENCE } from '#mail/mail-sender.ts';
import type { Lines, Stage } from '../../stage/stage.ts';
import { when } from '../../terminal/command-errors.ts';
import { fine, quotaIncrease, unknown, warning, wrong, type Check, type Finding } from '../check.ts';

const MOST_IN_SANDBOX = 20;
/** Corrections and alerts need mails, too: the quota should have room for as many again. */
const ROOM = 2;

/** SES: may this account send, as many mails as the merchants of the registry get, and how fast? And by which prices? */
export const sesAccount: Check = {
  name: 'SES account',
  looksAt: () => 'sending, sandbox, quotas and price',
  look: async ({ stage: { lines, concurrency }, client, registry }) => {
    const account = await client(SESv2Client).send(new GetAccountCommand({}));
    const recipients = (await registry()).merchants.flatMap((merchant) => merchant.recipients);
    const findings = sendingFindings(account);
    if (account.ProductionAccessEnabled === false) {
      const all = new Set(recipients).size;
      const found = `SES is in its sandbox: only verified addresses get mail, and the registry has ${all} recipients`;
      findings.push((all > MOST_IN_SANDBOX ? wrong : warning)(found, productionAccess(lines)));
    }
    const {
      Max24HourSend: most = 0,
      SentLast24Hours: sent = 0,
      MaxSendRate: rate = 0,
    } = account.SendQuota ?? {};
    // SES says -1 for an account without a quota.
    const quota = most === -1 ? 'no quota' : `a quota of ${most} mails a day`;
    const mails = `${quota}, ${sent} sent in the last 24 hours, ${recipients.length} reports a day`;
    const moreMails = lines.aws(...quotaIncrease('ses', 'L-804C8AE8', '<mails a day>'));
    if (most === -1 || most >= recipients.length * ROOM) findings.push(fine(mails));
    else findings.push((most < recipients.length ? wrong : warning)(mails, moreMails));
    // A run sends one mail after the other. One that SES refuses because of the rate is tried again, but not for long.
    const runs = concurrency.reports + concurrency.backfills + concurrency.alerts;
    const atOnce = Math.min(recipients.length, runs);
    const seconds = LEAST_PATIENCE / 1_000;
    const speed = `${rate} mails a second; ${atOnce} may be sent at the same time`;
    const faster = lines.aws(...quotaIncrease('ses', 'L-CDEF9B6B', '<mails a second>'));
    const slow = `${speed}: after ${seconds} seconds of refusals a mail waits for the next round`;
    findings.push(atOnce <= rate * seconds ? fine(speed) : warning(slow, faster));
    return [...findings, priceFinding(account)];
  },
};

export function sendingFindings({ SendingEnabled, EnforcementStatus }: GetAccountCommandOutput): Finding[] {
  const console = 'open SES in the AWS console, "Account dashboard": it names the reason and how to answer';
  if (SendingEnabled === false || EnforcementStatus === 'SHUTDOWN')
    return [wrong(`sending is paused (${EnforcementStatus ?? 'by the account'}): no mail goes out`, console)];
  if (EnforcementStatus !== 'PROBATION') return [];
  return [warning('SES reviews this account and may pause it', console)];
}

/** Asks SES to let the account out of its sandbox. */
export function productionAccess(lines: Lines): string {
  return lines.aws(
    ...['sesv2', 'put-account-details', '--production-access-enabled'],
    ...['--mail-type', 'TRANSACTIONAL', '--website-url', '<yours>'],
  );
}

export function priceFinding({ PricingAttributes }: GetAccountCommandOutput): Finding {
  const plan = PricingAttributes?.CurrentPlan;
  if (plan === undefined) return unknown('SES does not say the pricing plan of the account');
  return fine(`pricing plan ${plan}: docs/scale.md has its prices`);
}

function deploy({ name, lines }: Stage): string {
  return lines.cdk('deploy', `Daybook-${name}-Mail`);
}

/** RFC 8058 asks for both headers in the signature. What SES signs, only a mail shows. */
const HOW_TO_SEE_ONE_CLICK = fine(
  'mail programs offer one click where DKIM signs List-Unsubscribe and List-Unsubscribe-Post: look in the source of the first mail for both names in the list h= of DKIM-Signature',
);

/** The mail domain in SES: verified, and signed with DKIM? */
export const sesIdentity: Check = {
  name: 'SES identity',
  looksAt: ({ stage }) => stage.mail.identity,
  look: async ({ stage, client }) => {
    const { name, mail, lines, optionalFunctions } = stage;
    const get = new GetEmailIdentityCommand({ EmailIdentity: mail.identity });
    const read = client(SESv2Client).send(get);
    const found = await read.catch(when(NotFoundException, () => undefined));
    if (found === undefined) return [wrong('SES does not have it: no mail goes out', deploy(stage))];
    const { Status = 'NOT_STARTED', SigningEnabled = false } = found.DkimAttributes ?? {};
    const outputs = ['--stack-name', `Daybook-${name}-Mail`, '--query', 'Stacks[0].Outputs'];
    const records = `add the CNAME records Dkim1 to Dkim3 to your DNS: ${lines.aws('cloudformation', 'describe-stacks', ...outputs)}`;
    const findings: Finding[] = [];
    if (found.VerifiedForSendingStatus !== true)
      findings.push(wrong('it is not verified: SES refuses every mail', records));
    if (Status !== 'SUCCESS') findings.push(wrong(`DKIM is ${Status}: mails are not signed`, records));
    else if (!SigningEnabled) {
      const sign = ['sesv2', 'put-email-identity-dkim-attributes', '--email-identity', mail.identity];
      findings.push(wrong('DKIM signing is switched off', lines.aws(...sign, '--signing-enabled')));
    }
    const { ConfigurationSetName: set = mail.configurationSet } = found;
    if (set !== mail.configurationSet)
      findings.push(warning(`its configuration set is ${set}`, deploy(stage)));
    if (findings.length > 0) return findings;
    const oneClick = optionalFunctions.unsubscribe === undefined ? [] : [HOW_TO_SEE_ONE_CLICK];
    return [fine('verified, signed with DKIM'), ...oneClick];
  },
};

/** The events that `mail-events` needs, so that ledgers say what became of a mail. */
const NEEDED: readonly EventType[] = ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT', 'SEND'];

/** The configuration set: does it send, and do its events reach EventBridge? */
export const configurationSet: Check = {
  name: 'Configuration set',
  looksAt: ({ stage }) => stage.mail.configurationSet,
  look: async ({ stage, client }) => {
    const { configurationSet: name } = stage.mail;
    const input = { ConfigurationSetName: name };
    const ses = client(SESv2Client);
    const read = Promise.all([
      ses.send(new GetConfigurationSetCommand(input)),
      ses.send(new GetConfigurationSetEventDestinationsCommand(input)),
    ]);
    const found = await read.catch(when(NotFoundException, () => undefined));
    if (found === undefined) return [wrong('SES does not have it: every mail is refused', deploy(stage))];
    const [{ SendingOptions: sending }, { EventDestinations: destinations = [] }] = found;
    const findings: Finding[] = [];
    if (sending?.SendingEnabled === false) {
      const enable = ['sesv2', 'put-configuration-set-sending-options', '--configuration-set-name', name];
      const mend = stage.lines.aws(...enable, '--sending-enabled');
      findings.push(wrong('its sending is paused: no mail goes out', mend));
    }
    const working = destinations.filter(
      ({ Enabled, EventBridgeDestination }) => Enabled === true && EventBridgeDestination !== undefined,
    );
    const sent = new Set(working.flatMap(({ MatchingEventTypes = [] }) => MatchingEventTypes));
    const lacking = NEEDED.filter((type) => !sent.has(type)).join(', ');
    const what =
      working.length === 0
        ? 'no event destination is enabled: bounces and deliveries are never known'
        : `its event destination leaves out ${lacking}`;
    findings.push(lacking === '' ? fine('its events go to EventBridge') : wrong(what, deploy(stage)));
    return findings;
  },
};
