import type { StopSpell } from '../schedule/mail-feed.ts';
import { alertMails, type ToldCheck } from './alert-ledger.ts';
import { groupMails, statementMails, type DueStatement, type SoakGroup } from './statement-mails.ts';
import { reportMails, type Readers } from './report-mails.ts';
import { serviceData, type ServiceDay } from './service-data.ts';
import { dayName, jsonOf, linesOf, type BrokenPromise, type Evidence } from './evidence.ts';
import { mailsAgree } from './mails-agree.ts';
import { statementSums } from './statement-sums.ts';
import * as z from 'zod';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import { changeMarkerSchema, MARKER_SPAN, type ChangeOfADay } from '#records/storage/change-marker.ts';
import {
  dataFileInKey,
  dayInKey,
  CHANGES,
  pageInKey,
  pageInLedgerKey,
  manifestKey,
  merchantInKey,
  addressHash,
  suppressionKey,
} from '#records/storage/keys.ts';
import { dayFiguresSchema } from '#records/figures/history.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { manifestSchema, type DataFile, type Manifest } from '#records/revision/manifest.ts';
import { proofSchema } from '#page/prove/proof.ts';
import { groupPageSchema } from '#page/figures/group-page.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { closedSchema } from '#records/revision/closed-statement.ts';
import { createHash } from 'node:crypto';

/** The facts at the end of a run, from every source except Daybook. */
export interface Facts {
  /** Every merchant and day that was to be reported or was a lookback day. */
  days: readonly ServiceDay[];
  /** By the merchant's code. */
  readers: ReadonlyMap<string, Readers>;
  statements: readonly DueStatement[];
  group: SoakGroup;
  toldChecks: readonly ToldCheck[];
  /** Addresses that get no mail any more. */
  stops: readonly StopSpell[];
  /** Files without a seal from before this moment have been removed. Milliseconds UTC. */
  sweptBefore: number;
}

/** Mail to an address is stopped from its hard bounce or complaint until a person lifts that, and at no other time. */
function stops(
  { objects, mails }: Pick<Evidence, 'objects' | 'mails'>,
  spells: readonly StopSpell[],
): BrokenPromise[] {
  const open = new Set(spells.filter(({ until }) => until === null).map(({ hash }) => suppressionKey(hash)));
  const standing = new Set([...objects.keys()].filter((key) => key.startsWith('mail-stops/')));
  const inSpite = mails.filter(({ destinations, at }) =>
    spells.some(
      ({ hash, from, until }) =>
        destinations.some((address) => addressHash(address) === hash) &&
        at.getTime() > from &&
        at.getTime() < (until ?? Number.POSITIVE_INFINITY),
    ),
  );
  return [
    ...[...open.difference(standing)].map((key) => ({ what: `${key} should exist` })),
    ...[...standing.difference(open)].map((key) => ({
      what: `${key} should not exist: it was lifted, or nothing caused it`,
    })),
    ...inSpite.map(({ tags, messageId }) => ({
      merchantCode: tags['merchant'],
      day: tags['day'],
      what: `mail ${messageId} went to an address whose mail was stopped`,
    })),
  ];
}

type Objects = Pick<Evidence, 'objects'>;

function faultOf(evidence: Objects, { key, bytes, sha256, rows, format }: DataFile): string | undefined {
  const body = evidence.objects.get(key);
  if (body === undefined) return `${key} is sealed but missing`;
  if (body.length !== bytes) return `${key} has ${body.length} bytes, sealed with ${bytes}`;
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    return `${key} is not the file that was sealed`;
  const lines = linesOf(evidence, key).length - (format === 'csv' ? 1 : 0);
  return lines === rows ? undefined : `${key} has ${lines} rows, sealed with ${rows}`;
}

