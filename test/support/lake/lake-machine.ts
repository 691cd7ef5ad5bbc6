import { createTable } from '#lib/lake/history/statements/create-table.ts';
import { optimize, vacuum } from '#lib/lake/history/statements/maintain.ts';
import { HISTORY_TABLES } from '#lib/lake/history/tables/index.ts';
import { startAthenaSandbox } from '#sandbox/athena/index.ts';
import type { AthenaSandbox } from '#sandbox/athena/index.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { lakeDefinition } from '#sandbox/step-functions/lake-definition.ts';
import { runLakeMachine } from '#sandbox/step-functions/run-lake-machine.ts';
import type { LakeExecution, LakeMachineWorld } from '#sandbox/step-functions/run-lake-machine.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { BUCKET } from './history-lake.ts';
import type { HistoryLake } from './history-lake.ts';

/** Statements that only Athena knows, with Trino's words for the same. Every other statement is one text for both. */
function trinoWords(database: string, bucket: string): Map<string, string> {
  return new Map(
    HISTORY_TABLES.flatMap((table): [string, string][] => {
      const place = { database, location: `s3://${bucket}/lake/${table.name}/` };
      return [
        [createTable(table, place, 'athena'), createTable(table, place, 'trino')],
        [optimize(table, 'athena'), optimize(table, 'trino')],
        [vacuum(table, 'athena'), vacuum(table, 'trino')],
      ];
    }),
  );
}

/** The rendered state machine of the stage `dev` on a lake: its statements run in Trino, through Athena's API. */
export class RunningLakeMachine {
  readonly athena: AthenaSandbox;
  readonly definition: Definition;
  readonly #lake: HistoryLake;

  private constructor(athena: AthenaSandbox, definition: Definition, lake: HistoryLake) {
    this.athena = athena;
    this.definition = definition;
    this.#lake = lake;
  }

  /** @param firstDay that of the lake: the synthesis of the same template is used again */
  static async start(lake: HistoryLake, firstDay: string): Promise<RunningLakeMachine> {
    const stage = await synthesise('dev', (settings) => {
      settings.lake.firstDay = firstDay;
    });
    const template = stage.template('Lake').toJSON();
    const words = trinoWords(lake.trino.database, BUCKET);
    const athena = await startAthenaSandbox({
      engine: ({ query }, signal) => lake.trino.run(query, signal),
      workGroups: ['daybook-dev'],
      translate: (sql) => words.get(sql) ?? sql,
    });
    return new RunningLakeMachine(athena, lakeDefinition(template, BUCKET), lake);
  }

  /** An execution, to its end. @param now ISO 8601 */
  run(
    now: string,
    input: Record<string, unknown> = {},
    more: Partial<LakeMachineWorld> = {},
  ): Promise<LakeExecution> {
    return runLakeMachine(this.definition, input, {
      athena: this.athena.url,
      now: () => new Date(now),
      ...more,
    });
  }

  async close(): Promise<void> {
    await this.athena.close();
    await this.#lake.close();
  }
}
