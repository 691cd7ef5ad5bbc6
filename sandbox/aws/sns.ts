import { queryAnswer, queryRefusal, readQueryRequest } from './query-protocol.ts';
import { ServiceError } from './service.ts';
import type { Service } from './service.ts';

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';
const maxMessageBytes = 262_144;

/** A message published to a topic. */
export interface Notice {
  topicArn: string;
  subject?: string;
  message: string;
}

/** The published messages, oldest first. */
export class NoticeStore {
  readonly messages: Notice[] = [];
  /** The ARNs of existing topics. `undefined`: every topic exists. */
  topics: Set<string> | undefined;
}

/** SNS, but only `Publish` to a topic. */
export function snsService(notices: NoticeStore): Service {
  return {
    name: 'sns',
    identify: async (request) => {
      const { action, parameters } = await readQueryRequest(request);
      const topicArn = parameters.get('TopicArn') ?? undefined;
      return {
        operation: action || 'Unknown',
        key: topicArn,
        perform: (requestId) => {
          if (action !== 'Publish') {
            throw new ServiceError(
              400,
              'InvalidAction',
              `The sandbox's SNS only has Publish, not ${action}.`,
            );
          }
          const notice = noticeOf(topicArn, parameters);
          if (notices.topics?.has(notice.topicArn) === false) {
            throw new ServiceError(404, 'NotFound', 'Topic does not exist');
          }
          notices.messages.push(notice);
          return queryAnswer(namespace, action, { MessageId: crypto.randomUUID() }, requestId);
        },
      };
    },
    refuse: (error, requestId) => queryRefusal(namespace, error, requestId),
  };
}

function noticeOf(topicArn: string | undefined, parameters: URLSearchParams): Notice {
  const subject = parameters.get('Subject');
  const message = parameters.get('Message') ?? '';
  if (topicArn === undefined) throw invalid('TopicArn or TargetArn Reason: no value for required parameter');
  if (message === '') throw invalid('Empty message');
  if (Buffer.byteLength(message) > maxMessageBytes) throw invalid('Message too long');
  // A subject has fewer than 100 characters of printable ASCII, because SNS uses it as a mail's subject.
  if (subject !== null && !/^[\x21-\x7e][\x20-\x7e]{0,98}$/.test(subject)) throw invalid('Subject');
  return { topicArn, ...(subject !== null && { subject }), message };
}

function invalid(what: string): ServiceError {
  return new ServiceError(400, 'InvalidParameter', `Invalid parameter: ${what}`);
}
