import type { Surroundings } from './terminal/output.ts';
import { connectStage, linesFor } from './stage/stage.ts';
import type { Stage, GlobalOptions } from './stage/stage.ts';
import { regionOfStage, stageName } from './stage/stage-names.ts';
import { INTERRUPTED, UsageError, CommandError, InterruptedError } from './terminal/command-errors.ts';
import { createOutput } from './terminal/output.ts';
import { createQuestions } from './terminal/questions.ts';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { LOCAL_DIRECTORY, pastedLine } from '#mail/notices/ops-command.ts';
import { isRunning } from '#runtime/running-process.ts';
import { fileText, jsonOrNothing } from './files.ts';

/** 0: done and fine. 1: it failed, or found problems. 2: it could not look. 130: interrupted. */
export type ExitStatus = 0 | 1 | 2 | 130;

export type CommandContext = ReturnType<typeof createContext>;

/** Sets the SDK's variables. The region is that of `--region`, else of the stage's settings, else of AWS_REGION. */
function chooseAccount(stage: string, { profile, region }: GlobalOptions): void {
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  const chosen =
    region ?? regionOfStage(stage) ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  if (chosen === undefined) {
    throw new UsageError(`name a region with --region or AWS_REGION: lib/stages has no file ${stage}.json`);
  }
  process.env['AWS_REGION'] = chosen;
}

const FINISHING = 'Finishing what has begun. Ctrl-C once more ends it at once.';

/** Listens to Ctrl-C: it ends the process, unless the command has claimed it. */
function listenToInterruptions(surroundings: Surroundings) {
  const controller = new AbortController();
  const { signal } = controller;
  let isClaimed = false;
  let says = '';
  surroundings.on('SIGINT', () => {
    const mayWait = isClaimed && !signal.aborted;
    if (says !== '' && !signal.aborted) surroundings.stderr.write(`${says}\n`);
    if (!mayWait) surroundings.exit(INTERRUPTED);
    controller.abort();
  });
  const leaving = <Result>(text: string, work: () => Promise<Result>): Promise<Result> => {
    says = text;
    return work().finally(() => {
      says = '';
    });
  };
  return {
    /** From here on Ctrl-C aborts the signal, and the command ends itself. A second one ends the process. */
    untilInterrupted: (): AbortSignal => {
      isClaimed = true;
      return signal;
    },
    /**
     * Does what must not be left half done: Ctrl-C waits until it is done, and ends the command then. The second one ends the
     * process at once.
     *
     * @param done what is done then, in a sentence
     * @throws {InterruptedError} with that sentence
     */
    whole: async <Result>(done: string, work: () => Promise<Result>): Promise<Result> => {
      isClaimed = true;
      const result = await leaving(FINISHING, work).finally(() => {
        isClaimed = false;
      });
      if (signal.aborted) throw new InterruptedError(done);
      return result;
    },
    /** Waits for what goes on elsewhere. At Ctrl-C the command ends with this sentence. */
    leaving,
  };
}

/** @throws {UsageError} when the options contradict each other */
export function createContext(options: GlobalOptions, surroundings: Surroundings) {
  const { stdin } = surroundings;
  const { local = false, stage: given, directory, json = false, yes = false } = options;
  if (local && (given !== undefined || options.profile !== undefined || options.region !== undefined)) {
    throw new UsageError('--local cannot be given together with --stage, --profile or --region');
  }
  let clockAhead = 0;
  let connected: Promise<Stage> | undefined;

  const stageNamed = () => (local ? undefined : (given ?? process.env['DAYBOOK_STAGE']));
  const lines = linesFor({ ...options, stage: stageNamed() });

  async function connect(): Promise<Stage> {
    if (local) {
      const serving = servingRun(directory);
      Object.assign(process.env, serving.environment);
      ({ clockAhead } = serving);
      return connectStage(serving.stage, true, lines);
    }
    const name = stageName(given);
    chooseAccount(name, options);
    return connectStage(name, false, lines);
  }

  return {
    ...listenToInterruptions(surroundings),
    /** Another program may write into it, or nobody. */
    stdin,
    output: createOutput(surroundings, json),
    questions: createQuestions(surroundings, json, yes),
    /** The name of the stage, `undefined` when none is given. Reads only the options and DAYBOOK_STAGE. */
    stageNamed: () => (local ? 'local' : stageNamed()),
    regionNamed: () => options.region,
    /**
     * Chooses the account and region of a stage that need not be deployed.
     *
     * @param stageOrFile the name of the stage, or the file of its settings
     * @returns the lines that lead there
     */
    account: (stageOrFile: string, region: string) => {
      const chosen = { ...options, region: options.region ?? region };
      chooseAccount(stageOrFile, chosen);
      return linesFor({ ...chosen, stage: stageOrFile });
    },
    /**
     * Connects to the stage that the options name. A second call gives the same stage.
     *
     * @throws {UsageError} when none is named
     * @throws {CommandError} when there is no such stage
     */
    stage: () => (connected ??= connect()),
    lines,
    /** The time of the stage. Milliseconds UTC. */
    now: () => Date.now() + clockAhead,
  };
}

/** The file in the directory of a local run that says how to reach it. It is there while the run serves. */
export const SERVING_FILE = 'serving.json';

const LARGEST_SERVING = 1_000_000;

const servingSchema = z.object({
  stage: z.string(),
  environment: z.record(z.string(), z.string()),
  /** The process that serves, as `nameOfProcess` names it. */
  process: z.string(),
  /** Milliseconds by which its clock is ahead of the machine's. */
  clockAhead: z.number().default(0),
});
export type Serving = z.infer<typeof servingSchema>;

/** The local run that serves in a directory. @throws {CommandError} when none does */
export function servingRun(directory = LOCAL_DIRECTORY): Serving {
  const file = join(resolve(directory), SERVING_FILE);
  const start = pastedLine('cdk', [], { local: true, directory });
  const text = fileText(file, LARGEST_SERVING);
  if (text === undefined) {
    throw new CommandError(
      `no local run serves in ${directory}: start one with "${start}" and leave it open`,
    );
  }
  const serving = servingSchema.safeParse(jsonOrNothing(text));
  if (!serving.success || !isRunning(serving.data.process)) {
    throw new CommandError(`the local run in ${directory} has ended: start it again with "${start}"`);
  }
  return serving.data;
}
