import type { GroupSettings } from '#domain/registry/groups.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { statementLedgerKey } from '#domain/storage/statement-keys.ts';
import type { StatementPlace } from '#domain/storage/statement-keys.ts';
import type { MailedPage } from '#mailing/pages/mailed-page.ts';
import type { Dependencies } from '../dependencies.ts';
import { showsOnlyMembers } from '../group/group-members.ts';
import type { GroupMembers } from '../group/group-members.ts';
import { heldNotice } from './held-notice.ts';

type Ports = Pick<Dependencies, 'groupPages' | 'senderProfile'>;

/** The group as it is now, and who asks for its page. */
export interface MailedGroup {
  settings: GroupSettings;
  members: GroupMembers;
  /** Whether a tick asks, and not a person. */
  isTick: boolean;
}

/**
 * A revision of a group's page, for the mailing. A page is never corrected by itself: the next one says what has changed,
 * and a person may ask for it again. So every new revision that a person asks for is mailed as a page, and a tick mails one.
 *
 * @param send whether the event asks for the mail
 */
export function groupMail(ports: Ports, mailed: MailedGroup, page: GroupPage, send: boolean): MailedPage {
  const { settings, members, isTick } = mailed;
  const { group, period, revision } = page;
  const at = (number: number): StatementPlace => ({ owner: { group }, period, revision: number });
  return {
    revision,
    figures: null,
    soFar: false,
    readAt: page.sealedAt,
    readBy: page.digest.slice(0, 16),
    firstKind: 'group',
    tags: { group, period, revision: revision.toString() },
    recipients: settings.recipients,
    ledgerKey: (number) => statementLedgerKey(at(number)),
    sealed: () => Promise.resolve({ figures: null, soFar: false }),
    decide: (before) => {
      if (!send) return { kind: 'skipped', reason: 'not asked for' };
      if (settings.recipients.length === 0) return { kind: 'skipped', reason: 'the group has no recipients' };
      if (isTick && before !== null)
        return { kind: 'skipped', reason: 'a page of the period was mailed before' };
      return { kind: 'first' };
    },
    compose: async () => {
      const { composeGroupMail } = await import('./composers.ts');
      return composeGroupMail(ports, settings, { page, preview: false });
    },
    earlier: async (number) => {
      const earlier = await ports.groupPages.revision(at(number));
      if (earlier === undefined || !showsOnlyMembers(earlier, members)) return undefined;
      return groupMail(ports, mailed, earlier, send);
    },
    heldNotice: (number) => (held) => heldNotice(at(number), held),
  };
}
