import { renderOpsNotice } from '#rendering/ops-notice.ts';
import { daybookHeaders } from '../message/daybook-headers.ts';
import { composeMail } from '../message/mime.ts';
import type { MailParts } from '../message/mime.ts';

/** A notice to ops: a subject in one line, and a text of any number of lines. */
export interface Notice {
  subject: string;
  text: string;
}

/** SNS accepts a subject of printable ASCII with less than 100 characters. */
const LONGEST_TOPIC_SUBJECT = 99;

function topicSubject(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, LONGEST_TOPIC_SUBJECT);
}

/** A notice as a MIME message. @param record the key of the object that records it */
export function composeOpsMail(
  notice: Notice,
  record: string,
  head: Pick<MailParts, 'from' | 'replyTo' | 'to' | 'at'>,
): Promise<Uint8Array> {
  const headers = daybookHeaders({ kind: 'ops', reference: [record] });
  return composeMail({ ...head, headers, ...renderOpsNotice(notice) });
}

/** A notice for the topic. */
export function topicMessage(notice: Notice): { Subject: string; Message: string } {
  const { subject, text } = renderOpsNotice(notice);
  // The subject is repeated in the message, because the SNS subject loses all that is not ASCII.
  return { Subject: topicSubject(subject), Message: `${subject}\n\n${text}` };
}
