import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FaultAction, FaultTarget } from './faults.ts';
import { buffer } from 'node:stream/consumers';

export type ServiceName =
  | 'kms'
  | 's3'
  | 'secretsManager'
  | 'ses'
  | 'sns'
  | 'sqs'
  | 'athena'
  | 'cloudFormation'
  | 'cloudWatch'
  | 'eventBridge'
  | 'lakeFormation'
  | 'lambda'
  | 'scheduler'
  | 'serviceQuotas'
  | 'sesV2'
  | 'sts';

/** The answer to the client. A stream is sent while it is read. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Readable;
}

/** A request that a service has parsed but not performed yet. */
export interface Call {
  operation: string;
  /** The text that faults match: the S3 key or prefix, the recipients, the secret's id, the topic's ARN, the queue's name. */
  key?: string | undefined;
  perform: (requestId: string) => Answer | Promise<Answer>;
}

/** One AWS service: how it parses a request, and how it writes an error in its own wire format. */
export interface Service {
  name: ServiceName;
  /** @throws ServiceError for a request that cannot be parsed */
  identify: (request: IncomingMessage) => Call | Promise<Call>;
  refuse: (error: ServiceError, requestId: string, request: IncomingMessage) => Answer;
}

export interface RecordedRequest extends FaultTarget {
  service: ServiceName;
  /** The HTTP status of the answer. It is 0 before the answer, and stays 0 when the connection was cut. */
  status: number;
  /** Who called, if the client's variable `AWS_SDK_UA_APP_ID` says it. */
  application?: string;
  fault?: FaultAction;
  at: Date;
}

/** An error answer of the service, with the code and message of the real one. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  /** Further members of the error body, such as S3's `Key`. */
  readonly details: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { headers?: Record<string, string>; details?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.details = more.details ?? {};
  }
}

export async function requestText(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).toString('utf8');
}

export function jsonAnswer(
  body: unknown,
  contentType = 'application/json',
  more: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  return {
    status: more.status ?? 200,
    headers: { 'content-type': contentType, ...more.headers },
    body: JSON.stringify(body),
  };
}

/** Seconds since 1970, as the JSON protocols write times. */
export function epochSeconds(time: Date): number {
  return time.getTime() / 1_000;
}
