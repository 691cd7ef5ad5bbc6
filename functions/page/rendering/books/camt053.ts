import { createHash } from 'node:crypto';
import XMLBuilder from 'fast-xml-builder';
import type { BookEntry } from '#page/figures/book-entries.ts';
import type { Day } from '#records/day/business-day.ts';
import { plainAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';

/** The version that most readers take (docs/adr/0022-statements.md). */
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.02';
/** Characters that the standard has room for: of an account without an IBAN, and of a text. */
const [LONGEST_ACCOUNT, LONGEST_TEXT] = [34, 140];

export interface BookedAccount {
  merchantCode: string;
  currency: string;
  /** Of the page, and which file of it. */
  page: string;
  part: string;
  from: Day;
  to: Day;
  /** ISO 8601, UTC: of the sealed page, so that the same page gives the same file. */
  sealedAt: string;
}

function money(amount: Thousandths, currency: string) {
  return {
    Amt: { '@Ccy': currency, '#': plainAmount(amount < 0n ? -amount : amount, currency) },
    CdtDbtInd: amount < 0n ? 'DBIT' : 'CRDT',
  };
}

function shortened(text: string): string {
  return Array.from(text).slice(0, LONGEST_TEXT).join('');
}

/**
 * The entries as a statement of an account (ISO 20022). It knows no balance of an account: it begins at zero, and ends with the sum of
 * its entries.
 */
export function camt053(
  { merchantCode, currency, page, part, from, to, sealedAt }: BookedAccount,
  entries: readonly (BookEntry & { text: string })[],
): string {
  const balance = (code: string, amount: Thousandths, day: Day) => ({
    Tp: { CdOrPrtry: { Cd: code } },
    ...money(amount, currency),
    Dt: { Dt: day },
  });
  const id = createHash('sha256').update(`${page} ${part}`).digest('hex').slice(0, 32);
  const sum = entries.reduce((all, { amount }) => all + amount, 0n);
  const statement = {
    Id: id,
    CreDtTm: sealedAt,
    FrToDt: { FrDtTm: `${from}T00:00:00`, ToDtTm: `${to}T23:59:59` },
    Acct: { Id: { Othr: { Id: merchantCode.slice(0, LONGEST_ACCOUNT) } }, Ccy: currency },
    Bal: [balance('OPBD', 0n, from), balance('CLBD', sum, to)],
    Ntry: entries.map((entry) => ({
      ...money(entry.amount, currency),
      Sts: 'BOOK',
      BookgDt: { Dt: entry.date },
      ValDt: { Dt: entry.day },
      AcctSvcrRef: entry.id,
      BkTxCd: { Prtry: { Cd: entry.kind } },
      NtryDtls: { TxDtls: { Refs: { EndToEndId: entry.id }, RmtInf: { Ustrd: shortened(entry.text) } } },
    })),
  };
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#',
    format: true,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': NAMESPACE,
      BkToCstmrStmt: { GrpHdr: { MsgId: id, CreDtTm: sealedAt }, Stmt: statement },
    },
  });
}
