import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

/** LocalStack's Step Functions. */
export interface Interpreter {
  /** `http://127.0.0.1:<port>` */
  url: string;
  close: () => Promise<void>;
}

export interface InterpreterOptions {
  /** A Python that has LocalStack. */
  python: string;
  /** For its files and its log. Emptied first. */
  directory: string;
  /** The services that the states call. */
  s3: string;
  lambda: string;
}

/** Milliseconds. */
const LONGEST_START = 120_000;

/** Starts LocalStack on this machine, without Docker. @throws {Error} when it does not answer */
export async function startInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const { python, directory, s3, lambda } = options;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const file = join(directory, 'localstack.log');
  const log = openSync(file, 'w');
  const child = spawn(python, [join(import.meta.dirname, 'interpreter.py')], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      FILESYSTEM_ROOT: directory,
      GATEWAY_LISTEN: address,
      SERVICES: 'stepfunctions,sts,iam',
      // It would call home, and wait for an answer.
      DISABLE_EVENTS: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      S3_ENDPOINT: s3,
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
