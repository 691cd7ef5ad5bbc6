import { addressHash, merchantInKey } from '#records/storage/keys.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { BrokenPromise } from './broken-promise.ts';
import type { Evidence } from './evidence.ts';
import type { Readers } from './report-mails.ts';

/** A check whose changes had to be mailed. */
export interface ToldCheck {
  merchantCode: string;
  /** Its tick, which begins the name of a check: `20261120T103000Z`. */
  tick: string;
}

const LEDGER = /^mail\/alerts\/merchant=[\w-]+\/(\d{8}T\d{6}Z)-[0-9a-f]{8}\.json$/;

/**
 * Every check with something to report has one ledger. The ledger names all recipients, or ops were notified of it. No other
 * check has a ledger.
 */
export function alertMails(
  { ledgers, opsTold }: Evidence,
  checks: readonly ToldCheck[],
  readers: ReadonlyMap<string, Pick<Readers, 'throughout'>>,
): BrokenPromise[] {
  const nameOf = ({ merchantCode, tick }: ToldCheck) => `${merchantCode} ${tick}`;
  const found = Map.groupBy(
    [...ledgers.keys()].flatMap((key) => {
      const tick = LEDGER.exec(key)?.[1];
      const merchantCode = merchantInKey(key);
      return tick === undefined || merchantCode === undefined ? [] : [{ merchantCode, tick, key }];
    }),
    nameOf,
  );
  const expected = new Set(checks.map(nameOf));
  const missing = checks.flatMap((check): BrokenPromise[] => {
    const { merchantCode, tick } = check;
    const own = found.get(nameOf(check)) ?? [];
    if (own.length > 1) return [{ merchantCode, what: `the check ${tick} has ${own.length} ledgers` }];
    const [{ key } = { key: `mail/alerts/merchant=${merchantCode}/${tick}` }] = own;
    if (opsTold.includes(key)) return [];
    const ledger = ledgers.get(key);
    if (ledger === undefined)
      return [{ merchantCode, what: `nobody was notified of the result of check ${tick}` }];
    const written = new Set(presentRound(ledger).map(({ to }) => to));
    const from = Date.parse(ledger.intendedAt);
    const to = Math.max(from, ...presentRound(ledger).map(({ at }) => Date.parse(at)));
    const owed = readers.get(merchantCode)?.throughout(from, to) ?? [];
    const forgotten = owed.filter((address) => !written.has(addressHash(address)));
    return forgotten.map((address) => ({
      merchantCode,
      what: `${address} got no mail of the check ${tick}`,
    }));
  });
  const unfounded = [...found.values()].flat().filter((check) => !expected.has(nameOf(check)));
  return [
    ...missing,
    ...unfounded.map(({ merchantCode, key }) => ({
      merchantCode,
      what: `${key}: that check had nothing to report`,
    })),
  ];
}
