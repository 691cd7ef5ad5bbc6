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
  type PagePlace,
} from '#records/storage/keys.ts';
import { stopInKey } from '#records/storage/readers-stop.ts';
import { misplacedMember, unlessSpoilt, type PlacedPage } from '#page/page-store.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { parseObject, readText } from '#runtime/s3-objects.ts';
import { SAYS, type EventType } from './event-schemas.ts';

/**
 * @param key of the object that says it; of a mail: of the page that was mailed
 * @param says the members of its event that others do not have
 * @param which tells it from others of its type and key
 */
function fact(type: EventType, key: string, says: object, ...which: string[]) {
  // The key has the number of the revision. So the id is the same whenever the fact is told.
  return { id: [type, key, ...which].join(' '), type, key, says };
}
export type Fact = ReturnType<typeof fact>;

/** A copy at another key must not be told as what belongs there. */
const MISPLACED = 'belongs to another key';

function factsOfPage(key: string, place: PagePlace): z.ZodType<Fact[]> {
  const placed = <Page extends PlacedPage>(schema: z.ZodType<Page>) =>
    schema.refine((page) => misplacedMember(page, place) === undefined, MISPLACED);
  const one = (type: 'GroupPageSealed' | 'StatementSealed') =>
    placed<PlacedPage>(SAYS[type]).transform((page) => [fact(type, key, page)]);
  if (place.owner.group !== undefined) return one('GroupPageSealed');
  if (!isMerchantDay(place)) return one('StatementSealed');
  return placed(SAYS.DayUnbalanced).transform((page) => {
    const { differences: _differences, ...says } = page;
    const sealed = fact('ReportSealed', key, says);
    return page.balanced ? [sealed] : [sealed, fact('DayUnbalanced', key, page)];
  });
}

/** A person may have written it: only a time is taken from it. */
const stopSchema = z.object({ at: z.iso.datetime().optional().catch(undefined) });

const WATCHED = /^mail\/ops\/watch\/(day|period)=([^/]+)\.json$/;

/** What the watch told of a day or a period (docs/interfaces.md, 6.6 What the watch told). */
const ownerSchema = z.object({ merchantCode: z.string(), owner: z.string() }).partial();
const watchedSchema = z.object({ spell: z.int(), told: z.array(ownerSchema.extend({ badness: z.int() })) });

/** The schema of an object, which makes its facts of it. `undefined` for a key under which nothing says one. */
function factsAt(key: string): z.ZodType<Fact[]> | undefined {
  const page = pageInKey(key);
  if (page !== undefined) return factsOfPage(key, page);
  const mailed = pageInLedgerKey(key);
  if (mailed !== undefined && isMerchantDay(mailed)) {
    const ledger = ledgerSchema.refine(({ key: own = key }) => own === key, MISPLACED);
    return ledger.transform((mail) => {
      // A report is mailed once all that it was to reach have it. A later bounce takes nothing back.
      const isMailed = isReceived(mail.status) || wasReceivedBefore(mail);
      return isMailed ? [fact('ReportMailed', pageKey(mailed), { kind: mail.kind })] : [];
    });
  }
  const stop = stopInKey(key);
  if (stop !== undefined) {
    return stopSchema.transform(({ at }) => [
      fact('MailStopped', key, { ...stop.of?.owner, at }, ...(at === undefined ? [] : [at])),
    ]);
  }
  const [, of, period] = WATCHED.exec(key) ?? [];
  if (of !== undefined) {
    return watchedSchema.transform(({ spell, told }) => {
      // Of badness 1 it arrived, and needs a look.
      const missing = told.filter(({ badness }) => badness > 1);
      return missing.map(({ merchantCode = '', owner = `merchant=${merchantCode}` }) => {
        const [whose, name = ''] = owner.split('=');
        const says = { ...ownerNamed(whose, name), [of]: period };
        return fact('ReportMissing', key, says, owner, spell.toString());
      });
    });
  }
  const merchantCode = merchantInKey(key);
  if (merchantCode === undefined || !isAlertStateKey(key)) return undefined;
  return storedAlertState(merchantCode).transform(({ owed }) => {
    if (owed === null) return [];
    // What moved at the last check that moved something: the mail that it owes says it.
    const { check, day, lines } = owed;
    return lines.flatMap((line): Fact[] => {
      if (line.says === 'still firing') return [];
      const type = line.says === 'firing' ? 'AlertFiring' : 'AlertResolved';
      const says = SAYS[type].parse({ ...line, merchantCode, day, check });
      return [fact(type, key, says, check, line.rule)];
    });
  });
}

/** What an object of the data bucket says that was not said before. */
export class News extends BucketStore {
  /**
   * Each version has its own news, so that none is lost when a later one is there already. `undefined` for one that is gone.
   * @param version of the object; left out: the present one, and all that it says is news
   * @throws {StoredObjectError} when it is not what Daybook writes there
   */
  async of(key: string, version?: string): Promise<Fact[] | undefined> {
    const schema = factsAt(key);
    if (schema === undefined) return [];
    const factsOf = async (VersionId?: string) => {
      const found = await readText(this.s3, this.bucket, key, undefined, VersionId);
      return found && parseObject(key, found.text, schema);
    };
    // A page is written once. Others change, and only what a version says that the one before did not is new.
    const changed = pageInKey(key) === undefined ? version : undefined;
    const facts = await factsOf(changed);
    if (facts === undefined || facts.length === 0) return facts;
    const former = changed === undefined ? undefined : await this.#versionBefore(key, changed);
    const told = former === undefined ? [] : await unlessSpoilt(() => factsOf(former));
    const known = new Set(told?.map(({ id }) => id));
    const news = facts.filter(({ id }) => !known.has(id));
    const [first] = news;
    if (first?.type !== 'ReportMailed') return news;
    // It is alone, and tells the figures of its page. Without the page there is nothing to tell.
    const [sealed] = (await this.of(first.key)) ?? [];
    return sealed === undefined ? [] : [{ ...first, says: { ...sealed.says, ...first.says } }];
  }

  /** `undefined` where there is none, or it was a deletion. */
  async #versionBefore(key: string, version: string): Promise<string | undefined> {
    const input = { Bucket: this.bucket, Prefix: key, KeyMarker: key, VersionIdMarker: version, MaxKeys: 1 };
    const { Versions: [before] = [] } = await this.s3.send(new ListObjectVersionsCommand(input));
    return before?.Key === key ? before.VersionId : undefined;
  }
}
