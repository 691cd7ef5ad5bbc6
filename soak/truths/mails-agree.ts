import {
  addressHash,
  alertLedgerKey,
  dayInKey,
  ledgerKey,
  merchantInKey,
  pageLedgerKey,
} from '#records/storage/keys.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { SentMail } from '#sandbox/aws/index.ts';
import type { BrokenPromise, Evidence } from './evidence.ts';

/** The key of a mail's ledger, by its tags; `undefined` for a mail to ops. */
export function ledgerKeyOf({ tags }: SentMail): string | undefined {
  const { kind, merchant = '', group, day = '', period, revision, check = '' } = tags;
  if (kind === 'ops') return undefined;
  if (kind === 'alert') return alertLedgerKey(merchant, check);
  if (period === undefined) return ledgerKey(day, merchant, Number(revision));
  const owner = group === undefined ? { merchantCode: merchant } : { group };
  return pageLedgerKey({ owner, period, revision: Number(revision) });
}

function hashOf({ destinations: [address = ''] }: SentMail): string {
  return addressHash(address);
}

/** One recipient in a ledger: at most one mail in each round, and the ledger has each of them. */
function recipientFaults({ recipients }: Ledger, to: string, mails: readonly SentMail[]): string[] {
  const entries = recipients.filter((entry) => entry.to === to);
  const ids = mails.map(({ messageId }) => messageId);
  // If SES's answer could not be recorded, the entry has no message id.
  const unknown = entries.filter(({ status, messageId }) => status === 'held' && messageId === null).length;
  const written = entries.flatMap(({ messageId }) => messageId ?? []);
  const faults: string[] = [];
  if (new Set(entries.map(({ round }) => round)).size < entries.length)
    faults.push('appears twice in a round');
  if (ids.filter((id) => !written.includes(id)).length > unknown)
    faults.push('got a mail that is not in the ledger');
  if (ids.length > entries.length) faults.push(`got ${ids.length} mails in ${entries.length} rounds`);
  if (written.some((id) => !ids.includes(id))) faults.push('has a message id of no mail of its own');
  return faults.map((fault) => `recipient ${to.slice(0, 8)}… ${fault}`);
}

const SENT: ReadonlySet<string> = new Set(['accepted', 'delivered', 'bounced', 'complained']);

function ledgerFaults(key: string, ledger: Ledger, mails: readonly SentMail[], opsTold: string): string[] {
  const present = presentRound(ledger);
  const everybody = new Set([...ledger.recipients.map(({ to }) => to), ...mails.map(hashOf)]);
  const faults = [...everybody].flatMap((to) =>
    recipientFaults(
      ledger,
      to,
      mails.filter((mail) => hashOf(mail) === to),
    ),
  );
  if (ledger.status === 'intended' || present.some(({ status }) => status === 'intended'))
    faults.push('is still open');
  if (ledger.recipients.some(({ status, messageId }) => SENT.has(status) && messageId === null)) {
    faults.push('says that a mail was sent, without a message id');
  }
  const isHeld = ledger.status === 'held' || present.some(({ status }) => status === 'held');
  if (isHeld && !opsTold.includes(key)) faults.push('is held, and ops were not notified');
  return faults;
}

/**
 * Every mail that SES accepted is in its ledger, once in each round, and every such entry has its mail. Ops were notified of
 * what is held, and no ledger is open.
 */
export function mailsAgree({ ledgers, mails, opsTold }: Evidence): BrokenPromise[] {
  const byLedger = Map.groupBy(mails, ledgerKeyOf);
  const about = (key: string) => ({ merchantCode: merchantInKey(key), day: dayInKey(key) });
  const strays = [...byLedger].flatMap(([key, own]) =>
    key === undefined || ledgers.has(key)
      ? []
      : [{ ...about(key), what: `${own.length} mails of ${key}, and there is no such ledger` }],
  );
  const faults = [...ledgers].flatMap(([key, ledger]) =>
    ledgerFaults(key, ledger, byLedger.get(key) ?? [], opsTold).map((what) => ({
      ...about(key),
      what: `${key} ${what}`,
    })),
  );
  return [...strays, ...faults];
}
