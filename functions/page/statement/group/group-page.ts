import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { NothingSealedError } from '#records/errors/daybook-error.ts';
import { groupTimes } from '#records/period/due.ts';
import { periodDays, resolvePeriod, periodBefore } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { membersOf, groupSettings } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { changedMembers, composeGroup } from '#page/figures/compose-group.ts';
import { groupPageSchema } from '#page/figures/group-page.ts';
import type { GroupPage, ChangedMember } from '#page/figures/group-page.ts';
import { pageLedgerKey, ownerPart } from '#records/storage/keys.ts';
import { assertMailAllowed } from '#page/page-event.ts';
import { numberAfter, sealNext, unlessSpoilt } from '#page/page-store.ts';
import type { SealedPage } from '#page/page-store.ts';
import { answerPage, groupAnswer } from '../answer-page.ts';
import type { GroupAnswer } from '../answer-page.ts';
import type { Dependencies } from '../dependencies.ts';
import { namedAt } from '../statement-event.ts';
import type { StatementEvent } from '../statement-event.ts';
import { knownCurrencies, newestRevisions, readMembers, isExpected } from './read-members.ts';
import type { MailedPage } from '#page/send-page.ts';

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
    preview: async (page) => {
      const { composeGroupMail } = await import('../mail/composers.ts');
      return composeGroupMail(dependencies, settings, { page, before: null, preview: true });
    },
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
  /** Not in the registry. */
  unknown: readonly string[];
  /** Their entries cannot be used. */
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
 * Ticks make a page once: a later run takes the tick's page. A preview's is often made too early, and is made
 * again.
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
): MailedPage {
  const { settings, members, isTick } = request;
  const { group, period, revision } = page;
  const id = { owner: { group }, period };
  const replaced = async () => {
    const before = await unlessSpoilt(() => ports.groupPages.revision({ ...id, revision: revision - 1 }));
    return before && showsOnlyMembers(before, members) ? before : undefined;
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
    compose: async () => {
      const { composeGroupMail } = await import('../mail/composers.ts');
      const before = revision === 1 ? undefined : await replaced();
      const now = ports.clock.now();
      return composeGroupMail(ports, settings, { page, before: before ?? null, preview: false, now });
    },
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
