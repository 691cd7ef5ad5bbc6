import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
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

/** `arn:aws:sqs:us-east-1:000000000000:<name>` */
export function queueArn(name: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${name}`;
}

/** The limit for the body and the attributes of a message, and for those of a batch together. Bytes. */
const LONGEST = 1_048_576;

/** @throws {ServiceError} when the messages are too long together */
export function assertSize(messages: readonly Pick<QueuedMessage, 'body' | 'attributes'>[]): void {
  const texts = messages.flatMap(({ body, attributes }) => [body, ...Object.entries(attributes).flat()]);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > LONGEST)
    throw new ServiceError(400, 'InvalidParameterValue', `${bytes} bytes are more than ${LONGEST}.`);
}

/** How often a waiting receive looks again, in milliseconds of the machine. */
const lookEvery = 20;

/** How a queue treats its messages. Times are in seconds. */
export interface QueueSettings {
  /** How long a received message stays hidden, unless the receive says it. */
  visibilityTimeout: number;
  /** How long after its sending a message is dropped, done or not. */
  retention: number;
  /** A message that was received so often moves to that queue, in place of its next receive. */
  redrive?: Redrive | undefined;
}
interface Redrive {
  deadLetterQueue: string;
  maxReceiveCount: number;
}

const DEFAULTS: QueueSettings = { visibilityTimeout: 30, retention: 345_600 };

/** A message move task. It ends before the answer to its start. */
export interface MoveTask {
  source: string;
  destination: string;
  startedAt: number;
  moved: number;
}

// A killed process leaves a whole database behind; only the death of the machine may cost the last writes.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    attributes TEXT NOT NULL, sent INTEGER NOT NULL, visible INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, first INTEGER, last INTEGER, source TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible, seq);
  CREATE INDEX IF NOT EXISTS messages_by_receives ON messages (queue, receives);
  CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue, sent);
`;
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

/** The queues by name and their messages. In a directory the messages outlive the process, as those of the real service do. */
export class QueueStore {
  /** Milliseconds since 1970 UTC, whole. */
  readonly now: () => number;
  readonly #database: DatabaseSync;
  readonly #queues = new Map<string, QueueSettings>();
  readonly #moves: MoveTask[] = [];
  #isClosed = false;

  /** `now`: milliseconds since 1970 UTC. `directory` of the file with the messages; default: in memory only. */
  constructor(now: () => number = Date.now, directory?: string) {
    this.now = () => Math.floor(now());
    if (directory !== undefined) mkdirSync(directory, { recursive: true });
    const file = directory === undefined ? ':memory:' : join(directory, 'queues.sqlite');
    this.#database = new DatabaseSync(file);
    this.#database.exec(SCHEMA);
  }

  /** Creates the queue, or changes the settings that are given. */
  put(name: string, settings: Partial<QueueSettings> = {}): void {
    if (settings.redrive !== undefined) this.settings(settings.redrive.deadLetterQueue);
    this.#queues.set(name, { ...DEFAULTS, ...this.#queues.get(name), ...settings });
  }

  /** @throws {ServiceError} `QueueDoesNotExist`, as every method that takes a queue's name */
  settings(name: string): QueueSettings {
    const settings = this.#queues.get(name);
    if (settings === undefined)
      throw new ServiceError(400, 'QueueDoesNotExist', `There is no queue ${name}.`);
    return settings;
  }

  /** `delay` in seconds. Returns the message's id. @throws {ServiceError} if the message is too long */
  send(
    name: string,
    body: string,
    { delay = 0, attributes = {} }: { delay?: number | undefined; attributes?: Record<string, string> } = {},
  ): string {
    this.settings(name);
    assertSize([{ body, attributes }]);
    const id = randomUUID();
    const now = this.now();
    this.#run(
      'INSERT INTO messages (queue, id, body, attributes, sent, visible) VALUES (?, ?, ?, ?, ?, ?)',
      ...[name, id, body, JSON.stringify(attributes), now, now + delay * 1_000],
    );
    return id;
  }

  /**
   * Takes visible messages, the first to become visible first. One that was received too often moves to the dead-letter queue instead.
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
    const hidden = visibilityTimeout ?? settings.visibilityTimeout;
    if (settings.redrive !== undefined) this.#setAside(name, settings.redrive, now);
    const rows = this.#rows('queue = ? AND visible <= ? ORDER BY visible, seq LIMIT ?', name, now, most);
    return rows.map((row) => {
      const receives = row.receives + 1;
      const taken = { ...row, receives, first: row.first ?? now, last: now, visible: now + hidden * 1_000 };
      this.#run(
        'UPDATE messages SET visible = ?, receives = ?, first = ?, last = ? WHERE seq = ?',
        ...[taken.visible, receives, taken.first, now, row.seq],
      );
      // The handle names the receive, so that an older one is known by its number.
      const receiptHandle = Buffer.from(`${name}/${row.id}/${receives}`).toString('base64');
      return { ...messageOf(taken, now), receiptHandle };
    });
  }

  /**
   * Receives, and waits for a first message.
   * @param seconds of the store's clock, and at most of the machine's
   * @param isGone whether nobody waits any more: then nothing is taken
   */
  async receiveWithin(
    seconds: number,
    name: string,
    options: Parameters<QueueStore['receive']>[1],
    isGone: () => boolean,
  ): Promise<ReceivedMessage[]> {
    const wanted = seconds * 1_000;
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
    this.#run(
      'DELETE FROM messages WHERE queue = ? AND id = ? AND receives = ? AND last IS NOT NULL',
      ...[name, id, receives],
    );
  }

  /** Hides a message in flight for so many seconds from now; 0 gives it back. */
  changeVisibility(name: string, receiptHandle: string, seconds: number): void {
    const { id, receives } = this.#receipt(name, receiptHandle);
    const [row] = this.#rows('queue = ? AND id = ?', name, id);
    const now = this.now();
    if (row === undefined || row.last === null || row.receives !== receives)
      throw new ServiceError(
        400,
        'InvalidParameterValue',
        'The receipt handle is that of an earlier receive.',
      );
    if (row.visible <= now) throw new ServiceError(400, 'MessageNotInflight', 'The message is visible.');
    this.#run('UPDATE messages SET visible = ? WHERE seq = ?', now + seconds * 1_000, row.seq);
  }

  purge(name: string): void {
    this.settings(name);
    this.#run('DELETE FROM messages WHERE queue = ?', name);
  }

  /** Moves the visible messages of a queue as new messages, with other ids and no receives. */
  move(source: string, destination: string): MoveTask {
    const { now } = this.#fresh(source);
    this.settings(destination);
    const rows = this.#rows('queue = ? AND visible <= ? ORDER BY visible, seq', source, now);
    for (const { seq } of rows) {
      this.#run(
        `UPDATE messages SET queue = ?, id = ?, sent = ?, visible = ?, receives = 0, first = NULL, last = NULL,
         source = NULL WHERE seq = ?`,
        ...[destination, randomUUID(), now, now, seq],
      );
    }
    const task = { source, destination, startedAt: now, moved: rows.length };
    this.#moves.unshift(task);
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

  /** Ends what waits. The messages stay in the directory. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }

  /** The queue now, without what is too old. The age counts from the first sending, also in the dead-letter queue. */
  #fresh(name: string): { settings: QueueSettings; now: number } {
    const settings = this.settings(name);
    const now = this.now();
    this.#run('DELETE FROM messages WHERE queue = ? AND sent <= ?', name, now - settings.retention * 1_000);
    return { settings, now };
  }

  #setAside(name: string, { deadLetterQueue, maxReceiveCount }: Redrive, now: number): void {
    // The plus makes SQLite take the index of the receives: few messages have so many.
    this.#run(
      `UPDATE messages SET queue = ?, source = ?, visible = ?, last = NULL
       WHERE queue = ? AND receives >= ? AND +visible <= ?`,
      ...[deadLetterQueue, name, now, name, maxReceiveCount, now],
    );
  }

  #receipt(name: string, receiptHandle: string): { id: string; receives: number } {
    this.settings(name);
    const text = Buffer.from(receiptHandle, 'base64').toString();
    const [, of, id = '', receives] = /^([\w-]+)\/([\da-f-]{36})\/(\d+)$/.exec(text) ?? [];
    if (of !== name)
      throw new ServiceError(404, 'ReceiptHandleIsInvalid', 'The receipt handle is none of this queue.');
    return { id, receives: Number(receives) };
  }

  #rows(where: string, ...values: (string | number)[]): Row[] {
    const rows = this.#database.prepare(`SELECT * FROM messages WHERE ${where}`).all(...values);
    return z.array(rowSchema).parse(rows);
  }

  #run(statement: string, ...values: (string | number)[]): void {
    this.#database.prepare(statement).run(...values);
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
