import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { ServiceError } from '../service.ts';

const longestVisibility = 43_200;
/** How often a waiting receive looks again, in milliseconds of the machine. */
const lookEvery = 20;

/** How a queue treats its messages. Times are in seconds. */
export interface QueueSettings {
  /** How long a received message stays hidden, unless the receive says it. */
  visibilityTimeout: number;
  /** How long a sent message stays hidden, unless the send says it. */
  delay: number;
  /** How long after its sending a message is dropped, done or not. */
  retention: number;
  /** How long a receive waits for a first message, unless it says it. */
  receiveWait: number;
  /** Of body and attributes, in bytes. */
  maximumMessageSize: number;
  /** A message that was received so often moves to that queue, in place of its next receive. */
  redrive?: { deadLetterQueue: string; maxReceiveCount: number } | undefined;
}

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

/** A move of dead letters. It is done before the answer to its start. */
export interface MoveTask {
  source: string;
  /** Absent: each message went back to where it came from. */
  destination?: string | undefined;
  startedAt: number;
  toMove: number;
  moved: number;
  status: 'COMPLETED' | 'FAILED';
  failureReason?: string;
}

/** What happened to the messages of a queue since the start of the sandbox. */
export interface QueueTotals {
  sent: number;
  received: number;
  deleted: number;
  /** Moved from here to the dead-letter queue. */
  deadLettered: number;
  /** Dropped because of their age. */
  expired: number;
}

const DEFAULTS: QueueSettings = {
  visibilityTimeout: 30,
  delay: 0,
  retention: 345_600,
  receiveWait: 0,
  maximumMessageSize: 1_048_576,
};

// A killed process leaves a whole database behind; only the death of the machine may cost the last writes.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS queues (
    name TEXT PRIMARY KEY, created INTEGER NOT NULL, changed INTEGER NOT NULL, settings TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    attributes TEXT NOT NULL, sent INTEGER NOT NULL, visible INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, first INTEGER, last INTEGER, source TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible, seq);
  CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue, sent);
