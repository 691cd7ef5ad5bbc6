import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { BUCKET, SECRET } from '../world/daybook-world.ts';
import { startCommandStage, type CommandStageOptions } from './command-stage.ts';
import { runCommand, runProcess, type ProcessOptions } from './run-command.ts';
import { runOnTerminal } from './run-on-terminal.ts';
import { newDirectory } from '#support/new-directory.ts';

export const REGISTRY = 'config/merchants.json';

/** A stage, and a person in an own directory who works with its registry and secret. They end with the test. */
export async function startDesk(options: CommandStageOptions = {}) {
  const stage = await startCommandStage({ merchants: 2, startAt: '2026-11-23T07:00:00Z', ...options });
  const cwd = newDirectory();
  onTestFinished(() => stage.close());
  const read = async (key: string) => (await stage.aws.s3.read(BUCKET, key))?.toString('utf8') ?? '';
  const write = (key: string, text: string) => stage.aws.s3.write(BUCKET, key, text);
  const secret = (name = SECRET) => defined(stage.aws.secrets.find(name)?.versions.at(-1)).value;
  return {
    stage,
    cwd,
    aws: stage.aws,
    payments: stage.world.payments,
    /** Runs a command on this stage. @param input what it reads from stdin */
    run: (args: readonly string[], input = '') => runCommand([...args, ...stage.options], { cwd, input }),
    runProcess: (args: readonly string[], options: ProcessOptions = {}) =>
      runProcess([...args, ...stage.options], { cwd, ...options }),
    /** Runs it on a terminal, see {@link runOnTerminal}. */
    runOnTerminal: (args: readonly string[], answers: readonly (readonly [string, string])[]) =>
      runOnTerminal([...args, ...stage.options], answers, cwd),
    ownFile: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    writeOwnFile: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    ownMode: (name: string) => statSync(join(cwd, name)).mode & 0o777,
    setOwnMode: (name: string, mode: number) => chmodSync(join(cwd, name), mode),
    files: () => readdirSync(cwd),
    read,
    write,
    registry: () => read(REGISTRY),
    secret,
    entry: (merchantCode: string, name = SECRET) =>
      recordOf(recordOf(JSON.parse(secret(name)))['merchants'])[merchantCode],
  };
}

/** The credentials of a merchant of the sandbox, as a secret has them. */
export function entryOf(index: number) {
  const { accessCode, cipher, username, password } = sandboxMerchant(index);
  const { key, iv } = cipher;
  return { accessCode, cipher: { key, iv }, username, password };
}