/** Revisions are numbered without gaps. Each has its own files, unchanged since it was sealed. */
export function sealedFiles(evidence: Pick<Evidence, 'objects' | 'days'>): BrokenPromise[] {
  const owners = new Map<string, Manifest>();
  return [...evidence.days.values()].flatMap((manifests) =>
    manifests.flatMap((manifest, index): BrokenPromise[] => {
      const { merchantCode, day, revision } = manifest;
      const broken = (what: string) => ({ merchantCode, day, what: `revision ${revision}: ${what}` });
      const gap = revision === index + 1 ? [] : [broken(`is number ${index + 1} in the list`)];
      const files = manifest.files.flatMap((file) => {
        const isShared = owners.has(file.key);
        owners.set(file.key, manifest);
        const fault = isShared ? `${file.key} also belongs to another revision` : faultOf(evidence, file);
        return fault === undefined ? [] : [broken(fault)];
      });
      return [...gap, ...files];
    }),
  );
}

/** When a pull's id was made, milliseconds UTC. */
function timeOf(pull: string): number {
  return Date.parse(pull.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** No file without a seal is older than this. @param before milliseconds UTC */
function orphans({ objects, days }: Pick<Evidence, 'objects' | 'days'>, before: number): BrokenPromise[] {
  const named = new Set([...days.values()].flat().flatMap(({ files }) => files.map(({ key }) => key)));
  return [...objects.keys()].flatMap((key): BrokenPromise[] => {
    const file = dataFileInKey(key);
    if (file === undefined || named.has(key) || timeOf(file.pull) >= before) return [];
    const { merchantCode, day } = file;
    return [{ merchantCode, day, what: `${key} belongs to no revision and was not removed` }];
  });
}

/** What the history of the lake must be told of when an object is written, and the day; `undefined` for most keys. */
export function changeOf(key: string): { what: ChangeOfADay; day: string } | undefined {
  const day = dayInKey(key);
  if (day === undefined) return undefined;
  if (pageInKey(key) !== undefined) return { what: 'days', day };
  return pageInLedgerKey(key) !== undefined ? { what: 'mail', day } : undefined;
}

/**
 * Every manifest and every ledger of a report has a change marker from the time when it was written, or later. A
 * manifest is written after `pulledAt`, a ledger not before `intendedAt`.
 */
function notedChanges({ objects, days, ledgers }: Evidence): BrokenPromise[] {
  const noted = new Map<string, number>();
  for (const [key, body] of objects) {
    if (!key.startsWith(CHANGES)) continue;
    const marker = changeMarkerSchema.safeParse(jsonOf(body)).data;
    if (marker === undefined) continue;
    const name = `${marker.what} ${marker.day}`;
    const end = Date.parse(marker.notedAt) + MARKER_SPAN;
    noted.set(name, Math.max(noted.get(name) ?? 0, end));
  }
  const written = new Map<string, string>();
  for (const { day, merchantCode, revision, pulledAt } of [...days.values()].flat()) {
    written.set(manifestKey(day, merchantCode, revision), pulledAt);
  }
  for (const [key, { intendedAt }] of ledgers) written.set(key, intendedAt);
  return [...written].flatMap(([key, at]): BrokenPromise[] => {
    const change = changeOf(key);
    if (change === undefined) return [];
    if ((noted.get(`${change.what} ${change.day}`) ?? 0) > Date.parse(at)) return [];
    return [
      {
        merchantCode: merchantInKey(key),
        day: change.day,
        what: `${key} was written without a change marker`,
      },
    ];
  });
}

/** Every kind of object in the bucket except data files, with the schema of its content. */
const KINDS: readonly [RegExp, z.ZodType][] = [
  [/^days\/day=[\d-]+\/merchant=\w+\/r\d{4}\.json$/, manifestSchema],
  [/^checked\/day=[\d-]+\/merchant=\w+\.json$/, z.object({ asOf: z.string().nullable() })],
  [/^mail\/day=[\d-]+\/merchant=\w+\/r\d{4}\.json$/, ledgerSchema],
  [/^statements\/period=[\dW-]+\/merchant=[\w-]+\/r\d{4}\.json$/, statementSchema],
  [/^statements\/period=[\dW-]+\/merchant=[\w-]+\/closed\.json$/, closedSchema],
  [/^statements\/period=[\dW-]+\/group=[\w-]+\/r\d{4}\.json$/, groupPageSchema],
  [/^mail\/period=[\dW-]+\/(?:merchant|group)=[\w-]+\/r\d{4}\.json$/, ledgerSchema],
  [/^mail\/alerts\/merchant=\w+\/[\w-]+\.json$/, ledgerSchema],
  [/^mail\/ops\/[0-9a-f]{64}\.json$/, z.object({ about: z.string() })],
  [/^mail\/ops\/watch\/(?:day|period)=[\dW-]+\.json$/, z.object({ spell: z.int() })],
  [/^changes\/noted_on=\d{4}-\d\d-\d\d\/\d{4}-(?:days|mail)-\d{4}-\d\d-\d\d\.json$/, changeMarkerSchema],
  [
    /^mail-stops\/(?:(?:merchant|group)=[\w-]+\/[a-z]+\/)?[0-9a-f]{64}\.json$/,
    z.object({ reason: z.string() }),
  ],
  [/^alerts\/merchant=\w+\/state\.json$/, alertStateSchema],
  [/^history\/merchant=[\w-]+\.json$/, z.object({ days: z.array(dayFiguresSchema) })],
  [/^plan\/daily\.json$/, z.object({ tick: z.iso.datetime(), since: z.iso.datetime() })],
  [/^proofs\/\d{4}-\d\d-\d\d\.json$/, proofSchema],
  // Lines of text.
  [/^proofs\/pages\/[0-9a-f]{64}\.txt$/, z.undefined()],
  [/^config\//, z.json()],
];

const MERCHANT = /merchant=([A-Za-z0-9-]+)/;

/**
 * Objects of an unknown kind, or with content that does not fit their kind. A reader could misunderstand them. Data files
 * that no manifest names do no harm and are not reported.
 */
export function strangers(objects: ReadonlyMap<string, Buffer>): BrokenPromise[] {
  return [...objects].flatMap(([key, body]): BrokenPromise[] => {
    if (dataFileInKey(key) !== undefined) return [];
    const schema = KINDS.find(([pattern]) => pattern.test(key))?.[1];
    if (schema?.safeParse(jsonOf(body)).success === true) return [];
    const what =
      schema === undefined ? 'is an object of no known kind' : 'does not have the content of its kind';
    return [{ merchantCode: MERCHANT.exec(key)?.[1], day: dayInKey(key), what: `${key} ${what}` }];
  });
}

/** Compares everything that a run has written with the facts. */
export function ledgerOfTruths(evidence: Evidence, facts: Facts): BrokenPromise[] {
  const mails = Map.groupBy(
    evidence.mails.filter(({ tags }) => tags['revision'] !== undefined),
    ({ tags: { merchant = '', day = '' } }) => dayName({ merchantCode: merchant, day }),
  );
  const ofDays = facts.days.flatMap((service) => {
    const name = dayName(service);
    const manifests = evidence.days.get(name) ?? [];
    const readers = facts.readers.get(service.merchantCode);
    return [
      ...serviceData(evidence, manifests.at(-1), service),
      ...(readers === undefined ? [] : reportMails(evidence, manifests, mails.get(name) ?? [], readers)),
    ];
  });
  return [
    ...strangers(evidence.objects),
    ...sealedFiles(evidence),
    ...ofDays,
    ...statementSums(evidence, facts.group.codes),
    ...statementMails(evidence, facts),
    ...groupMails(evidence, facts.group, new Set(facts.stops.map(({ hash }) => hash))),
    ...mailsAgree(evidence),
    ...alertMails(evidence, facts.toldChecks, facts.readers),
    ...stops(evidence, facts.stops),
    ...notedChanges(evidence),
    ...orphans(evidence, facts.sweptBefore),
  ];
}
