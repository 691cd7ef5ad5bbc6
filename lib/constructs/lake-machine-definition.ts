import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Condition } from 'aws-cdk-lib/aws-stepfunctions';
import type { INextable } from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { createTable } from '../lake/history/statements/create-table.ts';
import type { Place } from '../lake/history/statements/create-table.ts';
import { LOOK_COLUMNS, look, lookAt, lookSince } from '../lake/history/statements/look.ts';
import type { LookColumn } from '../lake/history/statements/look.ts';
import { optimize, retention, vacuum } from '../lake/history/statements/maintain.ts';
import { mergeDays } from '../lake/history/statements/merge-days.ts';
import { mergeMail } from '../lake/history/statements/merge-mail.ts';
import { mergeRecords } from '../lake/history/statements/merge-records.ts';
import { noteDaysMerged, noteMailMerged } from '../lake/history/statements/note-merged.ts';
import {
  stateStatement,
  viewStatement,
  viewWithoutHistory,
} from '../lake/history/statements/view-statement.ts';
import { groupTables } from '../lake/groups/index.ts';
import type { LakeGroup } from '../lake/groups/index.ts';
import { DAYS_HISTORY } from '../lake/history/tables/days.ts';
import { HISTORY_TABLES } from '../lake/history/tables/index.ts';
import { INVOICES_HISTORY } from '../lake/history/tables/invoices.ts';
import { MAIL_HISTORY } from '../lake/history/tables/mail.ts';
import { HISTORY_MERGES } from '../lake/history/tables/merges.ts';
import { REFUNDS_HISTORY } from '../lake/history/tables/refunds.ts';
import { ALL_VIEWS } from '../lake/views/all-views.ts';
import { HISTORY_STATE } from '../lake/views/history-state.ts';
import { StatementFailure } from './lake-machine-failure.ts';
import { groupSteps } from './lake-machine-groups.ts';
import { MORE_RUNS } from './lake-machine-retries.ts';
import { rowTask, statementTask } from './lake-machine-statement.ts';
import type { Statement, StatementPlace } from './lake-machine-statement.ts';
import { valueAt } from './states-format.ts';

export interface LakeDefinitionProps extends StatementPlace {
  bucketName: string;
  /** How long days stay in the history: as long as the objects that they were made of. */
  retention: { dataDays: number; manifestDays: number; ledgerDays: number };
  /** The namespace of the metric {@link MERGED_METRIC}. */
  metricNamespace: string;
  /** People who have a copy of a part of the history. */
  groups: readonly LakeGroup[];
}

/** The error of an execution whose input is not one of the known ones. */
export const UNKNOWN_INPUT = 'UnknownInput';
/** The error of a daily execution after which a day has waited for more than a day. */
export const BEHIND = 'HistoryIsBehind';
/** The metric of a daily execution that ended well. Its dimension `service` is `lake`. */
export const MERGED_METRIC = 'HistoryMerged';

/** The prefix of the history's files in the data bucket. Iceberg owns all of them. */
export const LAKE_PREFIX = 'lake/';

const FORMS =
  '{}, {"merge":false}, {"from":"2026-01-01","to":"2026-11-20"}, {"maintain":true} or {"off":true}';

type Step = sfn.IChainable & INextable;

/** States one after another. */
function inOrder(...steps: readonly Step[]): Step {
  return steps.reduce((chain, step) => sfn.Chain.start(chain).next(step));
}

/** The states of the machine that keeps the history. */
export class LakeDefinition {
  readonly #scope: Construct;
  readonly #props: LakeDefinitionProps;
  readonly #failure: StatementFailure;

  constructor(scope: Construct, props: LakeDefinitionProps) {
    this.#scope = scope;
    this.#props = props;
    this.#failure = new StatementFailure(scope, 'Failure', '');
  }

