import { gunzipSync } from 'node:zlib';
import type * as z from 'zod';
import { ledgerKey, manifestKey, ownerPart, pageLedgerKey, type PageOwner } from '#records/storage/keys.ts';
import { ledgerSchema, type Ledger } from '#records/ledger/ledger.ts';
import { manifestSchema, type Manifest } from '#records/revision/manifest.ts';
import { groupPageSchema, type GroupPage } from '#page/figures/group-page.ts';
import { statementSchema, type Statement } from '#page/figures/statement.ts';
import type { Notice, SentMail } from '#sandbox/aws/index.ts';

export interface BrokenPromise {
  /** `undefined` when it concerns no single merchant. */
  merchantCode?: string | undefined;
  day?: string | undefined;
  what: string;
}

export interface Evidence {
  objects: ReadonlyMap<string, Buffer>;
  /** The manifests of each merchant's day, by {@link dayName}, oldest first. */
  days: ReadonlyMap<string, readonly Manifest[]>;
  /** The statements of each merchant's week or month, by {@link periodName}, oldest first. */
  statements: ReadonlyMap<string, readonly Statement[]>;
  /** The pages of each group's day, week or month, likewise. */
  pages: ReadonlyMap<string, readonly GroupPage[]>;
  ledgers: ReadonlyMap<string, Ledger>;
  /** In the order in which SES accepted them. */
  mails: readonly SentMail[];
  opsTold: string;
}

export function dayName({ merchantCode, day }: { merchantCode: string; day: string }): string {
  return `${merchantCode} ${day}`;
}

export function periodName(owner: PageOwner, period: string): string {
  return `${ownerPart(owner)} ${period}`;
}

const STATEMENT = /^statements\/period=[^/]+\/merchant=/;
const PAGE = /^statements\/period=[^/]+\/group=/;
const MANIFEST = /^days\//;
const LEDGER = /^mail\/(?:day=|period=|alerts\/)/;

/** Objects of a kind by their keys. Others are left out here; another truth reports them. */
function parsed<T>(
  objects: ReadonlyMap<string, Buffer>,
  pattern: RegExp,
  schema: z.ZodType<T>,
): [string, T][] {
  return [...objects].flatMap(([key, body]): [string, T][] => {
    if (!pattern.test(key)) return [];
    const read = schema.safeParse(jsonOf(body));
    return read.success ? [[key, read.data]] : [];
  });
}

function valuesOf<T>(entries: readonly [string, T][]): T[] {
  return entries.map(([, value]) => value);
}

/** The JSON of an object; `undefined` if it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The text of mails and notices, without the line breaks that mail adds. */
function textOf(mails: readonly SentMail[], notices: readonly Notice[]): string {
  const mailed = mails
    .filter(({ tags }) => tags['kind'] === 'ops')
    .map(({ raw }) => raw.toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return [...mailed, ...notices.map(({ message }) => message)].join('\n');
}

export function evidenceOf(
  objects: ReadonlyMap<string, Buffer>,
  mails: readonly SentMail[],
  notices: readonly Notice[],
): Evidence {
  const manifests = parsed(objects, MANIFEST, manifestSchema)
    .filter(([key, { day, merchantCode, revision }]) => key === manifestKey(day, merchantCode, revision))
    .map(([, manifest]) => manifest);
  return {
    objects,
    days: Map.groupBy(manifests, dayName),
    statements: Map.groupBy(valuesOf(parsed(objects, STATEMENT, statementSchema)), (one) =>
      periodName({ merchantCode: one.merchantCode }, one.period),
    ),
    pages: Map.groupBy(valuesOf(parsed(objects, PAGE, groupPageSchema)), ({ group, period }) =>
      periodName({ group }, period),
    ),
    ledgers: new Map(parsed(objects, LEDGER, ledgerSchema)),
    mails,
    opsTold: textOf(mails, notices),
  };
}

export function ledgerOf(
  { ledgers }: Evidence,
  { day, merchantCode, revision }: Manifest,
): Ledger | undefined {
  return ledgers.get(ledgerKey(day, merchantCode, revision));
}

export function ledgerOfPeriod(
  { ledgers }: Evidence,
  owner: PageOwner,
  { period, revision }: { period: string; revision: number },
): Ledger | undefined {
  return ledgers.get(pageLedgerKey({ owner, period, revision }));
}

/** The lines of a data file; none if it is missing or damaged. */
export function linesOf({ objects }: Pick<Evidence, 'objects'>, key: string): string[] {
  try {
    return gunzipSync(objects.get(key) ?? '')
      .toString('utf8')
      .split('\n')
      .slice(0, -1);
  } catch {
    return [];
  }
}
