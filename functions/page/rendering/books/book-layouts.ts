import { createHash } from 'node:crypto';
import XMLBuilder from 'fast-xml-builder';
import type { Day } from '#records/day/business-day.ts';
import type { BookLayout } from '#registry/registry-schema.ts';
import { plainAmount, type Thousandths } from '#records/money/money.ts';
import { csvRow } from '../attachments/collected-attachments.ts';

/** What one revision of a day changed of one figure since the revision before. */
export interface BookEntry {
  /** 32 characters: of merchant, day, revision, kind, method and currency. */
  id: string;
  day: Day;
  /** On which it is booked: of an adjustment in the period that tells it, else the day itself. */
  date: Day;
  revision: number;
  kind: keyof typeof KINDS;
  /** The service's own text of what came in; `null`: it says none, or one beyond the named. */
  method: string | null;
  currency: string;
  /** Never zero. Above zero: money came in. */
  amount: Thousandths;
}

/** Xero and QuickBooks Online take no more in one file. */
const MOST_ENTRIES = 1_000;

/** The same in every language: entries that are told again must look the same. */
const KINDS = { received: 'Payments', refunded: 'Refunds', charges: 'Charges' } as const;

/** An entry as programs read it. @param words of the merchant for payment methods */
function shownEntry(entry: BookEntry, words: Readonly<Record<string, string>>) {
  const { kind, method, day, date, revision, amount, currency } = entry;
  const name = method === null ? '' : Object.hasOwn(words, method) ? words[method] : method;
  const what = [KINDS[kind], name].filter((part) => part !== '').join(' ');
  // Methods are the service's own text. XML has neither controls nor the last two.
  const clean = what.toWellFormed().replaceAll(/[\p{Cc}\s\uFFFE\uFFFF]+/gu, ' ');
  const text = [clean, ...(revision > 1 ? ['changed'] : []), ...(date === day ? [] : [`of ${day}`])].join(
    ', ',
  );
  // The page of QuickBooks says to take digits out, and that special characters are not allowed.
  const letters = text.replaceAll(/[^\p{L}\p{M}]+/gu, ' ').trim();
  const dayFirst = date.split('-').reverse().join('/');
  return { ...entry, text, letters, dayFirst, digits: plainAmount(amount, currency) };
}

type Shown = ReturnType<typeof shownEntry>;
type Cell = 'date' | 'dayFirst' | 'text' | 'letters' | 'id' | 'digits';

/** What each program's documents say (docs/books.md). */
const CSV_LAYOUTS: Readonly<Record<Exclude<BookLayout, 'camt.053'>, Readonly<Record<string, Cell>>>> = {
  odoo: { Date: 'date', Label: 'text', Reference: 'id', Amount: 'digits', unique_import_id: 'id' },
  'zoho-books': { Date: 'date', Description: 'text', 'Reference Number': 'id', Amount: 'digits' },
  'quickbooks-online': { Date: 'dayFirst', Description: 'letters', Amount: 'digits' },
  xero: { Date: 'date', Amount: 'digits', Description: 'text', Reference: 'id' },
};

function bookCsv(layout: keyof typeof CSV_LAYOUTS, told: readonly Shown[]): string {
  const columns = Object.entries(CSV_LAYOUTS[layout]);
  const rows = told.map((entry) => columns.map(([, cell]) => entry[cell]));
  return [columns.map(([head]) => head), ...rows].map(csvRow).join('');
}

/** The version that most readers take (docs/adr/0022-statements.md). */
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.02';
/** Characters that the standard has room for: of an account without an IBAN, and of a text. */
const [LONGEST_ACCOUNT, LONGEST_TEXT] = [34, 140];

export interface BookedAccount {
  merchantCode: string;
  /** The key of the page. */
  page: string;
  from: Day;
  to: Day;
  /** ISO 8601, UTC: of the sealed page, so that the same page gives the same file. */
  sealedAt: string;
}

function money(amount: Thousandths, currency: string) {
  return {
    Amt: { '@_Ccy': currency, '#text': plainAmount(amount < 0n ? -amount : amount, currency) },
    CdtDbtInd: amount < 0n ? 'DBIT' : 'CRDT',
  };
}

/** The entries as an account's statement (ISO 20022). It knows no balance: it goes from zero to their sum. */
function camt053(
  { merchantCode, page, from, to, sealedAt }: BookedAccount,
  { currency, part }: { currency: string; part: string },
  entries: readonly Shown[],
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
      NtryDtls: {
        TxDtls: {
          Refs: { EndToEndId: entry.id },
          RmtInf: { Ustrd: entry.text.slice(0, LONGEST_TEXT).toWellFormed() },
        },
      },
    })),
  };
  const builder = new XMLBuilder({ ignoreAttributes: false, format: true });
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    Document: {
      '@_xmlns': NAMESPACE,
      BkToCstmrStmt: { GrpHdr: { MsgId: id, CreDtTm: sealedAt }, Stmt: statement },
    },
  });
}

/**
 * One file for each currency, and for each thousand entries of it.
 * @param words of the merchant for payment methods
 * @returns `part`: what tells a file from the others of the same mail, such as `KWD` or `KWD-2`
 */
export function bookFiles(
  layout: BookLayout,
  entries: readonly BookEntry[],
  words: Readonly<Record<string, string>>,
  account: BookedAccount,
) {
  return [...Map.groupBy(entries, (entry) => entry.currency)].flatMap(([currency, all]) =>
    Array.from({ length: Math.ceil(all.length / MOST_ENTRIES) }, (_, index) => {
      const some = all.slice(index * MOST_ENTRIES, (index + 1) * MOST_ENTRIES);
      const told = some.map((entry) => shownEntry(entry, words));
      const part = index === 0 ? currency : `${currency}-${index + 1}`;
      const isXml = layout === 'camt.053';
      return { part, text: isXml ? camt053(account, { currency, part }, told) : bookCsv(layout, told) };
    }),
  );
}