`;

const queueRow = z.object({ created: z.number(), changed: z.number(), settings: z.string() });
const settingsText: z.ZodType<QueueSettings> = z.object({
  visibilityTimeout: z.number(),
  delay: z.number(),
  retention: z.number(),
  receiveWait: z.number(),
  maximumMessageSize: z.number(),
  redrive: z.object({ deadLetterQueue: z.string(), maxReceiveCount: z.number() }).optional(),
});
const attributesText = z.record(z.string(), z.string());
const messageRow = z.object({
  seq: z.number(),
  id: z.string(),
  body: z.string(),
  attributes: z.string(),
  sent: z.number(),
  visible: z.number(),
  receives: z.number(),
  first: z.number().nullable(),
  /** The last receive from the queue in which it is. */
  last: z.number().nullable(),
  source: z.string().nullable(),
});
type MessageRow = z.infer<typeof messageRow>;

/** The queues by name and their messages. With a directory they outlive the process, as those of the real service do. */
export class QueueStore {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  readonly #database: DatabaseSync;
  readonly #moves: MoveTask[] = [];
  readonly #totals = new Map<string, QueueTotals>();
  readonly #purged = new Map<string, number>();
  #isClosed = false;

  /**
   * @param now milliseconds since 1970 UTC
   * @param directory of the file with the messages; default: they are in memory only
   */
  constructor(now: () => number = Date.now, directory?: string) {
    this.now = () => Math.floor(now());
    if (directory !== undefined) mkdirSync(directory, { recursive: true });
    this.#database = new DatabaseSync(
      directory === undefined ? ':memory:' : join(directory, 'queues.sqlite'),
    );
    this.#database.exec(SCHEMA);
  }

  /** Creates the queue, or changes the settings that are given. */
  put(name: string, settings: Partial<QueueSettings> = {}): void {
    const now = this.now();
    const all = { ...(this.has(name) ? this.settings(name) : DEFAULTS), ...settings };
    this.#run(
      `INSERT INTO queues VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET changed = excluded.changed, settings = excluded.settings`,
      name,
      now,
      now,
      JSON.stringify(all),
    );
  }

  has(name: string): boolean {
    return this.#database.prepare('SELECT 1 FROM queues WHERE name = ?').get(name) !== undefined;
  }

  /** The names of all queues, sorted. */
  names(): string[] {
    const rows = this.#database.prepare('SELECT name FROM queues ORDER BY name').all();
    return rows.map(({ name }) => String(name));
  }

  settings(name: string): QueueSettings {
    return settingsText.parse(JSON.parse(this.#queue(name).settings));
  }

  /** When the queue was made and last changed, milliseconds since 1970 UTC. */
  times(name: string): { created: number; changed: number } {
    return this.#queue(name);
  }

  /** @throws {ServiceError} if the message is empty or too long */
  send(
    name: string,
    body: string,
    { delay, attributes = {} }: { delay?: number | undefined; attributes?: Record<string, string> } = {},
  ): QueuedMessage {
    const settings = this.settings(name);
    if (body === '')
      throw sqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(body))
      throw sqsError(
        'InvalidMessageContents',
        'Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF',
      );
    if (sizeOf(body, attributes) > settings.maximumMessageSize)
      throw invalid(
        `One or more parameters are invalid. Reason: Message must be shorter than ${settings.maximumMessageSize} bytes.`,
      );
    const seconds = within('DelaySeconds', delay ?? settings.delay, 0, 900);
    const now = this.now();
    const id = randomUUID();
    this.#run(
      'INSERT INTO messages (queue, id, body, attributes, sent, visible) VALUES (?, ?, ?, ?, ?, ?)',
      name,
      id,
      body,
      JSON.stringify(attributes),
      now,
      now + seconds * 1_000,
    );
    this.#count(name, 'sent');
    return {
      id,
      body,
      attributes,
      sentAt: now,
      visibleAt: now + seconds * 1_000,
      receives: 0,
      state: seconds > 0 ? 'delayed' : 'visible',
    };
  }

  /** Takes visible messages, the first to become visible first. One that was received too often goes aside instead. */
  receive(
    name: string,
    {
      most = 1,
      visibilityTimeout,
    }: { most?: number | undefined; visibilityTimeout?: number | undefined } = {},
  ): ReceivedMessage[] {
    const settings = this.settings(name);
    const seconds = visibilityOf(visibilityTimeout ?? settings.visibilityTimeout);
    within('MaxNumberOfMessages', most, 1, 10);
    const now = this.now();
    this.#expire(name, settings, now);
    const received: ReceivedMessage[] = [];
    while (received.length < most) {
      const rows = this.#rows(
        'WHERE queue = ? AND visible <= ? ORDER BY visible, seq LIMIT ?',
        name,
        now,
        most - received.length,
        // With a timeout of 0, a message that was just taken is visible.
      ).filter(({ id }) => received.every((message) => message.id !== id));
      if (rows.length === 0) break;
      for (const row of rows) {
        if (settings.redrive !== undefined && row.receives >= settings.redrive.maxReceiveCount) {
          this.#setAside(row, name, settings.redrive.deadLetterQueue, now);
          continue;
        }
        const taken = {
          ...row,
          receives: row.receives + 1,
          first: row.first ?? now,
          last: now,
          visible: now + seconds * 1_000,
        };
        this.#run(
          'UPDATE messages SET visible = ?, receives = ?, first = ?, last = ? WHERE seq = ?',
          taken.visible,
          taken.receives,
          taken.first,
          now,
          row.seq,
        );
        this.#count(name, 'received');
        received.push({ ...messageOf(taken, now), receiptHandle: handleOf(name, taken) });
      }
    }
    return received;
  }

  /**
   * Receives, and waits for a first message.
   *
   * @param seconds of the store's clock, and at most of the machine's
   * @param isGone whether nobody waits any more: then nothing is taken
   */
  async receiveWithin(
    seconds: number | undefined,
    name: string,
    options: Parameters<QueueStore['receive']>[1],
    isGone: () => boolean,
  ): Promise<ReceivedMessage[]> {
    const wanted = within('WaitTimeSeconds', seconds ?? this.settings(name).receiveWait, 0, 20) * 1_000;
    const [since, machineSince] = [this.now(), performance.now()];
    while (!isGone() && !this.#isClosed) {
      const received = this.receive(name, options);
      const waited = Math.max(this.now() - since, performance.now() - machineSince);
      if (received.length > 0 || waited >= wanted) return received;
      await wait(lookEvery);
    }
    return [];
  }

  /** Deletes the message, if this is its last receive; else does nothing, as the service. */
  delete(name: string, receiptHandle: string): void {
    this.#queue(name);
    const { id, receives } = receiptOf(name, receiptHandle);
    const deleted = this.#run(
      'DELETE FROM messages WHERE queue = ? AND id = ? AND receives = ? AND last IS NOT NULL',
      name,
      id,
      receives,
    );
    if (deleted > 0) this.#count(name, 'deleted');
  }

  /** Hides a message in flight for so many seconds from now; 0 gives it back. */
  changeVisibility(name: string, receiptHandle: string, seconds: number): void {
    this.#queue(name);
    visibilityOf(seconds);
    const { id, receives } = receiptOf(name, receiptHandle);
    const now = this.now();
    const [row] = this.#rows('WHERE queue = ? AND id = ?', name, id);
    if (row === undefined || row.last === null || row.receives !== receives)
      throw invalid(
        `Value ${receiptHandle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
      );
    if (row.visible <= now) throw sqsError('MessageNotInflight', 'The specified message is not in flight.');
    if (now + seconds * 1_000 > row.last + longestVisibility * 1_000)
      throw invalid(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${longestVisibility} seconds].`,
      );
    this.#run('UPDATE messages SET visible = ? WHERE seq = ?', now + seconds * 1_000, row.seq);
  }

  /** Drops every message. */
  purge(name: string): void {
    this.#queue(name);
    const now = this.now();
    if (now < (this.#purged.get(name) ?? -Infinity) + 60_000)
      throw sqsError(
        'PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
      );
    this.#purged.set(name, now);
    this.#run('DELETE FROM messages WHERE queue = ?', name);
  }

  /** The messages, in the order of their sending. */
  messages(name: string): QueuedMessage[] {
    const now = this.now();
    this.#expire(name, this.settings(name), now);
    return this.#rows('WHERE queue = ? ORDER BY sent, seq', name).map((row) => messageOf(row, now));
  }

  /** How many messages are in each state. */
  counts(name: string): Record<QueuedMessage['state'], number> {
    const now = this.now();
    this.#expire(name, this.settings(name), now);
    const row = this.#database
      .prepare(
        `SELECT coalesce(sum(visible <= :now), 0) AS visible,
                coalesce(sum(visible > :now AND last IS NULL), 0) AS delayed,
                coalesce(sum(visible > :now AND last IS NOT NULL), 0) AS inFlight
         FROM messages WHERE queue = :name`,
      )
      .get({ now, name });
    return z.object({ visible: z.number(), delayed: z.number(), inFlight: z.number() }).parse(row);
  }

  /** When its first message becomes or became visible, milliseconds since 1970 UTC. `undefined`: it is empty. */
  firstVisibleAt(name: string): number | undefined {
    this.#expire(name, this.settings(name), this.now());
    const row = this.#database
      .prepare('SELECT min(visible) AS first FROM messages WHERE queue = ?')
      .get(name);
    return z.object({ first: z.number().nullable() }).parse(row).first ?? undefined;
  }

  totals(name: string): QueueTotals {
    return { sent: 0, received: 0, deleted: 0, deadLettered: 0, expired: 0, ...this.#totals.get(name) };
  }

  /**
   * Moves the visible messages of a dead-letter queue as new messages, with other ids and no receives.
   *
   * @param destination default: the queue from which each came
   */
  move(source: string, destination?: string): MoveTask {
    const isDeadLetterQueue = this.names().some(
      (name) => this.settings(name).redrive?.deadLetterQueue === source,
    );
    if (!isDeadLetterQueue) throw invalid('Source queue must be configured as a Dead Letter Queue.');
    const now = this.now();
    this.#expire(source, this.settings(source), now);
    const rows = this.#rows('WHERE queue = ? AND visible <= ? ORDER BY visible, seq', source, now);
    const task: MoveTask = {
      source,
      destination,
      startedAt: now,
      toMove: rows.length,
      moved: 0,
      status: 'COMPLETED',
    };
    this.#moves.unshift(task);
    for (const row of rows) {
      const target = destination ?? row.source;
      if (target === null) {
        // It was sent to the dead-letter queue itself.
        Object.assign(task, { status: 'FAILED', failureReason: 'CouldNotDetermineMessageSource' });
        break;
      }
      this.#run(
        `UPDATE messages SET queue = ?, id = ?, sent = ?, visible = ?, receives = 0, first = NULL, last = NULL,
         source = NULL WHERE seq = ?`,
        target,
        randomUUID(),
        now,
        now,
        row.seq,
      );
      task.moved += 1;
    }
    return task;
  }

  /** The moves from the queue since the start of the sandbox, newest first. */
  moves(source: string): MoveTask[] {
    return this.#moves.filter((task) => task.source === source);
  }

  /** Ends what waits. The messages stay in the file. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }

  #queue(name: string): z.infer<typeof queueRow> {
    const row = this.#database.prepare('SELECT * FROM queues WHERE name = ?').get(name);
    if (row === undefined) throw sqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queueRow.parse(row);
  }

  /** A standard queue counts the age from the first sending, also in the dead-letter queue. */
  #expire(name: string, { retention }: QueueSettings, now: number): void {
    const oldest = now - retention * 1_000;
    this.#count(
      name,
      'expired',
      this.#run('DELETE FROM messages WHERE queue = ? AND sent <= ?', name, oldest),
    );
  }

  #setAside({ seq }: MessageRow, from: string, to: string, now: number): void {
    this.#run(
      'UPDATE messages SET queue = ?, source = ?, visible = ?, last = NULL WHERE seq = ?',
      to,
      from,
      now,
      seq,
    );
    this.#count(from, 'deadLettered');
  }

  #count(name: string, what: keyof QueueTotals, times = 1): void {
    const totals = this.totals(name);
    this.#totals.set(name, { ...totals, [what]: totals[what] + times });
  }

  #rows(where: string, ...values: (string | number)[]): MessageRow[] {
    return z
      .array(messageRow)
      .parse(this.#database.prepare(`SELECT * FROM messages ${where}`).all(...values));
  }

  #run(statement: string, ...values: (string | number)[]): number {
    return Number(this.#database.prepare(statement).run(...values).changes);
  }
}

function messageOf(row: MessageRow, now: number): QueuedMessage {
  const hidden = row.last === null ? 'delayed' : 'inFlight';
  return {
    id: row.id,
    body: row.body,
    attributes: attributesText.parse(JSON.parse(row.attributes)),
    sentAt: row.sent,
    visibleAt: row.visible,
    receives: row.receives,
    ...(row.first !== null && { firstReceivedAt: row.first }),
    ...(row.source !== null && { deadLetterOf: row.source }),
    state: row.visible <= now ? 'visible' : hidden,
  };
}

/** A handle names the receive, so that an older one is known by its number. */
function handleOf(queue: string, { id, receives }: MessageRow): string {
  return Buffer.from(`${queue}/${id}/${receives}`).toString('base64');
}

function receiptOf(queue: string, receiptHandle: string): { id: string; receives: number } {
  const receipt = /^([\w-]+)\/([\da-f-]{36})\/(\d+)$/.exec(Buffer.from(receiptHandle, 'base64').toString());
  const [, of, id = '', receives] = receipt ?? [];
  if (of !== queue)
    throw sqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${receiptHandle}" is not a valid receipt handle.`,
    );
  return { id, receives: Number(receives) };
}

function visibilityOf(seconds: number): number {
  return within('VisibilityTimeout', seconds, 0, longestVisibility);
}

function within(parameter: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(
    `Value ${value} for parameter ${parameter} is invalid. Reason: Must be between ${least} and ${most}, if provided.`,
  );
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
