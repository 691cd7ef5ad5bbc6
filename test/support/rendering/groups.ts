import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import type { AddedMember } from '#page/figures/compose-group.ts';
import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { aPage, aStatement } from './statements.ts';

/** A merchant of a group's day, with changed figures. What is added up is not changed with them. */
export function aMember(merchantCode: string, changes: Partial<GroupMember> = {}): AddedMember {
  const page = { ...aPage('2026-11-20'), merchantCode };
  const { currency = null } = changes;
  const settings = { currency: currency ?? 'KWD', timeZone: 'Asia/Kuwait', charges: [], redact: [] };
  const added = memberOfDay(page, { name: `Merchant ${merchantCode}`, ...settings });
  return { ...added, member: { ...added.member, ...changes } };
}

export function aWeekOf(merchantCode: string, pages: Parameters<typeof aStatement>[0] = {}): AddedMember {
  return memberOfStatement({ ...aStatement(pages), merchantCode }, { name: `Merchant ${merchantCode}` });
}

/** A group's page of these merchants: of a day if nothing else is said. */
export function aGroupPage(members: readonly AddedMember[], changes: Partial<GroupPage> = {}): GroupPage {
  const { period = '2026-11-20', missing = [], corrections = [] } = changes;
  const content = composeGroup(
    { group: 'north', period, from: '2026-11-20', to: '2026-11-20' },
    members,
    missing,
    corrections,
  );
  return {
    ...content,
    revision: 1,
    sealedAt: '2026-11-21T05:00:04.000Z',
    scheduledTime: null,
    previous: null,
    ...changes,
  };
}

export function aGroupInput(page: GroupPage, changes: Partial<GroupInput> = {}): GroupInput {
  return {
    group: { name: 'north', language: 'en', timeZone: 'Asia/Kuwait' },
    page,
    before: null,
    preview: false,
    attachments: [],
    ...changes,
  };
}

/** A merchant's change of the page before: 21.000 more came in. */
export function aGroupCorrection(changes: Partial<GroupPage['corrections'][number]> = {}) {
  return {
    ...{ merchantCode: '700002', name: 'Harbour', currency: 'KWD', period: '2026-11-19' },
    ...{ fromRevision: 1, toRevision: 2 },
    before: { received: '180.000', refunds: '2.500' },
    after: { received: '201.000', refunds: '2.500' },
    ...changes,
  };
}
