import { createTable, optimize, vacuum } from '#lib/lake/history/statements/tables.ts';
import { createGroupTables, groupDatabase } from '#lib/lake/groups.ts';
import type { LakeGroup } from '#lib/lake/groups.ts';
import { HISTORY_TABLES } from '#lib/lake/history/tables.ts';
import { startAthenaSandbox } from '#sandbox/athena/index.ts';
import type { AthenaSandbox } from '#sandbox/athena/index.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { lakeDefinition } from '#sandbox/step-functions/lake-definition.ts';
import { runLakeMachine } from '#sandbox/step-functions/run-lake-machine.ts';
import type { LakeExecution, LakeMachineWorld } from '#sandbox/step-functions/run-lake-machine.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { BUCKET } from './history-lake.ts';
import type { HistoryLake } from './history-lake.ts';

/** Statements that only Athena knows, in Trino's words. Every other statement is one text for both. */
function inTrinosWords(
  database: string,
  bucket: string,
  groups: readonly LakeGroup[],
): (sql: string) => string {
  const made = HISTORY_TABLES.map((table): [string, string] => {
    const place = { database, location: `s3://${bucket}/lake/${table.name}/` };
    return [createTable(table, place, 'athena'), createTable(table, place, 'trino')];
  });
  const copied = groups.flatMap((group) => {
    const inTrino = createGroupTables(database, group, `s3://${bucket}/`, 'trino');
    return createGroupTables(database, group, `s3://${bucket}/`, 'athena').map(
      (sql, index): [string, string] => [sql, inTrino[index] ?? ''],
    );
  });
  const tables = new Map([...made, ...copied]);
  return (sql) => {
    const [, joined, from] =
      /^OPTIMIZE (\S+) REWRITE DATA USING BIN_PACK(?: WHERE business_date >= DATE '([^']+)')?$/.exec(sql) ??
      [];
    if (joined !== undefined) return optimize({ name: joined }, 'trino', from);
    const [, cleaned] = /^VACUUM (\S+)$/.exec(sql) ?? [];
    if (cleaned !== undefined) return vacuum({ name: cleaned }, 'trino');
    return tables.get(sql) ?? sql;
  };
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
  static async start(
    lake: HistoryLake,
    firstDay: string,
    groups: LakeGroup[] = [],
  ): Promise<RunningLakeMachine> {
    const stage = await synthesise('dev', (settings) => {
      settings.lake.firstDay = firstDay;
      settings.lake.groups = groups.map((group) => ({
        ...group,
        merchants: group.merchants === 'all' ? 'all' : [...group.merchants],
      }));
    });
    // CloudFormation makes the groups' databases.
    for (const group of groups) {
      await lake.trino.run(`CREATE SCHEMA ${groupDatabase(lake.trino.database, group)}`);
    }
    const template = stage.template('Lake').toJSON();
    const athena = await startAthenaSandbox({
      engine: ({ query }, signal) => lake.trino.run(query, signal),
      workGroups: ['daybook-dev-history'],
      translate: inTrinosWords(lake.trino.database, BUCKET, groups),
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
