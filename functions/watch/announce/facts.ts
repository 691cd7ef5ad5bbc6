import * as z from 'zod';
import { storedAlertState } from '#records/ledger/alert-state.ts';
import { isReceived, wasReceivedBefore } from '#records/ledger/ledger-rounds.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import {
  addressHashInKey,
  alertStateKey,
  isMerchantDay,
  merchantInKey,
  pageInKey,
  pageInLedgerKey,
  pageKey,
} from '#records/storage/keys.ts';
import { readersStopInKey } from '#records/storage/readers-stop.ts';
import { misplacedMember } from '#page/page-store.ts';
import type { PlacedPage } from '#page/page-store.ts';
import {
  groupPageSealedSchema,
  ruleMovedSchema,
  statementSealedSchema,
  unbalancedDaySchema,
} from './event-schemas.ts';
import type { EventType } from './event-schemas.ts';

/** One thing that an object says. */
export interface Fact {
  type: EventType;
  /** Of the object that says it. Of a mail: of the page that was mailed. */
  key: string;
  /** What tells it from others of its type and key. */
  which?: string | undefined;
  /** The members of its event that others do not have. */
  says: object;
}

/** Reads an object's facts. `parse` throws when it is not of that schema. */
type FactsOf = (key: string, parse: <T>(schema: z.ZodType<T>) => T) => Fact[];

/** A copy at another key must not be told as what belongs there. */
const MISPLACED = 'belongs to another key';

const factsOfPage: FactsOf = (key, parse) => {
  const place = pageInKey(key);
  if (place === undefined) return [];
  const isPlaced = (page: PlacedPage) => misplacedMember(page, place) === undefined;
  if (place.owner.group !== undefined) {
    return [{ type: 'GroupPageSealed', key, says: parse(groupPageSealedSchema.refine(isPlaced, MISPLACED)) }];
  }
  if (!isMerchantDay(place)) {
    return [{ type: 'StatementSealed', key, says: parse(statementSealedSchema.refine(isPlaced, MISPLACED)) }];
  }
  const page = parse(unbalancedDaySchema.refine(isPlaced, MISPLACED));
  const { differences: _differences, ...says } = page;
  const sealed: Fact = { type: 'ReportSealed', key, says };
  return page.balanced ? [sealed] : [sealed, { type: 'DayUnbalanced', key, says: page }];
};

/** A report is mailed once all that it was to reach have it. A later bounce takes nothing back. */
const factsOfLedger: FactsOf = (key, parse) => {
  const place = pageInLedgerKey(key);
  if (place === undefined) return [];
  const ledger = parse(ledgerSchema.refine(({ key: own = key }) => own === key, MISPLACED));
  if (!isReceived(ledger.status) && !wasReceivedBefore(ledger)) return [];
  return [{ type: 'ReportMailed', key: pageKey(place), says: { kind: ledger.kind } }];
};

/** What moved at the last check that moved something: the mail that it owes says it. */
const factsOfRules: FactsOf = (key, parse) => {
  const merchantCode = merchantInKey(key);
  if (merchantCode === undefined || alertStateKey(merchantCode) !== key) return [];
  const { owed } = parse(storedAlertState(merchantCode));
  return (owed?.lines ?? []).flatMap((line): Fact[] => {
    if (owed === null || line.says === 'still firing') return [];
    const { check, day } = owed;
    const type = line.says === 'firing' ? 'AlertFiring' : 'AlertResolved';
    const says = ruleMovedSchema.parse({ ...line, merchantCode, day, check });
    return [{ type, key, which: `${check} ${line.rule}`, says }];
  });
};

/** @param owner as `ownerPart` names it */
function ownerOf(owner: string) {
  const [whose, name] = owner.split('=');
  return whose === 'group' ? { group: name } : { merchantCode: name };
}

/** A person may have written it: only a time is taken from it. */
const stopSchema = z.object({ at: z.iso.datetime().optional().catch(undefined) });

const factsOfStop: FactsOf = (key, parse) => {
  const ofReader = readersStopInKey(key);
  if (ofReader === undefined && addressHashInKey(key) === undefined) return [];
  const { at } = parse(stopSchema);
  return [{ type: 'MailStopped', key, which: at, says: { ...ofReader?.owner, at } }];
};

const WATCHED = /\/(day|period)=([^/]+)\.json$/;
/** What the watch told of a day or a period (docs/interfaces.md, 6.6 What the watch told). */
const watchedSchema = z.object({
  spell: z.int(),
  told: z.array(
    z.object({ merchantCode: z.string().optional(), owner: z.string().optional(), badness: z.int() }),
  ),
});

const factsOfWatch: FactsOf = (key, parse) => {
  const [, of, period] = WATCHED.exec(key) ?? [];
  if (of === undefined) return [];
  const { spell, told } = parse(watchedSchema);
  // Of badness 1 it arrived, and needs a look.
  const missing = told.filter(({ badness }) => badness > 1);
  return missing.map(({ merchantCode = '', owner = `merchant=${merchantCode}` }) => ({
    type: 'ReportMissing',
    key,
    which: `${owner} ${spell}`,
    says: { ...ownerOf(owner), [of]: period },
  }));
};

export interface Source {
  /** Of the keys. */
  start: string;
  /** Written once. Others change, and only what a version says that the one before did not is new. */
  isSealed: boolean;
  factsOf: FactsOf;
}

/** The objects that say something to other systems: the rule of the stack has the same starts of keys. */
export const SOURCES: readonly Source[] = [
  { start: 'days/', isSealed: true, factsOf: factsOfPage },
  { start: 'statements/', isSealed: true, factsOf: factsOfPage },
  { start: 'mail/day=', isSealed: false, factsOf: factsOfLedger },
  { start: 'alerts/', isSealed: false, factsOf: factsOfRules },
  { start: 'mail-stops/', isSealed: false, factsOf: factsOfStop },
  { start: 'mail/ops/watch/', isSealed: false, factsOf: factsOfWatch },
];

/** Type, key (with the number of the revision) and which of several: the same whenever the fact is told. */
export function idOf({ type, key, which }: Fact): string {
  return [type, key, ...(which === undefined ? [] : [which])].join(' ');
}
