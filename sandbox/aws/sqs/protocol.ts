import { createHash } from 'node:crypto';
import { ServiceError } from '../service.ts';

/** A message that was not deleted. Times are milliseconds since 1970 UTC. */
export interface QueuedMessage {
  id: string;
  body: string;
  /** Its attributes, all of type `String`. */
  attributes: Record<string, string>;
  sentAt: number;
  /** From when on it can be received. */
  visibleAt: number;
  /** How often it was received, in the dead-letter queue also before that. */
  receives: number;
  firstReceivedAt?: number | undefined;
  /** The queue from which it came here as a dead letter. */
  deadLetterOf?: string | undefined;
  state: 'visible' | 'delayed' | 'inFlight';
}

/** A message as its receiver has it. */
export interface ReceivedMessage extends QueuedMessage {
  receiptHandle: string;
}

/** What counts against the limits of a message and a batch, in bytes. */
export function sizeOf(body: string, attributes: Record<string, string>): number {
  return Object.entries(attributes)
    .flatMap(([name, value]) => [name, 'String', value])
    .reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(body));
}

/** As hexadecimal digits. */
export function md5(text: string | Buffer): string {
  return createHash('md5').update(text).digest('hex');
}

/** The MD5 over names, types and values, as SQS writes them down. `undefined`: there are no attributes. */
export function md5OfAttributes(attributes: Record<string, string>): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const sized = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const isString = Buffer.from([1]);
  return md5(
    Buffer.concat(
      names.flatMap((name) => [sized(name), sized('String'), isString, sized(attributes[name] ?? '')]),
    ),
  );
}

/** What the service tells of a received message, in its own names. */
export function systemAttributes({ receives, sentAt, firstReceivedAt, deadLetterOf }: ReceivedMessage) {
  return {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sentAt),
    SenderId: '000000000000',
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ...(deadLetterOf !== undefined && { DeadLetterQueueSourceArn: queueArn(deadLetterOf) }),
  };
}

/** `arn:aws:sqs:us-east-1:000000000000:<name>` */
export function queueArn(name: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${name}`;
}

const STATUS: Partial<Record<string, number>> = {
  PurgeQueueInProgress: 403,
  ReceiptHandleIsInvalid: 404,
  ResourceNotFoundException: 404,
};
/** The codes that were others before SQS had JSON, and by which older clients know the error. */
const QUERY_CODES: Partial<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ...Object.fromEntries(
    [
      'BatchEntryIdsNotDistinct',
      'BatchRequestTooLong',
      'EmptyBatchRequest',
      'InvalidBatchEntryId',
      'MessageNotInflight',
      'PurgeQueueInProgress',
      'TooManyEntriesInBatchRequest',
    ].map((code) => [code, `AWS.SimpleQueueService.${code}`]),
  ),
};

/** An error of SQS, with the header that the SDK reads first. */
export function sqsError(code: string, message: string): ServiceError {
  return new ServiceError(STATUS[code] ?? 400, code, message, {
    headers: { 'x-amzn-query-error': `${QUERY_CODES[code] ?? code};Sender` },
  });
}

/** The error for a parameter with a wrong value. */
export function invalid(message: string): ServiceError {
  return sqsError('InvalidParameterValue', message);
}

/** The number, if it is whole and within the bounds. */
export function within(parameter: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(
    `Value ${value} for parameter ${parameter} is invalid. Reason: Must be between ${least} and ${most}, if provided.`,
  );
}
