import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { invalid, sizeOf, sqsError, within } from './protocol.ts';
import type { QueuedMessage, ReceivedMessage } from './protocol.ts';

const longestVisibility = 43_200;
/** How often a waiting receive looks again, in milliseconds of the machine. */
const lookEvery = 20;

const settingsSchema = z.object({
  visibilityTimeout: z.number(),
  delay: z.number(),
  retention: z.number(),
  receiveWait: z.number(),
  maximumMessageSize: z.number(),
  redrive: z.object({ deadLetterQueue: z.string(), maxReceiveCount: z.number() }).optional(),
});

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
  redrive?: Redrive | undefined;
}
interface Redrive {
  deadLetterQueue: string;
  maxReceiveCount: number;
}

const DEFAULTS: QueueSettings = {
  visibilityTimeout: 30,
  delay: 0,
  retention: 345_600,
  receiveWait: 0,
  maximumMessageSize: 1_048_576,
};

/** A queue as it was made and last changed, milliseconds since 1970 UTC. */
interface StoredQueue {
  created: number;
  changed: number;
  settings: QueueSettings;
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

/** A move of dead letters. It ends before the answer to its start. */
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

// A killed process leaves a whole database behind; only the death of the machine may cost the last writes.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, queue TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    attributes TEXT NOT NULL, sent INTEGER NOT NULL, visible INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, first INTEGER, last INTEGER, source TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible, seq);
  CREATE INDEX IF NOT EXISTS messages_by_receives ON messages (queue, receives);
  CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue, sent);
