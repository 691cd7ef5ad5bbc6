import { renderOpsNotice } from '#rendering/ops-notice.ts';
import { composeMail } from '../message/mime.ts';
import type { MailParts } from '../message/mime.ts';

/** What ops are told; one line, and any number of them. */
export interface Notice {
  subject: string;
  text: string;
}

/** SNS takes printable ASCII of less than 100 characters for a subject. */
const LONGEST_TOPIC_SUBJECT = 99;

function topicSubject(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, LONGEST_TOPIC_SUBJECT);
}

/** A notice as MIME. */
export function composeOpsMail(
  notice: Notice,
  head: Pick<MailParts, 'from' | 'replyTo' | 'to' | 'at'>,
): Promise<Uint8Array> {
  return composeMail({ ...head, ...renderOpsNotice(notice) });
}

/** A notice as the topic takes it. */
export function topicMessage(notice: Notice): { Subject: string; Message: string } {
  const { subject, text } = renderOpsNotice(notice);
  // The subject again: in the message it keeps what ASCII cannot hold.
  return { Subject: topicSubject(subject), Message: `${subject}\n\n${text}` };
}
