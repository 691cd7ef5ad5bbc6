import type { GroupSettings } from '#registry/groups.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import type { MailedPage } from '#page/mailed-page.ts';
import type { Dependencies } from '../dependencies.ts';

type Ports = Pick<Dependencies, 'senderProfile'>;

interface AskedPage {
  send: boolean;
  isTick: boolean;
}

/**
 * A page, never corrected by itself: the next one says what has changed. Each revision that a person asks for
 * is mailed as a page, and a tick mails one.
 */
export function groupMail(
  ports: Ports,
  settings: GroupSettings,
  page: GroupPage,
  { send, isTick }: AskedPage,
): MailedPage {
  const { group, period, revision } = page;
  return {
    id: { owner: { group }, period },
    revision,
    figures: null,
    soFar: false,
    readAt: page.sealedAt,
    readBy: page.digest.slice(0, 16),
    firstKind: 'group',
    recipients: settings.recipients,
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
    // Figures of pages are not compared, so no earlier page is ever still valid.
    earlier: () => Promise.resolve(undefined),
  };
}