`;
const queueSchema = z.object({ created: z.number(), changed: z.number(), settings: settingsSchema });
const attributesSchema = z.record(z.string(), z.string());
const rowSchema = z.object({
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
type Row = z.infer<typeof rowSchema>;

/** The queues by name and their messages. In a directory they outlive the process, as those of the real service do. */
export class QueueStore {
  /** Milliseconds since 1970 UTC, whole. */
  readonly now: () => number;
  readonly #database: DatabaseSync;
  readonly #queues = new Map<string, StoredQueue>();
  readonly #totals = new Map<string, QueueTotals>();
  readonly #moves: MoveTask[] = [];
  readonly #purged = new Map<string, number>();
  #isClosed = false;

  /**
   * @param now milliseconds since 1970 UTC
   * @param directory of the file with the messages; default: they are in memory only
   */
  constructor(now: () => number = Date.now, directory?: string) {
    this.now = () => Math.floor(now());
    if (directory !== undefined) mkdirSync(directory, { recursive: true });
    const file = directory === undefined ? ':memory:' : join(directory, 'queues.sqlite');
    this.#database = new DatabaseSync(file);
    this.#database.exec(SCHEMA);
    for (const { name, queue } of this.#database.prepare('SELECT * FROM queues').all())
      this.#queues.set(String(name), queueSchema.parse(JSON.parse(String(queue))));
  }

  /** Creates the queue, or changes the settings that are given. Its dead-letter queue must be there. */
  put(name: string, settings: Partial<QueueSettings> = {}): void {
    const before = this.#queues.get(name);
    if (settings.redrive !== undefined && !this.has(settings.redrive.deadLetterQueue))
      throw invalid(
        'Value for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.',
      );
    const changed = this.now();
    const queue = {
      created: before?.created ?? changed,
      changed,
      settings: { ...DEFAULTS, ...before?.settings, ...settings },
    };
    this.#queues.set(name, queue);
    this.#run('INSERT OR REPLACE INTO queues VALUES (?, ?)', name, JSON.stringify(queue));
  }

  has(name: string): boolean {
    return this.#queues.has(name);
  }

  /** The names of all queues, sorted. */
  names(): string[] {
    return [...this.#queues.keys()].sort();
  }

  /** @throws {ServiceError} `QueueDoesNotExist`, as every method that takes a queue's name */
  queue(name: string): StoredQueue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw sqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  /**
   * @param delay seconds
   * @returns the message's id
   * @throws {ServiceError} if the message is empty or too long
   */
  send(
    name: string,
    body: string,
    { delay, attributes = {} }: { delay?: number | undefined; attributes?: Record<string, string> } = {},
  ): string {
    const { settings } = this.queue(name);
    if (body === '')
      throw sqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(body))
      throw sqsError('InvalidMessageContents', 'The message has a character that is not allowed.');
    if (sizeOf(body, attributes) > settings.maximumMessageSize)
      throw invalid(
        `One or more parameters are invalid. Reason: Message must be shorter than ${settings.maximumMessageSize} bytes.`,
      );
    const seconds = within('DelaySeconds', delay ?? settings.delay, 0, 900);
    const id = randomUUID();
    const now = this.now();
    this.#run(
      'INSERT INTO messages (queue, id, body, attributes, sent, visible) VALUES (?, ?, ?, ?, ?, ?)',
      ...[name, id, body, JSON.stringify(attributes), now, now + seconds * 1_000],
    );
    this.#count(name, 'sent');
    return id;
  }

  /**
   * Takes visible messages, the first to become visible first. One that was received too often goes aside instead.
   *
   * @param most 1 to 10
   * @param visibilityTimeout seconds
   */
  receive(
    name: string,
    {
      most = 1,
      visibilityTimeout,
    }: { most?: number | undefined; visibilityTimeout?: number | undefined } = {},
  ): ReceivedMessage[] {
    const { settings, now } = this.#fresh(name);
    const hidden = within(
      'VisibilityTimeout',
      visibilityTimeout ?? settings.visibilityTimeout,
      0,
      longestVisibility,
    );
    within('MaxNumberOfMessages', most, 1, 10);
    if (settings.redrive !== undefined) this.#setAside(name, settings.redrive, now);
    const rows = this.#rows('queue = ? AND visible <= ? ORDER BY visible, seq LIMIT ?', name, now, most);
    return rows.map((row) => {
      const receives = row.receives + 1;
      const taken = { ...row, receives, first: row.first ?? now, last: now, visible: now + hidden * 1_000 };
      this.#run(
        'UPDATE messages SET visible = ?, receives = ?, first = ?, last = ? WHERE seq = ?',
        ...[taken.visible, receives, taken.first, now, row.seq],
      );
      this.#count(name, 'received');
      // The handle names the receive, so that an older one is known by its number.
      const receiptHandle = Buffer.from(`${name}/${row.id}/${receives}`).toString('base64');
      return { ...messageOf(taken, now), receiptHandle };
    });
  }

  /**
   * Receives, and waits for a first message.
   *
   * @param seconds of the store's clock, and at most of the machine's; 0 to 20
   * @param isGone whether nobody waits any more: then nothing is taken
   */
  async receiveWithin(
    seconds: number | undefined,
    name: string,
    options: Parameters<QueueStore['receive']>[1],
    isGone: () => boolean,
  ): Promise<ReceivedMessage[]> {
    const wanted = within('WaitTimeSeconds', seconds ?? this.queue(name).settings.receiveWait, 0, 20) * 1_000;
    const [since, machineSince] = [this.now(), performance.now()];
    while (!isGone() && !this.#isClosed) {
      const received = this.receive(name, options);
      const waited = Math.max(this.now() - since, performance.now() - machineSince);
      if (received.length > 0 || waited >= wanted) return received;
      await wait(lookEvery);
    }
    return [];
  }

  /** Deletes the message, if the handle is that of its last receive; else does nothing, as the service. */
  delete(name: string, receiptHandle: string): void {
    const { id, receives } = this.#receipt(name, receiptHandle);
    const isLast = 'queue = ? AND id = ? AND receives = ? AND last IS NOT NULL';
    this.#count(name, 'deleted', this.#run(`DELETE FROM messages WHERE ${isLast}`, name, id, receives));
  }

  /** Hides a message in flight for so many seconds from now; 0 gives it back. */
  changeVisibility(name: string, receiptHandle: string, seconds: number): void {
    const { id, receives } = this.#receipt(name, receiptHandle);
    const [row] = this.#rows('queue = ? AND id = ?', name, id);
    const now = this.now();
    const visible = now + within('VisibilityTimeout', seconds, 0, longestVisibility) * 1_000;
    if (row === undefined || row.last === null || row.receives !== receives)
      throw invalid(
        `Value ${receiptHandle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
      );
    if (row.visible <= now) throw sqsError('MessageNotInflight', 'The specified message is not in flight.');
    if (visible > row.last + longestVisibility * 1_000)
      throw invalid(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${longestVisibility} seconds].`,
      );
    this.#run('UPDATE messages SET visible = ? WHERE seq = ?', visible, row.seq);
  }

  /** Drops every message, at most once a minute. */
  purge(name: string): void {
    const { now } = this.#fresh(name);
    if (now < (this.#purged.get(name) ?? -Infinity) + 60_000)
      throw sqsError(
        'PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
      );
    this.#purged.set(name, now);
    this.#run('DELETE FROM messages WHERE queue = ?', name);
  }

  /**
   * Moves the visible messages of a dead-letter queue as new messages, with other ids and no receives.
   *
   * @param destination default: the queue from which each came. One that was sent to the dead-letter queue itself came
   * from none, and ends the move
   */
  move(source: string, destination?: string): MoveTask {
    const { now } = this.#fresh(source);
    const isAside = [...this.#queues.values()].some(
      ({ settings }) => settings.redrive?.deadLetterQueue === source,
    );
    if (!isAside) throw invalid('Source queue must be configured as a Dead Letter Queue.');
    if (destination !== undefined) this.queue(destination);
    const rows = this.#rows('queue = ? AND visible <= ? ORDER BY visible, seq', source, now);
    const task: MoveTask = {
      source,
      destination,
      startedAt: now,
      toMove: rows.length,
      moved: 0,
      status: 'COMPLETED',
    };
    this.#moves.unshift(task);
    for (const { seq, source: cameFrom } of rows) {
      const target = destination ?? cameFrom;
      if (target === null) {
        Object.assign(task, { status: 'FAILED', failureReason: 'CouldNotDetermineMessageSource' });
        break;
      }
      this.#run(
        `UPDATE messages SET queue = ?, id = ?, sent = ?, visible = ?, receives = 0, first = NULL, last = NULL,
         source = NULL WHERE seq = ?`,
        ...[target, randomUUID(), now, now, seq],
      );
      task.moved += 1;
    }
    return task;
  }

  /** The moves from the queue since the start of the sandbox, newest first. */
  moves(source: string): MoveTask[] {
    return this.#moves.filter((task) => task.source === source);
  }

  /** The messages, in the order of their sending. */
  messages(name: string): QueuedMessage[] {
    const { now } = this.#fresh(name);
    return this.#rows('queue = ? ORDER BY sent, seq', name).map((row) => messageOf(row, now));
  }

  /** How many messages are in each state. */
  counts(name: string): Record<QueuedMessage['state'], number> {
    const { now } = this.#fresh(name);
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
    this.#fresh(name);
    const [first] = this.#rows('queue = ? ORDER BY visible LIMIT 1', name);
    return first?.visible;
  }

  totals(name: string): QueueTotals {
    return { sent: 0, received: 0, deleted: 0, deadLettered: 0, expired: 0, ...this.#totals.get(name) };
  }

  /** Ends what waits. The messages stay in the directory. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }

  /** The queue now, without what is too old. The age counts from the first sending, also in the dead-letter queue. */
  #fresh(name: string): { settings: QueueSettings; now: number } {
    const { settings } = this.queue(name);
    const now = this.now();
    const oldest = now - settings.retention * 1_000;
    const expired = this.#run('DELETE FROM messages WHERE queue = ? AND sent <= ?', name, oldest);
    this.#count(name, 'expired', expired);
    return { settings, now };
  }

  #setAside(name: string, { deadLetterQueue, maxReceiveCount }: Redrive, now: number): void {
    // The plus makes SQLite take the index of the receives: few messages have so many.
    const moved = this.#run(
      `UPDATE messages SET queue = ?, source = ?, visible = ?, last = NULL
       WHERE queue = ? AND receives >= ? AND +visible <= ?`,
      ...[deadLetterQueue, name, now, name, maxReceiveCount, now],
    );
    this.#count(name, 'deadLettered', moved);
  }

  #receipt(name: string, receiptHandle: string): { id: string; receives: number } {
    this.queue(name);
    const text = Buffer.from(receiptHandle, 'base64').toString();
    const [, of, id = '', receives] = /^([\w-]+)\/([\da-f-]{36})\/(\d+)$/.exec(text) ?? [];
    if (of !== name)
      throw sqsError(
        'ReceiptHandleIsInvalid',
        `The input receipt handle "${receiptHandle}" is not a valid receipt handle.`,
      );
    return { id, receives: Number(receives) };
  }

  #count(name: string, what: keyof QueueTotals, times = 1): void {
    const totals = this.totals(name);
    this.#totals.set(name, { ...totals, [what]: totals[what] + times });
  }

  #rows(where: string, ...values: (string | number)[]): Row[] {
    const rows = this.#database.prepare(`SELECT * FROM messages WHERE ${where}`).all(...values);
    return z.array(rowSchema).parse(rows);
  }

  #run(statement: string, ...values: (string | number)[]): number {
    return Number(this.#database.prepare(statement).run(...values).changes);
  }
}

function messageOf(row: Row, now: number): QueuedMessage {
  const hidden = row.last === null ? 'delayed' : 'inFlight';
  return {
    id: row.id,
    body: row.body,
    attributes: attributesSchema.parse(JSON.parse(row.attributes)),
    sentAt: row.sent,
    visibleAt: row.visible,
    receives: row.receives,
    ...(row.first !== null && { firstReceivedAt: row.first }),
    ...(row.source !== null && { deadLetterOf: row.source }),
    state: row.visible <= now ? 'visible' : hidden,
  };
}
