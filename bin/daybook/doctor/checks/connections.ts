import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CannotLookError, fine, unknown, warning, wrong } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { Resolver } from 'node:dns/promises';
import { codeOf } from '../../files.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** A certificate that ends within these days should have been renewed. */
const SOON = 14;
const TIMEOUT = 10_000;
const HTTPS = 443;

interface Seen {
  fault: string | undefined;
  validTo: number;
}

export const certificate: Check = {
  name: 'Certificate',
  looksAt: () => 'the payment service',
  look: async ({ registry: read, now }) => {
    const { registry } = await read();
    const url = new URL(registry.service.baseUrl);
    if (url.protocol !== 'https:') return [fine(`${url.host} is read without TLS`)];
    return [certificateFinding(await certificateOf(url), url.host, now())];
  },
};

async function certificateOf({ hostname, port }: URL): Promise<Seen> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: port === '' ? HTTPS : Number(port),
    // A certificate that is not trusted is a finding, not a failure. Nothing is sent.
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    await once(socket, 'secureConnect', { signal });
    const fault = socket.authorized ? undefined : String(socket.authorizationError);
    return { fault, validTo: Date.parse(socket.getPeerCertificate().valid_to) };
  } catch (error) {
    const reason = signal.aborted ? 'no answer' : codeOf(error);
    throw new CannotLookError(`${host} cannot be reached: ${reason}`, { cause: error });
  } finally {
    socket.destroy();
  }
}

/** @param now milliseconds UTC */
export function certificateFinding({ fault, validTo }: Seen, host: string, now: number): Finding {
  const days = Math.floor((validTo - now) / DAY);
  const until = Number.isNaN(validTo) ? 'an unknown date' : new Date(validTo).toISOString().slice(0, 10);
  const owner = 'ask the owner of the payment service for a valid certificate';
  if (days < 0)
    return wrong(`the certificate of ${host} expired on ${until}: the service cannot be read`, owner);
  if (fault !== undefined)
    return wrong(`the certificate of ${host} is not trusted (${fault}): the service cannot be read`, owner);
  const found = `the certificate of ${host} is valid for ${days} days, until ${until}`;
  return days < SOON ? warning(found, 'ask the owner of the payment service to renew it') : fine(found);
}

/** A signature of AWS holds for this long. */
const MOST_APART = 5 * 60 * 1_000;

export const clock: Check = {
  name: 'Clock',
  looksAt: () => 'this machine, AWS, the payment service',
  look: async ({ client, registry: read }) => {
    const lambda = client(LambdaClient);
    await lambda.send(new GetAccountSettingsCommand({}));
    // What the SDK has found: AWS's time less ours.
    const { systemClockOffset: ofAws } = lambda.config;
    const { registry } = await read();
    const there = await timeOf(new URL(registry.service.baseUrl).origin);
    const ofService = there - Date.now() - ofAws;
    return [
      clockFinding('this machine', -ofAws, 'set the clock of this machine: sudo timedatectl set-ntp true'),
      Number.isNaN(there)
        ? unknown('the payment service does not say its time')
        : clockFinding(
            'the payment service',
            ofService,
            'ask the owner of the payment service to set its clock',
          ),
    ];
  },
};

/** @returns milliseconds UTC; `NaN` when the service does not say its time. It gets no credentials */
async function timeOf(origin: string): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const answer = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal }).catch(() => undefined);
  return Date.parse(answer?.headers.get('date') ?? '');
}

function clockFinding(whose: string, apart: number, mend: string): Finding {
  if (Math.abs(apart) <= MOST_APART) return fine(`${whose} is right within five minutes`);
  const seconds = Math.round(Math.abs(apart) / 1_000);
  return wrong(`${whose} is ${seconds} seconds ${apart > 0 ? 'ahead' : 'behind'}`, mend);
}

/** Codes of DNS that say: there is no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);
const DNS_TIMEOUT = 3_000;

/** The DMARC record of the mail domain, or of the domain above it. */
export const dmarc: Check = {
  name: 'DMARC',
  looksAt: ({ stage }) => `_dmarc.${domainOf(stage.mail.identity)}`,
  look: async ({ stage, dnsServers }) => {
    if (stage.isLocal && dnsServers.length === 0)
      throw new CannotLookError('the local run sends no mail to other servers');
    return [await dmarcFinding(domainOf(stage.mail.identity), dnsServers)];
  },
};

/** An identity may be an address. */
function domainOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('@') + 1);
}

/**
 * Looks at the domain and those above it, down to two labels: a record of the organisation counts for its subdomains.
 *
 * @param dnsServers empty: those of this machine
 */
export async function dmarcFinding(domain: string, dnsServers: readonly string[]): Promise<Finding> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const labels = domain.split('.');
  for (let index = 0; index < Math.max(1, labels.length - 1); index += 1) {
    const at = labels.slice(index).join('.');
    const records = await recordsOf(resolver, `_dmarc.${at}`);
    if (records.length > 0) return recordFinding(records, at, domain);
  }
  return wrong(
    'there is no record: mail providers trust the domain less, and large ones refuse mails',
    `add to your DNS: _dmarc.${domain} TXT "v=DMARC1; p=quarantine"`,
  );
}

async function recordsOf(resolver: Resolver, name: string): Promise<string[]> {
  try {
    const texts = await resolver.resolveTxt(name);
    return texts.map((parts) => parts.join('')).filter((text) => /^v=DMARC1\b/.test(text));
  } catch (error) {
    const code = codeOf(error);
    if (NONE.has(code)) return [];
    const what = `DNS did not answer for ${name} (${code})`;
    throw new CannotLookError(`${what}: check the network, or name a --dns-server`, { cause: error });
  }
}

function recordFinding(records: readonly string[], at: string, domain: string): Finding {
  const change = `change the record of _dmarc.${at} in your DNS`;
  if (records.length > 1)
    return wrong(`${at} has ${records.length} records: all of them are ignored`, change);
  const [record = ''] = records;
  const tags = new Map(
    record.split(';').map((tag) => [tag.split('=')[0]?.trim(), tag.split('=')[1]?.trim()]),
  );
  const policy = (at === domain ? undefined : tags.get('sp')) ?? tags.get('p');
  if (policy === undefined) return wrong('its record has no policy (p=…)', change);
  if (policy === 'none') return warning(`its policy is none: forged mails are delivered`, change);
  return fine(`the policy of ${at} is ${policy}`);
}
