import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES, type QueueName } from '#lib/functions.ts';
import { startAwsSandbox, type AwsSandbox } from '#sandbox/aws/index.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { credentialsOf, startPaymentsSandbox, type RecordedRequest } from '#sandbox/payments/index.ts';
import type { VirtualClock } from './clock.ts';
import type { SoakMerchant } from './merchants.ts';

/** Seconds. */
const KEPT = 14 * 24 * 60 * 60;

/** Makes the queues and their dead-letter queues, as the stacks do. @param prefix what their names begin with */
export function deployQueues(
  { queues, environment }: Pick<AwsSandbox, 'queues' | 'environment'>,
  prefix: string,
) {
  const nameOf = (name: QueueName) => `${prefix}-${name}`;
  const deadLettersOf = (name: QueueName) => `${nameOf(name)}-dead`;
  for (const name of QUEUE_NAMES) {
    queues.put(deadLettersOf(name), { retention: KEPT });
    queues.put(nameOf(name), {
      retention: KEPT,
      visibilityTimeout: (FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1) * 60,
      redrive: { deadLetterQueue: deadLettersOf(name), maxReceiveCount: MAX_RECEIVES },
    });
  }
  const urlOf = (name: QueueName) =>
    `${environment['AWS_ENDPOINT_URL_SQS'] ?? ''}/000000000000/${nameOf(name)}`;
  const variables = QUEUE_NAMES.map((name) => [`QUEUES_${name.toUpperCase()}`, urlOf(name)] as const);
  return { nameOf, deadLettersOf, variables: Object.fromEntries(variables) };
}

const BUCKET_NAME = 'daybook-data';
const SECRET = 'daybook/merchants';
/** Records on a page: few, so that small days have several pages. */
const PER_PAGE = 10;
/** Days change all the time, so few answers are asked for twice. */
const CACHE_BYTES = 16 * 1024 * 1024;

const recordSchema = z.looseObject({ id: z.int() });
export type ServiceRecord = z.infer<typeof recordSchema>;

export type World = Awaited<ReturnType<typeof startWorld>>;

/** On the run's own clock, in a directory. `onRequest`: called with every request of the payment service. */
export async function startWorld(
  directory: string,
  clock: VirtualClock,
  merchants: readonly SoakMerchant[],
  onRequest: (request: RecordedRequest) => void,
) {
  const { now } = clock;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'service.sqlite');
  const accounts = merchants.map(({ account }) => account);
  const payments = await startPaymentsSandbox({
    merchants: accounts,
    database: file,
    perPage: PER_PAGE,
    now,
    cacheBytes: CACHE_BYTES,
    onRequest,
  });
  const aws = await startAwsSandbox({ directory: join(directory, 'aws'), now });
  const queues = deployQueues(aws, 'daybook-soak');
  const database = new DatabaseSync(file, { readOnly: true });
  const ofDay = database.prepare('SELECT record FROM records WHERE kind = ? AND merchant = ? AND day = ?');
  const ofMerchant = database.prepare("SELECT record FROM records WHERE kind = 'refund' AND merchant = ?");
  const read = (rows: ReturnType<typeof ofDay.all>) =>
    rows.map(({ record }) => recordSchema.parse(JSON.parse(z.string().parse(record))));
  const environment: Record<string, string> = {
    ...aws.environment,
    ...queues.variables,
    DATA_BUCKET: BUCKET_NAME,
    CREDENTIALS_SECRET: SECRET,
    SERVICE_ORIGINS: payments.origin,
    MAIL_FROM: 'Daybook <daybook@example.com>',
    OPS_RECIPIENTS: 'ops@example.com',
    OPS_TOPIC_ARN: 'arn:aws:sns:us-east-1:111122223333:ops',
    SES_CONFIGURATION_SET: 'daybook',
  };
  return {
    clock,
    bucket: BUCKET_NAME,
    aws,
    queues,
    payments,
    environment,
    /** The service's own records of a day: its invoices, or the refunds of that date. */
    records: (kind: 'invoice' | 'refund', merchantCode: string, day: Day) =>
      read(ofDay.all(kind, merchantCode, day)),
    /** The service's own refunds of all dates, by id. */
    allRefunds: (merchantCode: string) =>
      new Map(read(ofMerchant.all(merchantCode)).map((record) => [record.id, record])),
    /** Stores the secret (docs/interfaces.md, 3 Secret), with changes to single entries. */
    putSecret: (changes: ReadonlyMap<string, object>) => {
      const entries = accounts.map((account) => {
        const { merchantCode } = account;
        return [merchantCode, { ...credentialsOf(account), ...changes.get(merchantCode) }] as const;
      });
      aws.secrets.put(SECRET, JSON.stringify({ merchants: Object.fromEntries(entries) }));
    },
    objects: async (prefix?: string) => {
      const keys = aws.s3.list(BUCKET_NAME, prefix);
      const bodies = await Promise.all(keys.map((key) => aws.s3.read(BUCKET_NAME, key)));
      return new Map(keys.map((key, index) => [key, bodies[index] ?? Buffer.alloc(0)]));
    },
    putObject: (key: string, text: string) => aws.s3.write(BUCKET_NAME, key, text),
    removeObject: (key: string) => aws.s3.remove(BUCKET_NAME, key),
    close: async () => {
      database.close();
      await Promise.all([aws.close(), payments.close()]);
    },
  };
}
