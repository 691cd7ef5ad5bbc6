import { presentLocalStage, writeServingFile, localEventSources } from '#bin/local/serving/local-stage.ts';
import { QUEUE_VARIABLES } from '#bin/local/configuration.ts';
import type { FunctionName } from '#lib/functions.ts';
import { DaybookWorld, type WorldOptions } from '../world/daybook-world.ts';
import { runFunction } from '../world/world-functions.ts';
import { defined } from '../assertions/defined.ts';
import { APPLICATION, runCommand, type RunOptions } from './run-command.ts';
import { newDirectory } from '#support/new-directory.ts';

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
