import { queryService } from './query-protocol.ts';
import { ServiceError, type Service } from './service.ts';
import type { XmlElements } from './xml.ts';

const maxMessageBytes = 262_144;
const subscriptionsAPage = 100;

export interface Notice {
  topicArn: string;
  subject?: string;
  message: string;
}

export interface Subscription {
  topicArn: string;
  protocol: 'email' | 'https' | 'sqs' | 'lambda';
  /** Such as a mail address. */
  endpoint: string;
  /** Whether the endpoint has confirmed it. Until then it gets nothing. */
  confirmed: boolean;
}

export class NoticeStore {
  readonly messages: Notice[] = [];
  /** Nothing is delivered to them. */
  readonly subscriptions: Subscription[] = [];
  /** The ARNs of existing topics. `undefined`: every topic exists. */
  topics: Set<string> | undefined;
}

/** SNS: `Publish` to a topic, and `ListSubscriptionsByTopic`. */
export function snsService(notices: NoticeStore): Service {
  const assertTopic = (topicArn: string) => {
    if (notices.topics?.has(topicArn) === false)
      throw new ServiceError(404, 'NotFound', 'Topic does not exist');
  };
  const topicOf = (parameters: URLSearchParams) => parameters.get('TopicArn') ?? undefined;
  return queryService({
    name: 'sns',
    namespace: 'http://sns.amazonaws.com/doc/2010-03-31/',
    keyOf: topicOf,
    operations: {
      Publish: (parameters) => {
        const notice = noticeOf(topicOf(parameters), parameters);
        assertTopic(notice.topicArn);
        notices.messages.push(notice);
        return { MessageId: crypto.randomUUID() };
      },
      ListSubscriptionsByTopic: (parameters) => {
        const topicArn = topicOf(parameters);
        if (topicArn === undefined) throw invalid('TopicArn');
        assertTopic(topicArn);
        return subscriptionsPage(notices, topicArn, parameters);
      },
    },
  });
}

function subscriptionsPage(
  { subscriptions }: NoticeStore,
  topicArn: string,
  parameters: URLSearchParams,
): XmlElements {
  const own = subscriptions.filter((subscription) => subscription.topicArn === topicArn);
  const begin = Number(parameters.get('NextToken') ?? 0);
  const end = begin + subscriptionsAPage;
  const member = own.slice(begin, end).map(({ protocol, endpoint, confirmed }, index) => ({
    TopicArn: topicArn,
    Protocol: protocol,
    SubscriptionArn: confirmed
      ? `${topicArn}:00000000-0000-0000-0000-${String(begin + index).padStart(12, '0')}`
      : 'PendingConfirmation',
    Owner: '000000000000',
    Endpoint: endpoint,
  }));
  return { Subscriptions: { member }, NextToken: end < own.length ? String(end) : undefined };
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
