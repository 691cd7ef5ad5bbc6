import { setTimeout as wait } from 'node:timers/promises';
import { AthenaClient } from '@aws-sdk/client-athena';
import * as z from 'zod';
import { Athena } from '#lake/athena.ts';
import { createLake, type LakeAnswer } from '#lake/create-lake.ts';
import type { LakeSettings } from '#lake/lake-settings.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { startAthenaSandbox, type AthenaSandbox, type RunQuery } from '#sandbox/athena/index.ts';
import { BUCKET } from './history-lake.ts';

class CountingTelemetry extends Telemetry {
  readonly counted: Record<string, number> = {};
  override count(metric: string, value: number): void {
    this.counted[metric] = (this.counted[metric] ?? 0) + value;
  }
}

/** What an invocation of `lake` did, and how it ended. */
export interface Invocation {
  answer: LakeAnswer | undefined;
  error: Error | undefined;
  /** The text of every statement that was started, in their order. */
  statements: string[];
  counted: Record<string, number>;
  /** How often it kept what the registry says of merchants. */
  kept: number;
}

interface InvocationOptions {
  /** Is called before every statement but the first, with the one that has ended. What it throws kills the invocation. */
  between?: (ended: string, statements: readonly string[]) => Promise<void> | void;
  /** The milliseconds that each statement takes on the invocation's clock, of which it has 15 minutes. Default: none. */
  statementTakes?: number;
}

const queryInput = z.object({ QueryString: z.string() });

const SETTINGS: LakeSettings = {
  timeZone: 'UTC',
  mergeAt: '08:00',
  maintainOn: 'sunday',
  retention: { dataDays: 30, manifestDays: 60, ledgerDays: 60 },
  groups: [],
};

/** The function `lake` of the stage `dev` on an engine, through Athena's API. */
export class RunningLake {
  readonly athena: AthenaSandbox;
  readonly #settings: LakeSettings;
  readonly #bucket: string;
  /** By default, nobody is registered. */
  merchants: Parameters<typeof createLake>[0]['merchants'] = {
    keep: () => Promise.resolve(),
    forget: () => Promise.resolve(),
  };

  private constructor(athena: AthenaSandbox, settings: LakeSettings, bucket: string) {
    this.athena = athena;
    this.#settings = settings;
    this.#bucket = bucket;
  }

  /** @param translate what the engine gets instead of a statement */
  static async start(
    engine: RunQuery,
    settings: Partial<LakeSettings> = {},
    translate: (sql: string) => string = (sql) => sql,
    bucket = BUCKET,
  ): Promise<RunningLake> {
    const athena = await startAthenaSandbox({ engine, workGroups: ['daybook-dev-history'], translate });
    return new RunningLake(athena, { ...SETTINGS, ...settings }, bucket);
  }

  /** An invocation, to its end. @param now ISO 8601 */
  async run(now: string, event: unknown = {}, options: InvocationOptions = {}): Promise<Invocation> {
    const { between, statementTakes = 0 } = options;
    const statements: string[] = [];
    let time = Date.parse(now);
    const client = new AthenaClient({
      endpoint: this.athena.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
      maxAttempts: 8,
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const query = queryInput.safeParse(args.input).data?.QueryString;
        if (query !== undefined) {
          const ended = statements.at(-1);
          if (ended !== undefined) await between?.(ended, statements);
          statements.push(query);
          time += statementTakes;
        }
        return next(args);
      },
      { step: 'initialize' },
    );
    const clock = {
      now: () => time,
      sleep: async (milliseconds: number) => {
        await wait(Math.min(milliseconds, 20));
      },
    };
    const database = 'daybook_dev';
    const athena = new Athena({ client, clock, database, workGroup: 'daybook-dev-history' });
    const telemetry = new CountingTelemetry('lake', 'ERROR');
    telemetry.atBegin((remaining) => {
      athena.begin(remaining);
    });
    const ended = { statements, counted: telemetry.counted, kept: 0 };
    const invoke = createLake({
      ...{ athena, clock, telemetry, database },
      settings: this.#settings,
      merchants: {
        keep: async (at) => {
          ended.kept += 1;
          await this.merchants.keep(at);
        },
        forget: (code) => this.merchants.forget(code),
      },
      bucket: this.#bucket,
    });
    try {
      const answer = await invoke(event);
      return { ...ended, answer, error: undefined };
    } catch (error) {
      if (error instanceof Error) return { ...ended, answer: undefined, error };
      throw error;
    } finally {
      client.destroy();
    }
  }
}

/** The beginnings of an invocation's statements that change the history, without its notes about whole runs. */
export function writes({ statements }: Invocation): string[] {
  return statements
    .filter((sql) => /^(MERGE|INSERT|DELETE)/.test(sql) && !/'(merge|maintenance|maintained) /.test(sql))
    .map((sql) => sql.split('\n')[0] ?? '');
}

export function replaced({ statements }: Invocation): string[] {
  return statements.flatMap((sql) => /^CREATE OR REPLACE VIEW (\w+)/.exec(sql)?.[1] ?? []);
}
