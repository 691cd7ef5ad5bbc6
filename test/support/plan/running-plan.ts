import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies } from '#functions/plan/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import { startAwsSandbox, type AwsSandbox } from '#sandbox/aws/index.ts';
import { makeQueues } from '#support/queues/queues.ts';
import { newDirectory } from '#support/new-directory.ts';

export const REGISTRY = 'config/merchants.json';
export const LAST_GOOD = 'config/last-good/merchants.json';

/** The variables of a function beside those of the sandbox. */
export function functionVariables(bucket: string): Record<string, string> {
  return {
    DATA_BUCKET: bucket,
    CREDENTIALS_SECRET: 'daybook/credentials',
    SERVICE_ORIGINS: 'https://pay.example.com',
    MAIL_FROM: 'Daybook <reports@example.com>',
    OPS_RECIPIENTS: 'ops@example.com',
    LOG_LEVEL: 'INFO',
  };
}

/** One sandbox for the tests of a file; each test has a bucket of its own. */
export function sandboxOfFile(): () => AwsSandbox {
  let sandbox: AwsSandbox | undefined;
  const before = { ...process.env };
  beforeAll(async () => {
    sandbox = await startAwsSandbox({ directory: newDirectory() });
    Object.assign(process.env, sandbox.environment);
  });
  afterAll(async () => {
    await sandbox?.close();
    process.env = before;
  });
  return () => {
    if (sandbox === undefined) throw new Error('the sandbox is not running yet');
    return sandbox;
  };
}

/** `plan` with its real adapters on a new bucket, at a time that the test sets. */
export function plannerOn(
  sandbox: AwsSandbox,
  at = '2026-11-21T03:00:05Z',
  variables: Record<string, string> = {},
) {
  const bucket = `plan-${randomUUID()}`;
  let now = Date.parse(at);
  const queues = makeQueues(sandbox, bucket);
  const start = () => {
    const dependencies = buildDependencies(
      readEnvironment({ ...functionVariables(bucket), ...queues.variables, ...variables }),
    );
    const clock = { ...dependencies.clock, now: () => now };
    const plan = createPlan({ ...dependencies, clock });
    return (event: unknown, context?: Context) => dependencies.telemetry.during(context, () => plan(event));
  };
  let plan = start();
  return {
    bucket,
    plan: (event: unknown, context?: Context) => plan(event, context),
    /** Another execution environment: nothing is cached. */
    coldStart: () => {
      plan = start();
    },
    setTime: (time: string) => {
      now = Date.parse(time);
    },
    write: (key: string, text: string) => sandbox.s3.write(bucket, key, text),
    read: async (key: string) => (await sandbox.s3.read(bucket, key))?.toString('utf8'),
    remove: (key: string) => sandbox.s3.remove(bucket, key),
    keys: (prefix?: string) => sandbox.s3.list(bucket, prefix),
    /** The messages that were sent, in order. */
    sent: queues.sent,
    /** The mails of this bucket's functions: the sandbox is shared. */
    mails: () => sandbox.mail.messages,
  };
}
