import { manifestKey, merchantDay, pageKey, pagePrefix, periodLedgerPrefix } from '#domain/storage/keys.ts';
import type { DaySize } from '../sizes.ts';
import type { LoadedFunction, Stage } from '../stage.ts';
import type { Taken } from '../workers/aws.worker.ts';
import type { Invocation } from '../workers/function.worker.ts';
import { Pool } from '../workers/pool.ts';
import { merchantCodeOf, recipientOf } from '../world.ts';
import { faultsOfStatement, faultsOfTaken, sumOf } from './check-statement.ts';
import { madeManifest, truthOf } from './made-manifest.ts';
import { StatementTexts } from './made-statement.ts';
import { LAST_YEAR, MONTH, MONTH_BEFORE, MONTH_DAYS, MONTH_TICK } from './period.ts';

/** One invocation of `statement` for a merchant's month. */
export interface MeasuredStatement extends Omit<Invocation, 'answer'> {
  merchantCode: string;
  /** Bytes that stay in the bucket: the statement and its ledger. */
  bytes: number;
}

/** What the statements of some merchants needed. Times in milliseconds, sizes in bytes. */
export interface StatementRun {
  statements: MeasuredStatement[];
  /** What it took to load the code of `statement`. */
  load: { cpu: number; wall: number };
  logBytes: number;
}

export interface StatementOptions {
  sizes: readonly DaySize[];
  workers: number;
  /** MB. */
  memory: number;
}

/** What is in the bucket at the end of a merchant's month: sealed days, and the statements to compare with. */
export class MerchantMonth {
  readonly merchantCode: string;
  readonly #stage: Stage;
  readonly #size: DaySize;
  readonly #texts: StatementTexts;

  constructor(stage: Stage, merchantCode: string, size: DaySize, texts: StatementTexts) {
    this.#stage = stage;
    this.merchantCode = merchantCode;
    this.#size = size;
    this.#texts = texts;
  }

  async prepare(): Promise<void> {
    const { merchantCode } = this;
    const days = MONTH_DAYS.map((day) => ({
      key: manifestKey(day, merchantCode, 1),
      text: JSON.stringify(madeManifest(merchantCode, day, this.#size)),
    }));
    const compared = [MONTH_BEFORE, LAST_YEAR].map((period) => ({
      key: pageKey({ owner: { merchantCode }, period, revision: 1 }),
      text: this.#texts.textOf(merchantCode, period, this.#size),
    }));
    await this.#stage.aws.ask('putAll', [...days, ...compared]);
  }

  /** Runs the statement and compares its answer with the days. @throws Error with the merchant */
  async run(environment: LoadedFunction, memory: number): Promise<Omit<Invocation, 'answer'>> {
    const { merchantCode } = this;
    // As `plan` asks for it: it has seen the days.
    const revisions = MONTH_DAYS.map(() => 1);
    const seen = { at: MONTH_TICK, from: MONTH_DAYS[0] };
    const event = { merchantCode, period: MONTH, send: true, scheduledTime: MONTH_TICK, revisions, seen };
    const { answer, ...taken } = await environment.ask<Invocation>('invoke', { event, memory });
    complain(
      merchantCode,
      faultsOfStatement(answer, sumOf(MONTH_DAYS.map((day) => truthOf(day, this.#size)))),
    );
    return taken;
  }

  /** Checks what the statement has written, and removes all of the merchant. @returns bytes of the statement and its ledger */
  async settle(): Promise<number> {
    const { merchantCode } = this;
    const owner = { merchantCode };
    const own = [
      pagePrefix({ owner, period: MONTH }),
      `${periodLedgerPrefix(MONTH)}merchant=${merchantCode}/`,
    ];
    const prefixes = [
      ...MONTH_DAYS.map((day) => pagePrefix(merchantDay(merchantCode, day))),
      ...[MONTH_BEFORE, LAST_YEAR].map((period) => pagePrefix({ owner, period })),
      ...own,
    ];
    const taken = await this.#stage.aws.ask<Taken>('take', {
      prefixes,
      recipient: recipientOf(merchantCode),
    });
    complain(merchantCode, faultsOfTaken(taken, own));
    return taken.objects
      .filter(({ key }) => own.some((start) => key.startsWith(start)))
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function complain(merchantCode: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the statement of merchant ${merchantCode}: ${faults.join(', ')}`);
}

/** Runs the statement of the first merchants of a fleet, each of them checked. */
export async function runStatements(
  stage: Stage,
  { sizes, workers, memory }: StatementOptions,
): Promise<StatementRun> {
  const environments = await Promise.all(
    Array.from({ length: workers }, () => stage.environment('statement', memory)),
  );
  const pool = new Pool(environments);
  const texts = new StatementTexts();
  const statements: MeasuredStatement[] = [];
  const left = sizes.entries();
  await Promise.all(
    // One more than workers: a merchant's days are made while other statements run.
    Array.from({ length: workers + 1 }, async () => {
      for (const [index, size] of left) {
        const month = new MerchantMonth(stage, merchantCodeOf(index), size, texts);
        await month.prepare();
        const measured = await pool.use((environment) => month.run(environment, memory));
        statements.push({ merchantCode: month.merchantCode, ...measured, bytes: await month.settle() });
      }
    }),
  );
  await Promise.all(environments.map((environment) => environment.close()));
  return {
    statements,
    load: environments[0]?.load ?? { cpu: 0, wall: 0 },
    logBytes: environments.reduce((sum, environment) => sum + environment.printed(), 0),
  };
}
