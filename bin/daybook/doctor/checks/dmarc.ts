import { Resolver } from 'node:dns/promises';
import { CannotLookError, fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** Codes of DNS that say: there is no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);
const TIMEOUT = 3_000;

/** The DMARC record of the mail domain, or of the domain above it. */
export const dmarc: Check = {
  name: 'DMARC',
  looksAt: ({ stage }) => `_dmarc.${domainOf(stage.mail.identity)}`,
  look: async ({ stage, dnsServers }: CheckedStage) => {
    if (stage.isLocal && dnsServers.length === 0) {
      throw new CannotLookError('the local run sends no mail to other servers');
    }
    const resolver = new Resolver({ timeout: TIMEOUT, tries: 2 });
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    const domain = domainOf(stage.mail.identity);
    for (const each of withParents(domain)) {
      const records = await recordsOf(resolver, `_dmarc.${each}`);
      if (records.length > 0) return [recordFinding(records, each, domain)];
    }
    return [
      wrong(
        'there is no record: mail providers trust the domain less, and large ones refuse mails',
        `add to your DNS: _dmarc.${domain} TXT "v=DMARC1; p=quarantine"`,
      ),
    ];
  },
};

/** An identity may be an address. */
function domainOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('@') + 1);
}

/** The domain and those above it, down to two labels: a record of the organisation counts for its subdomains. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'));
}

async function recordsOf(resolver: Resolver, name: string): Promise<string[]> {
  try {
    const texts = await resolver.resolveTxt(name);
    return texts.map((parts) => parts.join('')).filter((text) => /^v=DMARC1\b/.test(text));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    if (NONE.has(code)) return [];
    throw new CannotLookError(
      `DNS did not answer for ${name} (${code}): check the network, or name a --dns-server`,
      {
        cause: error,
      },
    );
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