  /** The first state. All others follow from it. */
  start(): sfn.IChainable {
    // A member of its own makes the number of members at least one: a path finds nothing in an empty object.
    const given = this.#pass('Take the input', { 'given.$': '$', counted: { member: '' } });
    const whole = this.#pass('Add a member to count', {
      'asked.$': 'States.JsonMerge($.counted, $.given, false)',
    });
    const counted = this.#pass('Count the members', {
      'asked.$': '$.asked',
      'members.$': 'States.ArrayLength($.asked.*)',
    });
    return sfn.Chain.start(given).next(whole).next(counted).next(this.#choose());
  }

  #choose(): sfn.Choice {
    const members = (count: number) => Condition.numberEquals('$.members', count + 1);
    const only = (member: string, value: boolean) =>
      Condition.and(
        members(1),
        Condition.isPresent(`$.asked.${member}`),
        Condition.booleanEquals(`$.asked.${member}`, value),
      );
    const merging = this.#merging();
    return new sfn.Choice(this.#scope, 'Asked', { stateName: 'What is asked for?' })
      .when(members(0), merging)
      .when(only('merge', false), merging)
      .when(Condition.and(members(1), Condition.isPresent('$.asked.from')), merging)
      .when(
        Condition.and(members(2), Condition.isPresent('$.asked.from'), Condition.isPresent('$.asked.to')),
        merging,
      )
      .when(only('maintain', true), this.#maintaining())
      .when(only('off', true), this.#turningOff())
      .otherwise(this.#unknown('Unknown', 'The input is not known', `The input must be one of ${FORMS}.`));
  }

  #unknown(id: string, stateName: string, cause: string): sfn.Fail {
    return new sfn.Fail(this.#scope, id, { stateName, error: UNKNOWN_INPUT, cause });
  }

  /** Looks, points the views, merges what waits, and looks again. */
  #merging(): sfn.IChainable {
    const made = HISTORY_TABLES.map((table) =>
      this.#statement({
        stateName: `Make ${table.name}`,
        sql: createTable(table, this.#placeOf(table.name), 'athena'),
      }),
    );
    const dates = inOrder(
      this.#statement({ stateName: 'Ask for the dates', sql: this.#datesSql(), idPath: '$.query' }),
      this.#row('Read the dates', '$.dates', ['since', 'data_from', 'yesterday', 'optimize_from']),
    );
    const first = this.#seen('', this.#afterFirstLook());
    const plain = inOrder(
      this.#time('Note the time'),
      this.#statement({ stateName: 'Look', sql: look(this.#looked()), idPath: '$.query' }),
    );
    sfn.Chain.start(plain).next(first);
    const whichLook = new sfn.Choice(this.#scope, 'WhichLook', { stateName: 'Are days asked for?' })
      .when(Condition.isPresent('$.asked.from'), this.#lookingAt(first))
      .otherwise(plain);
    return sfn.Chain.start(inOrder(...made, dates)).next(whichLook);
  }

  /** Reads the days that the input names, and looks at them as days that must be merged again. */
  #lookingAt(next: sfn.IChainable): sfn.IChainable {
    const time = (day: string) => `States.Format('{}T00:00:00Z', ${day})`;
    const check = this.#pass(
      'Write the days as times',
      { 'from.$': time('$.days.from'), 'to.$': time('$.days.to') },
      '$.times',
    );
    const days = (stateName: string, to: string) =>
      sfn.Chain.start(this.#pass(stateName, { 'from.$': '$.asked.from', 'to.$': to }, '$.days')).next(check);
    const looking = sfn.Chain.start(this.#time('Note the time of the days')).next(
      this.#statement({
        stateName: 'Look at the days',
        sql: lookAt({ ...this.#looked(), from: valueAt('$.days.from'), to: valueAt('$.days.to') }),
        idPath: '$.query',
      }),
    );
    looking.next(next);
    check.next(
      // A text that is a timestamp with this end is a day and nothing else, so it can stand in a statement.
      new sfn.Choice(this.#scope, 'AreDays', { stateName: 'Are they days in their order?' })
        .when(
          Condition.and(
            Condition.isTimestamp('$.times.from'),
            Condition.isTimestamp('$.times.to'),
            Condition.timestampLessThanEqualsJsonPath('$.times.from', '$.times.to'),
          ),
          looking,
        )
        .otherwise(
          this.#unknown(
            'NotDays',
            'These are not days in their order',
            '"from" and "to" must be days such as "2026-11-20", and "from" must not be after "to". Without "to", it is yesterday.',
          ),
        ),
    );
    return new sfn.Choice(this.#scope, 'HasTo', { stateName: 'Is there a last day?' })
      .when(Condition.isPresent('$.asked.to'), days('Take both days', '$.asked.to'))
      .otherwise(days('Take the days up to yesterday', '$.dates.yesterday'));
  }

  /** Reads a look's answer and points the views as it says. @param again tells the second look's states from the first's */
  #seen(again: string, next: sfn.IChainable): sfn.IChainable {
    const views = ALL_VIEWS.map((view) =>
      this.#statement({
        stateName: `Point ${view.name}${again}`,
        sql: viewStatement(view, { merged: this.#found(view.merged) }),
      }),
    );
    const state = this.#statement({
      stateName: `Write history_state${again}`,
      sql: stateStatement({
        complete_from: this.#found('complete_from'),
        complete_to: this.#found('complete_to'),
        merged_days: this.#found('merged_days'),
        merged_mail_days: this.#found('merged_mail_days'),
        days_waiting: this.#found('days_waiting'),
        mail_waiting: this.#found('mail_waiting'),
        waiting_since: this.#found('waiting_since'),
        looked_at: this.#found('looked_at'),
        settled_at: this.#found('settled_at'),
      }),
    });
    const read = this.#row(`Read the look${again}`, '$.look', LOOK_COLUMNS, { slices: 'slices' });
    return sfn.Chain.start(inOrder(read, ...views, state)).next(next);
  }

  #afterFirstLook(): sfn.IChainable {
    const again = inOrder(
      this.#eachSlice(),
      this.#time('Note the time again'),
      this.#statement({ stateName: 'Look again', sql: look(this.#looked()), idPath: '$.query' }),
    );
    const after = sfn.Chain.start(inOrder(...this.#joining(), ...this.#copying())).next(this.#verdict());
    sfn.Chain.start(again).next(this.#seen(' again', after));
    return new sfn.Choice(this.#scope, 'OnlyLook', { stateName: 'Was it only a look?' })
      .when(
        Condition.isPresent('$.asked.merge'),
        new sfn.Succeed(this.#scope, 'Looked', { stateName: 'Looked' }),
      )
      .otherwise(again);
  }

  #eachSlice(): sfn.Map {
    const map = new sfn.Map(this.#scope, 'EachSlice', {
      stateName: 'Each slice of days',
      itemsPath: '$.look.slices',
      itemSelector: { 'slice.$': '$$.Map.Item.Value', 'dataFrom.$': '$.dates.data_from' },
      // Two at once would fail each other's commits.
      maxConcurrency: 1,
      resultPath: sfn.JsonPath.DISCARD,
    });
    const failure = new StatementFailure(this.#scope, 'SliceFailure', ' (slice)');
    const statement = (stateName: string, sql: string) =>
      statementTask(this.#scope, this.#props, failure, { stateName, sql });
    const slice = {
      days: valueAt('$.slice.days'),
      from: valueAt('$.slice.from'),
      to: valueAt('$.slice.to'),
    };
    const merged = { ...slice, mergedAt: valueAt('$.time.now') };
    // The order matters: a row of days_history says that the rows of its page are there.
    const days = inOrder(
      statement('Merge the invoices of the slice', mergeRecords('invoices', slice)),
      statement('Merge the refunds of the slice', mergeRecords('refunds', slice)),
      statement('Merge the days of the slice', mergeDays({ ...slice, dataFrom: valueAt('$.dataFrom') })),
      statement('Note that the days are merged', noteDaysMerged(merged)),
    );
    const mail = inOrder(
      statement('Merge the mail of the slice', mergeMail(slice)),
      statement('Note that the mail is merged', noteMailMerged(merged)),
    );
    map.itemProcessor(
      this.#time('Note the time of the slice').next(
        new sfn.Choice(this.#scope, 'WhatSlice', { stateName: 'Days or mail?' })
          .when(Condition.stringEquals('$.slice.what', 'days'), days)
          .otherwise(mail),
      ),
    );
    return map;
  }

  /** Joins the files of the months that a day's merges add to. A month stays at a few files, whatever is merged. */
  #joining(): Step[] {
    return [INVOICES_HISTORY, REFUNDS_HISTORY, DAYS_HISTORY, MAIL_HISTORY].map((table) =>
      this.#statement({
        stateName: `Join the new files of ${table.name}`,
        sql: optimize(table, 'athena', valueAt('$.dates.optimize_from')),
        retries: MORE_RUNS,
      }),
    );
  }

  /** Brings the groups' copies up to the history. */
  #copying(): Step[] {
    const { groups, bucketName, ...place } = this.#props;
    const bucketUrl = `s3://${bucketName}/`;
    return groups.flatMap((group) =>
      groupSteps(this.#scope, group, { ...place, bucketUrl, failure: this.#failure }),
    );
  }

  /** Only a daily execution is judged: a first load may be one part of several. */
  #verdict(): sfn.IChainable {
    const daily = Condition.numberEquals('$.members', 1);
    const done = new sfn.Succeed(this.#scope, 'Merged', { stateName: 'Merged' });
    const behind = this.#pass('Say how far it is behind', {
      'cause.$':
        "States.Format('{} days wait to be merged; the first has waited since {}.', $.look.days_waiting, $.look.waiting_since)",
    }).next(
      new sfn.Fail(this.#scope, 'Behind', {
        stateName: 'The history is behind',
        error: BEHIND,
        causePath: '$.cause',
      }),
    );
    const count = new tasks.CallAwsService(this.#scope, 'Count', {
      stateName: 'Count the run',
      service: 'cloudwatch',
      action: 'putMetricData',
      parameters: {
        Namespace: this.#props.metricNamespace,
        MetricData: [
          {
            MetricName: MERGED_METRIC,
            Dimensions: [{ Name: 'service', Value: 'lake' }],
            Unit: 'Count',
            Value: 1,
          },
        ],
      },
      iamResources: ['*'],
      resultPath: sfn.JsonPath.DISCARD,
    });
    // The run is done. If it cannot be counted for a day, an alarm tells it.
    count.addCatch(done, { resultPath: sfn.JsonPath.DISCARD });
    return new sfn.Choice(this.#scope, 'IsBehind', { stateName: 'Is the history behind?' })
      .when(Condition.and(daily, Condition.stringEquals('$.look.behind', 'true')), behind)
      .when(daily, count.next(done))
      .otherwise(done);
  }

  /** The views read the JSON files only. */
  #turningOff(): sfn.IChainable {
    const taken = [...ALL_VIEWS, HISTORY_STATE].map((view) =>
      this.#statement({ stateName: `Take ${view.name} off the history`, sql: viewWithoutHistory(view) }),
    );
    return sfn.Chain.start(inOrder(...taken)).next(
      new sfn.Succeed(this.#scope, 'Off', { stateName: 'The views read the JSON files' }),
    );
  }

  /** Deletes what is too old, then joins small files, then removes old snapshots. */
  #maintaining(): sfn.IChainable {
    const { dataDays, manifestDays, ledgerDays } = this.#props.retention;
    const copies = this.#props.groups.flatMap((group) => {
      const { invoices, refunds, days } = groupTables(this.#props.databaseName, group);
      return [[invoices, dataDays] as const, [refunds, dataDays] as const, [days, manifestDays] as const];
    });
    const kept = [
      [INVOICES_HISTORY, dataDays],
      [REFUNDS_HISTORY, dataDays],
      [DAYS_HISTORY, manifestDays],
      [MAIL_HISTORY, ledgerDays],
      // The longest of all: a day without its merge would wait to be merged.
      [HISTORY_MERGES, ledgerDays],
      ...copies,
    ] as const;
    const steps = kept.flatMap(([table, days]) => [
      this.#statement({
        stateName: `Delete old days of ${table.name}`,
        sql: retention(table, { days: days.toString() }),
      }),
      this.#statement({
        stateName: `Join the files of ${table.name}`,
        sql: optimize(table, 'athena'),
        retries: MORE_RUNS,
      }),
      this.#statement({
        stateName: `Remove old snapshots of ${table.name}`,
        sql: vacuum(table, 'athena'),
        retries: MORE_RUNS,
      }),
    ]);
    return sfn.Chain.start(inOrder(...steps)).next(
      new sfn.Succeed(this.#scope, 'Maintained', { stateName: 'Maintained' }),
    );
  }

  /** Dates that Step Functions cannot compute. */
  #datesSql(): string {
    const before = (days: number) => `CAST(CAST(date_add('day', -${days}, current_date) AS date) AS varchar)`;
    // Last month and this one: a day's merges seldom reach further back, and the weekly run joins the rest.
    const months = `CAST(CAST(date_add('month', -1, date_trunc('month', current_date)) AS date) AS varchar)`;
    return `SELECT since, ${before(this.#props.retention.dataDays)} AS data_from, ${before(1)} AS yesterday, ${months} AS optimize_from
FROM (${lookSince()})`;
  }

  #looked(): { since: string; now: string } {
    return { since: valueAt('$.dates.since'), now: valueAt('$.time.now') };
  }

  #found(column: LookColumn): string {
    return valueAt(`$.look.${column}`);
  }

  #placeOf(table: string): Place {
    const { bucketName, databaseName } = this.#props;
    return { database: databaseName, location: `s3://${bucketName}/${LAKE_PREFIX}${table}/` };
  }

  #statement(statement: Statement): tasks.AthenaStartQueryExecution {
    return statementTask(this.#scope, this.#props, this.#failure, statement);
  }

  #row(
    stateName: string,
    rowPath: string,
    columns: readonly string[],
    parsed: Record<string, string> = {},
  ): tasks.AthenaGetQueryResults {
    return rowTask(this.#scope, this.#failure, { stateName, idPath: '$.query.id', rowPath, columns, parsed });
  }

  #time(stateName: string): sfn.Pass {
    return this.#pass(stateName, { 'now.$': '$$.State.EnteredTime' }, '$.time');
  }

  #pass(stateName: string, parameters: Record<string, unknown>, resultPath?: string): sfn.Pass {
    return new sfn.Pass(this.#scope, stateName, {
      stateName,
      parameters,
      ...(resultPath !== undefined && { resultPath }),
    });
  }
}
