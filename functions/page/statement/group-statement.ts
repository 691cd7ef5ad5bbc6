import pLimit from 'p-limit';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { NothingSealedError } from '#records/errors/daybook-error.ts';
import { groupTimes } from '#records/period/due.ts';
import { periodBefore, periodDays, periodKind, resolvePeriod } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import { dayPrefix, ownerPart, pageLedgerKey, periodPrefix } from '#records/storage/keys.ts';
import { membersOf, groupSettings } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { changedMembers, composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import { groupPageSchema } from '#page/figures/group-page.ts';
import type { GroupPage, ChangedMember } from '#page/figures/group-page.ts';
import { assertMailAllowed } from '#page/page-event.ts';
import { pageSettings } from '#page/page-settings.ts';
import { numberAfter, sealNext, unlessSpoilt } from '#page/page-store.ts';
import type { SealedPage } from '#page/page-store.ts';
import { answerPage, groupAnswer, namedAt } from './event-and-answer.ts';
import type { GroupAnswer, PreviewedPage, StatementEvent } from './event-and-answer.ts';
import type { Dependencies } from './dependencies.ts';

type GroupEvent = Omit<StatementEvent, 'owner'> & { group: string };

/**
 * Makes a group's page, or takes the newest to send it again, and mails it as asked.
 * @param deadline of the last mail, milliseconds UTC
 * @throws {UnknownGroupError} when the registry has no such group
 * @throws {InvalidGroupError} when the group's entry is not usable
 * @throws {InvalidPeriodError} when it is no period, or is not over
 * @throws {InvalidEventError} see {@link assertMailAllowed}
 */
export async function answerGroup(
  dependencies: Dependencies,
  event: GroupEvent,
  deadline: number,
): Promise<GroupAnswer> {
  const { group, scheduledTime = null } = event;
  const { registry } = await dependencies.registry.load();
  const settings = groupSettings(registry, group);
  await assertMailAllowed(dependencies.environment, event, settings.recipients, 'group');
  const members = groupMembers(registry, settings);
  const period = wantedPeriod(event, settings, members, dependencies.clock.now());
  return answerPage(dependencies, event, deadline, {
    id: { owner: { group }, period },
    pages: dependencies.groupPages,
    seal: (store) => sealGroup(dependencies, { group, period, scheduledTime, ...members }, store),
    assertMayBeMailed: (page) => assertShowsOnlyMembers(page, members),
    mailed: (page) => groupMail(dependencies, { settings, members, isTick: scheduledTime !== null }, page),
    answer: groupAnswer,
  });
}

function wantedPeriod(
  event: Pick<GroupEvent, 'period' | 'scheduledTime'>,
  settings: GroupSettings,
  { merchants }: GroupMembers,
  now: number,
): Period {
  // The weeks of its merchants may begin on different days. Their names are the same.
  const weekStarts = merchants.map(({ weekStart }) => weekStart);
  return resolvePeriod(event.period, { ...groupTimes(settings, weekStarts), now: namedAt(event, now) });
}

/** @throws {InvalidEventError} for a merchant that left the group. Only `resend` takes such a page */
function assertShowsOnlyMembers(page: GroupPage, members: GroupMembers): void {
  if (showsOnlyMembers(page, members)) return;
  throw new InvalidEventError(
    'resend',
    `asks for a page that shows merchants which are not in group ${page.group} any more. Without it a new page is made`,
  );
}

interface GroupMembers {
  /** Of all. */
  codes: ReadonlySet<string>;
  merchants: readonly MerchantSettings[];
  unknown: readonly string[];
  unusable: readonly string[];
}

function groupMembers(registry: Registry, settings: GroupSettings): GroupMembers {
  const { codes, unknown } = membersOf(settings, registry);
  const usable = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  return {
    codes: new Set([...codes, ...unknown]),
    merchants: codes.flatMap((code) => usable.get(code) ?? []),
    unknown,
    unusable: codes.filter((code) => !usable.has(code)),
  };
}

/** The group may have changed since: its recipients must not see others. */
function showsOnlyMembers(
  { merchants, missing, corrections }: Pick<GroupPage, 'merchants' | 'missing' | 'corrections'>,
  { codes }: GroupMembers,
): boolean {
  return [...merchants, ...missing, ...corrections].every(({ merchantCode }) => codes.has(merchantCode));
}

interface GroupRequest extends GroupMembers {
  group: string;
  period: Period;
  scheduledTime: string | null;
}

type Ports = Pick<
  Dependencies,
  'snapshots' | 'sealedPages' | 'addedStatements' | 'groupPages' | 'ledgers' | 'clock' | 'telemetry'
>;

/**
 * Ticks make a page once: a later run takes the tick's page. A preview's is often made too early, and is made again.
 * @param store `false` for a dry run
 * @throws {NothingSealedError} when no merchant has a page
 * @throws {SealContestedError} when other runs took the number three times
 */
async function sealGroup(
  ports: Ports,
  request: GroupRequest,
  store: boolean,
): Promise<SealedPage<GroupPage>> {
  const { group, period, scheduledTime, merchants } = request;
  const id = { owner: { group }, period };
  const make = async (newest: GroupPage | undefined) => {
    if (newest !== undefined && scheduledTime !== null && (await isSettled(ports, request, newest))) {
      return newest;
    }
    const revisions = await newestRevisions(ports, period);
    const known = knownCurrencies(newest);
    const { members, missing } = await readMembers(ports, period, merchants, revisions, known);
    if (members.length === 0) {
      throw new NothingSealedError(
        `group ${group}, period ${period}: no merchant has a page, so there is nothing to add up`,
      );
    }
    const corrections = await correctionsSince(ports, { group, period }, merchants);
    const allMissing = [...missing, ...leftOut(request)];
    const named = { group, period, ...periodDays(period, 'monday') };
    const content = composeGroup(named, members, allMissing, corrections);
    if (newest?.digest === content.digest && showsOnlyMembers(newest, request)) return newest;
    const sealedAt = new Date(ports.clock.now()).toISOString();
    // Parsed, so that nothing is sealed that could not be read again.
    return groupPageSchema.parse({ ...content, ...numberAfter(id, newest), sealedAt, scheduledTime });
  };
  return sealNext({ id, pages: ports.groupPages, store, clock: ports.clock, make });
}

/** Whether a tick takes it: made by one, or its mail has begun, and it shows nobody who left the group. */
async function isSettled({ ledgers }: Ports, request: GroupRequest, page: GroupPage): Promise<boolean> {
  const { group, period, revision } = page;
  if (!showsOnlyMembers(page, request)) return false;
  // Without a look at the ledger: a run that made the page had no time left for its mail, and has it now.
  if (page.scheduledTime !== null) return true;
  const ledger = await ledgers.read(pageLedgerKey({ owner: { group }, period, revision }));
  return ledger !== undefined;
}

function leftOut({ unknown, unusable }: GroupRequest): GroupPage['missing'] {
  const because = (reason: 'not-in-registry' | 'not-usable') => (merchantCode: string) => {
    return { merchantCode, name: null, reason };
  };
  return [...unusable.map(because('not-usable')), ...unknown.map(because('not-in-registry'))];
}

/**
 * A page, never corrected by itself: the next one says what has changed. Each revision that a person asks for
 * is mailed as a page, and a tick mails one.
 */
function groupMail(
  ports: Pick<Dependencies, 'senderProfile' | 'snapshots' | 'groupPages' | 'clock'>,
  request: { settings: GroupSettings; members: GroupMembers; isTick: boolean },
  page: GroupPage,
): PreviewedPage {
  const { settings, members, isTick } = request;
  const { group, period, revision } = page;
  const id = { owner: { group }, period };
  const replaced = async () => {
    const before = await unlessSpoilt(() => ports.groupPages.revision({ ...id, revision: revision - 1 }));
    return before && showsOnlyMembers(before, members) ? before : undefined;
  };
  const composed = async (before: GroupPage | null, now?: number) => {
    const { composeGroupMail } = await import('./composers.ts');
    return composeGroupMail(ports, settings, { page, before, now });
  };
  return {
    id,
    revision,
    figures: null,
    soFar: false,
    readAt: page.sealedAt,
    readBy: page.digest.slice(0, 16),
    firstKind: 'group',
    recipients: settings.recipients,
    sealed: () => Promise.resolve({ figures: null, soFar: false }),
    decide: (before) => {
      if (isTick && before !== null)
        return { kind: 'skipped', reason: 'a page of the period was mailed before' };
      return { kind: 'first' };
    },
    preview: () => composed(null),
    compose: async () => composed((revision === 1 ? undefined : await replaced()) ?? null, ports.clock.now()),
    earlier: async (number) => {
      const earlier = await ports.groupPages.revision({ ...id, revision: number });
      if (earlier === undefined || !showsOnlyMembers(earlier, members)) return undefined;
      return groupMail(ports, request, earlier);
    },
  };
}

/**
 * What changed in the page before, which has no correction of its own, since it was sealed. The past of a
 * merchant that it does not name, or before its `reportFrom`, is not told.
 */
async function correctionsSince(
  ports: Ports,
  { group, period }: Pick<GroupPage, 'group' | 'period'>,
  merchants: readonly MerchantSettings[],
): Promise<ChangedMember[]> {
  const before = periodBefore(period);
  const page = await unlessSpoilt(() => ports.groupPages.newest({ owner: { group }, period: before }));
  if (page === undefined) return [];
  const old = new Map(page.merchants.map((member) => [member.merchantCode, member]));
  const named = new Set([...page.merchants, ...page.missing].map(({ merchantCode }) => merchantCode));
  const revisions = await newestRevisions(ports, before);
  // A revision never changes, so the others need not be read.
  const changed = merchants.filter((merchant) => {
    const { merchantCode } = merchant;
    if (!named.has(merchantCode) || !isExpected(merchant, before)) return false;
    return revisions.get(ownerPart({ merchantCode })) !== old.get(merchantCode)?.revision;
  });
  const { members } = await readMembers(ports, before, changed, revisions, knownCurrencies(page));
  return changedMembers(
    page,
    members.map(({ member }) => member),
  );
}

/** More would not be faster: a page has to be parsed, too. */
const MOST_READS_AT_ONCE = 32;

/** By code. A page of an earlier version does not say its own, and keeps this one. */
type KnownCurrencies = ReadonlyMap<string, string>;

function knownCurrencies(page: GroupPage | undefined): KnownCurrencies {
  const members = page?.merchants ?? [];
  return new Map(
    members.flatMap(({ merchantCode, currency }) =>
      currency === null ? [] : [[merchantCode, currency] as const],
    ),
  );
}

async function readMember(
  { snapshots, addedStatements }: Ports,
  period: Period,
  settings: MerchantSettings,
  newest: ReadonlyMap<string, number>,
  known: KnownCurrencies,
): Promise<AddedMember | undefined> {
  const { merchantCode, timeZone } = settings;
  const owner = { merchantCode };
  const revision = newest.get(ownerPart(owner));
  if (revision === undefined) return undefined;
  const place = { owner, period, revision };
  if (periodKind(period) !== 'day') {
    const statement = await addedStatements.revision(place);
    return statement && memberOfStatement(statement, settings);
  }
  const page = await snapshots.revision(place);
  // A page that ends before its day was over is not the day's.
  if (page === undefined || soFarUntil(page, timeZone) !== null) return undefined;
  const { currency = known.get(merchantCode) } = page;
  return memberOfDay(page, pageSettings({ ...page, currency }, settings));
}

/** Newest revisions by `ownerPart`, in the group or not: one request lists a thousand. */
function newestRevisions(
  { sealedPages }: Pick<Ports, 'sealedPages'>,
  period: Period,
): Promise<ReadonlyMap<string, number>> {
  const prefix = periodKind(period) === 'day' ? dayPrefix(period) : periodPrefix(period);
  return sealedPages.newestRevisions(`${prefix}merchant=`);
}

/** Before a merchant's `reportFrom` nobody misses it, or is told of it. */
function isExpected({ reportFrom = '', weekStart }: MerchantSettings, period: Period): boolean {
  return periodDays(period, weekStart).to >= reportFrom;
}

/**
 * Reads each merchant's newest page. An unreadable one stops no other: its merchant is missing. One whose `reportFrom`
 * is later is left out: its page may be of the time before it was sold.
 */
async function readMembers(
  ports: Ports,
  period: Period,
  merchants: readonly MerchantSettings[],
  newest: ReadonlyMap<string, number>,
  known: KnownCurrencies,
) {
  const [members, missing]: [AddedMember[], GroupPage['missing']] = [[], []];
  const found = await pLimit(MOST_READS_AT_ONCE).map(merchants, async (settings) => {
    const { merchantCode, name, reportFrom = '' } = settings;
    try {
      const added = await readMember(ports, period, settings, newest, known);
      if (added !== undefined) return added.member.to < reportFrom ? undefined : added;
      return isExpected(settings, period)
        ? ({ merchantCode, name, reason: 'not-sealed' } as const)
        : undefined;
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      ports.telemetry.logError(error);
      return { merchantCode, name, reason: 'not-readable' } as const;
    }
  });
  for (const one of found) {
    if (one === undefined) continue;
    if ('member' in one) members.push(one);
    else missing.push(one);
  }
  return { members, missing };
}
