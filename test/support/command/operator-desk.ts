import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { membersOf } from '#support/assertions/members.ts';
import { BUCKET, SECRET } from '../world/daybook-world.ts';
import { useStage, type CommandStageOptions } from './command-stage.ts';
import { runCommand, runProcess, type ProcessOptions } from './run-command.ts';
import { runOnTerminal } from './run-on-terminal.ts';
import { newDirectory } from '#support/new-directory.ts';

export const REGISTRY = 'config/merchants.json';
export const LAST_GOOD = 'config/last-good/merchants.json';

/** A stage for each test, and a person in a directory who works with its registry and secret. `prepare` readies it. */
export function useDesk(options: CommandStageOptions = {}, prepare: () => unknown = () => undefined) {
  let cwd = '';
  const whole = { merchants: 2, startAt: '2026-11-23T07:00:00Z', ...options };
  const stage = useStage('each', whole, async () => {
    cwd = newDirectory();
    await prepare();
  });
  const read = async (key: string) => (await stage.aws.s3.read(BUCKET, key))?.toString('utf8') ?? '';
  const secret = (name = SECRET) => defined(stage.aws.secrets.find(name)?.versions.at(-1)).value;
  const own = (name: string) => join(cwd, name);
  return {
    stage,
    get aws() {
      return stage.aws;
    },
    get payments() {
      return stage.world.payments;
    },
    /** Runs a command on this stage. @param input what it reads from stdin */
    run: (args: readonly string[], input = '') => runCommand([...args, ...stage.options], { cwd, input }),
    runProcess: (args: readonly string[], more: ProcessOptions = {}) =>
      runProcess([...args, ...stage.options], { cwd, ...more }),
    /** Runs it on a terminal, see {@link runOnTerminal}. */
    runOnTerminal: (args: readonly string[], answers: readonly (readonly [string, string])[]) =>
      runOnTerminal([...args, ...stage.options], answers, cwd),
    own,
    ownFile: (name: string) => readFileSync(own(name), 'utf8'),
    writeOwnFile: (name: string, text: string) => writeFileSync(own(name), text),
    ownMode: (name: string) => statSync(own(name)).mode & 0o777,
    setOwnMode: (name: string, mode: number) => chmodSync(own(name), mode),
    files: () => readdirSync(cwd),
    read,
    write: (key: string, text: string) => stage.aws.s3.write(BUCKET, key, text),
    registry: () => read(REGISTRY),
    secret,
    entry: (merchantCode: string, name = SECRET) =>
      membersOf(membersOf(JSON.parse(secret(name)))['merchants'])[merchantCode],
  };
}

/** The credentials of a merchant of the sandbox, as a secret has them. */
export function entryOf(index: number) {
  const { accessCode, cipher, username, password } = sandboxMerchant(index);
  const { key, iv } = cipher;
  return { accessCode, cipher: { key, iv }, username, password };
}
