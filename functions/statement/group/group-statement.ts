import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import { NothingSealedError } from '#domain/errors/nothing-sealed-error.ts';
import { groupTimes } from '#domain/period/group-times.ts';
import { resolvePeriod } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { groupSettings } from '#domain/registry/groups.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { groupAnswer } from '../answer.ts';
import type { GroupAnswer } from '../answer.ts';
import { assertMailAllowed, mailAsAsked } from '../asked-mail.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupMail } from '../mail/group-mail.ts';
import type { SealedPage } from '../seal-next.ts';
import type { StatementEvent } from '../statement-event.ts';
import { groupMembers, showsOnlyMembers } from './group-members.ts';
import type { GroupMembers } from './group-members.ts';
import { sealGroup } from './seal-group.ts';

/** The event of a group's page, and the end of the time (milliseconds UTC). */
export type GroupEvent = Omit<StatementEvent, 'owner'> & { group: string; deadline: number };

/**
 * Adds up, seals and mails one group's day, week or month.
 *
 * @throws {UnknownGroupError} when the registry has no such group
 * @throws {InvalidGroupError} when the group's entry is not usable
 * @throws {InvalidPeriodError} when it is no period, or is not over
 * @throws {InvalidEventError} when the page shows merchants which are not in the group any more
 */
export async function groupStatement(dependencies: Dependencies, event: GroupEvent): Promise<GroupAnswer> {
  const { registry } = await dependencies.registry.load();
  const settings = groupSettings(registry, event.group);
  await assertMailAllowed(dependencies, event, settings.recipients, 'group');
  const now = dependencies.clock.now();
  const scheduledTime = event.scheduledTime ?? null;
  const asOf = scheduledTime === null ? now : Math.min(Date.parse(scheduledTime), now);
  const members = groupMembers(registry, settings);
  // The weeks of its merchants may begin on different days. Their names are the same.
  const weekStarts = members.merchants.map(({ weekStart }) => weekStart);
  const { timeZone, weekStart } = groupTimes(settings, weekStarts);
  const period = resolvePeriod(event.period, { timeZone, weekStart, now: asOf });
  const sealed =
    event.resend === false ? await seal() : await pageToResend(dependencies, event.group, period);
  const { page } = sealed;
  assertShowsOnlyMembers(page, members);
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
    page: groupMail(dependencies, settings, page, { send: event.send, isTick: scheduledTime !== null }),
    isNew: !sealed.unchanged,
    preview: compose,
    deadline: event.deadline,
  });
  return groupAnswer({ ...sealed, sealed: true, mail });

  function seal(): Promise<SealedPage<GroupPage>> {
    const request = { group: event.group, period, scheduledTime, ...members };
    return sealGroup(dependencies, request, !event.dryRun);
  }
}

/**
 * The revision to send again.
 *
 * @throws {NothingSealedError} when there is none
 */
async function pageToResend(
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

/**
 * Every page passes here before it is mailed, whichever way it came: made now, made before, or to be sent again.
 *
 * @throws {InvalidEventError} when it shows a merchant that is not in the group any more. Only `resend` takes such a page
 */
function assertShowsOnlyMembers(page: GroupPage, members: GroupMembers): void {
  if (showsOnlyMembers(page, members)) return;
  throw new InvalidEventError(
    'resend',
    `asks for a page that shows merchants which are not in group ${page.group} any more. Without it a new page is made`,
  );
}
