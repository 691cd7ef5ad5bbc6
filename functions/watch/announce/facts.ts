import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { storedAlertState } from '#records/ledger/alert-state.ts';
import { isReceived, wasReceivedBefore } from '#records/ledger/ledger-rounds.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import {
  isAlertStateKey,
  isMerchantDay,
  merchantInKey,
  ownerNamed,
  pageInKey,
  pageInLedgerKey,
  pageKey,
} from '#records/storage/keys.ts';
import { stopInKey } from '#records/storage/readers-stop.ts';
import { misplacedMember, unlessSpoilt, type PlacedPage } from '#page/page-store.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { parseObject, readText } from '#runtime/s3-objects.ts';
import { SAYS, type EventType } from './event-schemas.ts';

export interface Fact {
  /** Type, key (with the number of the revision) and which of several: the same whenever the fact is told. */
  id: string;
  type: EventType;
  /** Of the object that says it. Of a mail: of the page that was mailed. */
  key: string;
  /** The members of its event that others do not have. */
  says: object;
}

/** @param which what tells it from others of its type and key */
function fact(type: EventType, key: string, says: object, ...which: string[]): Fact {
  return { id: [type, key, ...which].join(' '), type, key, says };
}

/** Reads an object's facts. `parse` throws when it is not of that schema. */
type FactsOf = (key: string, parse: <T>(schema: z.ZodType<T>) => T) => Fact[];

/** A copy at another key must not be told as what belongs there. */
const MISPLACED = 'belongs to another key';

const factsOfPage: FactsOf = (key, parse) => {
  const place = pageInKey(key);
  if (place === undefined) return [];
  const read = <Page extends PlacedPage>(schema: z.ZodType<Page>): Page =>
    parse(schema.refine((page) => misplacedMember(page, place) === undefined, MISPLACED));
  if (place.owner.group !== undefined) return [fact('GroupPageSealed', key, read(SAYS.GroupPageSealed))];
  if (!isMerchantDay(place)) return [fact('StatementSealed', key, read(SAYS.StatementSealed))];
  const page = read(SAYS.DayUnbalanced);
  const { differences: _differences, ...says } = page;
  const sealed = fact('ReportSealed', key, says);
  return page.balanced ? [sealed] : [sealed, fact('DayUnbalanced', key, page)];
};

/** A report is mailed once all that it was to reach have it. A later bounce takes nothing back. */
const factsOfLedger: FactsOf = (key, parse) => {
  const place = pageInLedgerKey(key);
  if (place === undefined) return [];
  const ledger = parse(ledgerSchema.refine(({ key: own = key }) => own === key, MISPLACED));
  if (!isReceived(ledger.status) && !wasReceivedBefore(ledger)) return [];
  return [fact('ReportMailed', pageKey(place), { kind: ledger.kind })];
};

/** What moved at the last check that moved something: the mail that it owes says it. */
const factsOfRules: FactsOf = (key, parse) => {
  const merchantCode = merchantInKey(key);
  if (merchantCode === undefined || !isAlertStateKey(key)) return [];
  const { owed } = parse(storedAlertState(merchantCode));
  if (owed === null) return [];
  const { check, day, lines } = owed;
  return lines.flatMap((line): Fact[] => {
    if (line.says === 'still firing') return [];
    const type = line.says === 'firing' ? 'AlertFiring' : 'AlertResolved';
    const says = SAYS[type].parse({ ...line, merchantCode, day, check });
    return [fact(type, key, says, check, line.rule)];
  });
};

/** A person may have written it: only a time is taken from it. */
const stopSchema = z.object({ at: z.iso.datetime().optional().catch(undefined) });

const factsOfStop: FactsOf = (key, parse) => {
  const stop = stopInKey(key);
  if (stop === undefined) return [];
  const { at } = parse(stopSchema);
  return [fact('MailStopped', key, { ...stop.of?.owner, at }, ...(at === undefined ? [] : [at]))];
};

const WATCHED = /^mail\/ops\/watch\/(day|period)=([^/]+)\.json$/;

/** What the watch told of a day or a period (docs/interfaces.md, 6.6 What the watch told). */
const ownerSchema = z.object({ merchantCode: z.string(), owner: z.string() }).partial();
const watchedSchema = z.object({ spell: z.int(), told: z.array(ownerSchema.extend({ badness: z.int() })) });

const factsOfWatch: FactsOf = (key, parse) => {
  const [, of, period] = WATCHED.exec(key) ?? [];
  if (of === undefined) return [];
  const { spell, told } = parse(watchedSchema);
  // Of badness 1 it arrived, and needs a look.
  const missing = told.filter(({ badness }) => badness > 1);
  return missing.map(({ merchantCode = '', owner = `merchant=${merchantCode}` }) => {
    const [whose, name = ''] = owner.split('=');
    const says = { ...ownerNamed(whose, name), [of]: period };
    return fact('ReportMissing', key, says, owner, spell.toString());
  });
};

/** Who reads an object, by the start of its key. Any other says nothing, and is not read. */
export const SOURCES = new Map<string, FactsOf>([
  ['days/', factsOfPage],
  ['statements/', factsOfPage],
  ['mail/day=', factsOfLedger],
  ['alerts/', factsOfRules],
  ['mail-stops/', factsOfStop],
  ['mail/ops/watch/', factsOfWatch],
]);

/** What an object of the data bucket says that was not said before. */
export class News extends BucketStore {
  /**
   * Each version has its own news, so that none is lost when a later one is there already. `undefined` for one that is gone.
   * @param version of the object; left out: the present one, and all that it says is news
   * @throws {StoredObjectError} when it is not what Daybook writes there
   */
  async of(key: string, version: string | undefined): Promise<Fact[] | undefined> {
    const [, factsOf] = [...SOURCES].find(([start]) => key.startsWith(start)) ?? [];
    if (factsOf === undefined) return [];
    // A page is written once. Others change, and only what a version says that the one before did not is new.
    const changed = factsOf === factsOfPage ? undefined : version;
    const facts = await this.#facts(factsOf, key, changed);
    if (facts === undefined || facts.length === 0) return facts;
    const before = await unlessSpoilt(() => this.#factsBefore(factsOf, key, changed));
    const known = new Set(before?.map(({ id }) => id));
    const news = facts.filter(({ id }) => !known.has(id));
    const [first] = news;
    if (first?.type !== 'ReportMailed') return news;
    // It is alone, and tells the figures of its page. Without the page there is nothing to tell.
    const [sealed] = (await this.of(first.key, undefined)) ?? [];
    if (sealed?.type !== 'ReportSealed') return [];
    return [{ ...first, says: { ...sealed.says, ...first.says } }];
  }

  async #facts(factsOf: FactsOf, key: string, version?: string): Promise<Fact[] | undefined> {
    const found = await readText(this.s3, this.bucket, key, undefined, version);
    return found && factsOf(key, (schema) => parseObject(key, found.text, schema));
  }

  /** Of the version before. None where there is none, it was a deletion, or no version is named. */
  async #factsBefore(factsOf: FactsOf, key: string, version?: string): Promise<Fact[] | undefined> {
    if (version === undefined) return undefined;
    const input = { Bucket: this.bucket, Prefix: key, KeyMarker: key, VersionIdMarker: version, MaxKeys: 1 };
    const { Versions: [before] = [] } = await this.s3.send(new ListObjectVersionsCommand(input));
    return before?.Key === key ? this.#facts(factsOf, key, before.VersionId) : undefined;
  }
}
