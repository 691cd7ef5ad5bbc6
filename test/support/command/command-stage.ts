import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { presentLocalStage, writeServingFile, localEventSources } from '#bin/local/serving/local-stage.ts';
import { QUEUE_VARIABLES } from '#bin/local/configuration.ts';
import type { FunctionName } from '#lib/functions.ts';
import { newDirectory } from '#support/machine.ts';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { DaybookWorld, type WorldOptions, runFunction, BUCKET, SECRET } from '../world/daybook-world.ts';
import { defined, membersOf } from '../assertions/index.ts';
import {
  APPLICATION,
  runCommand,
  type RunOptions,
  runProcess,
  type ProcessOptions,
  runOnTerminal,
} from './run-command.ts';

/** The application in the recorded requests of commands. The functions of the stage have none. */
export const COMMAND = 'daybook-command';

export interface CommandStageOptions extends Omit<WorldOptions, 'operator'> {
  /** The world's time at the start. ISO 8601, UTC. Default: that of every world (`MORNING_AFTER`). */
  startAt?: string;
}

export type CommandStage = Awaited<ReturnType<typeof startCommandStage>>;

/** Starts a stage that `daybook --local` works with: a world whose functions run in this process, from source. */
export async function startCommandStage(options: CommandStageOptions = {}) {
  const world = await DaybookWorld.start({
    ...options,
    operator: true,
    environment: {
      OPS_TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:daybook-ops',
      SES_CONFIGURATION_SET: 'daybook',
      ...QUEUE_VARIABLES,
      ...options.environment,
    },
  });
  const directory = newDirectory();
  /** Sets the world's clock, and with it that of later commands. @param moment ISO 8601, UTC */
  const setTime = (moment?: string) => {
    if (moment !== undefined) world.clock.setTo(moment);
    const environment = { ...world.aws.environment, [APPLICATION]: COMMAND };
    writeServingFile(directory, environment, world.clock.ahead);
  };
  const invocations: { name: FunctionName; event: unknown }[] = [];
  const invoke = (name: FunctionName, event: unknown) => {
    invocations.push({ name, event });
    // It runs in the process of the command.
    const { [APPLICATION]: application } = process.env;
    Reflect.deleteProperty(process.env, APPLICATION);
    return runFunction(name, event, world.clock).finally(() => {
      if (application !== undefined) process.env[APPLICATION] = application;
    });
  };
  presentLocalStage(world.aws, { environment: world.environment, invoke });
  const sources = localEventSources(world.aws, invoke);
  setTime(options.startAt);
  return {
    /** Contains `serving.json`: the command's `--directory`. */
    directory,
    world,
    aws: world.aws,
    invocations,
    /** The options that name this stage: `runCommand(['status', ...stage.options])`. */
    options: ['--local', '--directory', directory],
    setTime,
    /** From now on the queues call their functions. */
    startQueues: () => {
      for (const source of sources) source.start();
    },
    /** The queues call their functions until nothing in them is visible. */
    drainQueues: async () => {
      await Promise.all(sources.map((source) => source.drain()));
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.stop()));
      await world.close();
    },
  };
}

/** One for each test of a file, or one for all. `run` runs a command on it. `prepare` gets a new stage ready. */
export function useStage(
  scope: 'each' | 'all',
  options: CommandStageOptions = {},
  prepare: (stage: CommandStage) => unknown = () => undefined,
) {
  let present: CommandStage | undefined;
  const [begin, end] = scope === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  begin(async () => {
    present = await startCommandStage(options);
    await prepare(present);
  });
  end(() => present?.close());
  const stage = () => defined(present, 'the stage');
  const runIn = (surroundings: RunOptions, ...words: string[]) =>
    runCommand([...words, ...stage().options], surroundings);
  return {
    get world() {
      return stage().world;
    },
    get aws() {
      return stage().aws;
    },
    get directory() {
      return stage().directory;
    },
    get options() {
      return stage().options;
    },
    get invocations() {
      return stage().invocations;
    },
    events: () => stage().invocations.map(({ event }) => event),
    setTime: (moment: string) => stage().setTime(moment),
    startQueues: () => stage().startQueues(),
    drainQueues: () => stage().drainQueues(),
    runIn,
    run: (...words: string[]) => runIn({}, ...words),
  };
}

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
