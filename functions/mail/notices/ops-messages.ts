import type { OpsNotice } from './ops-notice.ts';
import type { NoticePlace } from './ops-command.ts';
import { opsNoticeKey } from '#records/storage/keys.ts';
import { renderOpsNotice } from './render-ops-notice.ts';
import { daybookHeaders } from '../message/daybook-headers.ts';
import { composeMail } from '../message/mime.ts';
import type { MailParts } from '../message/mime.ts';

/** SNS accepts a subject of printable ASCII with less than 100 characters. */
const LONGEST_TOPIC_SUBJECT = 99;

function topicSubject(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, LONGEST_TOPIC_SUBJECT);
}

/** A notice as a message. @param record the key of the object that records it */
export function composeOpsMail(
  notice: OpsNotice,
  place: NoticePlace,
  head: Pick<MailParts, 'from' | 'replyTo' | 'to' | 'at'>,
): Promise<Uint8Array> {
  // The key of the object that records the notice.
  const headers = daybookHeaders({ kind: 'ops', reference: [opsNoticeKey(notice.about)] });
  return composeMail({ ...head, headers, ...renderOpsNotice(notice, place) });
}

export function topicMessage(notice: OpsNotice, place: NoticePlace): { Subject: string; Message: string } {
  const { subject, text } = renderOpsNotice(notice, place);
  // The subject is repeated in the message, because the SNS subject loses all that is not ASCII.
  return { Subject: topicSubject(subject), Message: `${subject}\n\n${text}` };
}
