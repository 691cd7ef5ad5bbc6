import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../ports.ts';

/** A LocalStack on this machine. */
export interface LocalStack {
  /** `http://127.0.0.1:<port>` */
  url: string;
  close: () => Promise<void>;
}

export interface LocalStackOptions {
  /** A Python that has LocalStack. */
  python: string;
  /** For its files and its log. Emptied first. */
  directory: string;
  /** The Lambda that the states call. Functions that are deployed here do not run here. */
  lambda: string;
}

/** What the stacks have. */
const SERVICES = [
  'cloudformation',
  'cloudwatch',
  'events',
  'iam',
  'kms',
  'lambda',
  'logs',
  's3',
  'scheduler',
  'sns',
  'sqs',
  'stepfunctions',
  'sts',
];
/** Milliseconds. */
const LONGEST_START = 120_000;

/** Starts LocalStack on this machine, without Docker. @throws {Error} when it does not answer */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { python, directory, lambda } = options;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const file = join(directory, 'localstack.log');
  const log = openSync(file, 'w');
  const child = spawn(python, [join(import.meta.dirname, 'local_stack.py')], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      FILESYSTEM_ROOT: directory,
      GATEWAY_LISTEN: address,
      SERVICES: SERVICES.join(','),
      // It would call home, and wait for an answer.
      DISABLE_EVENTS: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      LAMBDA_ENDPOINT: lambda,
    },
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const url = `http://${address}`;
  const latest = Date.now() + LONGEST_START;
  while (
    !(await fetch(`${url}/_localstack/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > latest) {
      await close();
      throw new Error(`LocalStack did not start: see ${file}`);
    }
    await wait(200);
  }
  return { url, close };
}
