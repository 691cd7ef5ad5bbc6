import { NothingSealedError } from '#domain/errors/nothing-sealed-error.ts';
import { groupTimes } from '#domain/period/group-times.ts';
import { resolvePeriod } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { membersOf } from '#domain/registry/group-members.ts';
import { groupSettings } from '#domain/registry/groups.ts';
import type { GroupSettings } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { groupAnswer } from '../answer.ts';
import type { GroupAnswer } from '../answer.ts';
import { assertMailAllowed, mailAsAsked } from '../asked-mail.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupMail } from '../mail/group-mail.ts';
import type { SealedPage } from '../seal-next.ts';
import type { StatementEvent } from '../statement-event.ts';
import { sealGroup } from './seal-group.ts';

/** The event of a group's page, and the end of the time (milliseconds UTC). */
export type GroupEvent = Omit<StatementEvent, 'owner'> & { group: string; deadline: number };

/**
 * Adds up, seals and mails one group's day, week or month.
 *
 * @throws {UnknownGroupError} when the registry has no such group
 * @throws {InvalidGroupError} when the group's entry is not usable
 * @throws {InvalidPeriodError} when it is no period, or is not over
 */
export async function groupStatement(dependencies: Dependencies, event: GroupEvent): Promise<GroupAnswer> {
  const { registry } = await dependencies.registry.load();
  const settings = groupSettings(registry, event.group);
  await assertMailAllowed(dependencies, event, settings.recipients, 'group');
  const now = dependencies.clock.now();
  const asOf = event.scheduledTime ? Math.min(Date.parse(event.scheduledTime), now) : now;
  const members = groupMembers(registry, settings);
  // The weeks of its merchants may begin on different days. Their names are the same.
  const weekStarts = members.merchants.map(({ weekStart }) => weekStart);
  const { timeZone, weekStart } = groupTimes(settings, weekStarts);
  const period = resolvePeriod(event.period, { timeZone, weekStart, now: asOf });
  const sealed = event.resend === false ? await seal() : await newestPage(dependencies, event.group, period);
  const { page } = sealed;
  const compose = async () => {
    const { composeGroupMail } = await import('../mail/composers.ts');
    return composeGroupMail(dependencies, settings, { page, preview: true });
  };
  if (event.dryRun) {
    await compose();
    return groupAnswer({
      ...sealed,
      sealed: false,
      mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
    });
  }
  const mail = await mailAsAsked(dependencies, event, {
    page: groupMail(dependencies, settings, page, event.send),
    isNew: !sealed.unchanged,
    preview: compose,
    deadline: event.deadline,
  });
  return groupAnswer({ ...sealed, sealed: true, mail });

  function seal(): Promise<SealedPage<GroupPage>> {
    const scheduledTime = event.scheduledTime ?? null;
    const request = { group: event.group, period, scheduledTime, ...members };
    return sealGroup(dependencies, request, !event.dryRun);
  }
}

/** The merchants of a group, in the order of the registry, and the codes of those that cannot have a page. */
function groupMembers(registry: Registry, settings: GroupSettings) {
  const { codes, unknown } = membersOf(settings, registry);
  const usable = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  const merchants = codes.flatMap((code) => usable.get(code) ?? []);
  return { merchants, unknown, unusable: codes.filter((code) => !usable.has(code)) };
}

/** The revision to send again. @throws {NothingSealedError} when there is none */
async function newestPage(
  { groupPages }: Dependencies,
  group: string,
  period: Period,
): Promise<SealedPage<GroupPage>> {
  const page = await groupPages.newest({ group }, period);
  if (page !== undefined) return { page, unchanged: true };
  throw new NothingSealedError(
    `group ${group}, period ${period}: no page is sealed, so there is nothing to send again`,
  );
}
