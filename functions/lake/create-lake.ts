import type { Handler } from '#runtime/lambda-handler.ts';
import * as z from 'zod';
import type { Athena, StatementFailedError } from './athena.ts';
import { addDays, dayAt, daySchema } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import { MORE_RUNS, OutOfTimeError } from './athena.ts';
import { lastMaintenance, lastMerge } from './lake-settings.ts';
import { lookAndPointViews, turnOff } from './look.ts';
import type { Found } from './look.ts';
import type { LakeSettings } from './lake-settings.ts';
import { copyForGroup, failureOf, makeGroupTables, mergeSlices } from './merge.ts';
import { HISTORY_TABLES, VIEW_HISTORIES } from './sql/history-tables.ts';
import { HISTORY_PREFIX } from './sql/lake-database.ts';
import { deletions } from './sql/statements/retention.ts';
import { checkRules } from './sql/statements/rules.ts';
import {
  REMOVABLE_AFTER,
  allTables,
  countRows,
  customerSchema,
  filesOfCustomer,
  forgettingOf,
  forgottenSchema,
  removeSnapshots,
} from './sql/statements/forget.ts';
import type { Customer, Forgotten } from './sql/statements/forget.ts';
import { askFor, lookAtNotes, note } from './sql/statements/notes.ts';
import { createTable, optimize, vacuum } from './sql/statements/tables.ts';
import type { RegisteredMerchants } from './registered-merchants.ts';
import { HAS_COLUMNS, upgradeHistory } from './upgrade.ts';

/** Statements failed at every attempt. What does not need them is done. The log names each of them. */
export class HistoryUnfinishedError extends DaybookError {
  override readonly name = 'HistoryUnfinishedError';
}

/** After the daily merge, a day has waited for more than a day. */
export class HistoryIsBehindError extends DaybookError {
  override readonly name = 'HistoryIsBehindError';
}

const yes = z.literal(true);
export const eventSchema = z.lazy(() =>
  z.strictObject({
    merge: z.boolean().optional(),
    from: daySchema.optional(),
    to: daySchema.optional(),
    maintain: yes.optional(),
    check: yes.optional(),
    merchants: yes.optional(),
    off: yes.optional(),
    search: z.strictObject({ customer: customerSchema, from: daySchema, to: daySchema }).optional(),
    count: forgottenSchema.optional(),
    forget: forgottenSchema.optional(),
  }),
);
type LakeEvent = z.infer<ReturnType<typeof eventSchema.unwrap>>;

/**
 * What `lake` is asked for (docs/interfaces.md, 4.8 lake).
 * @param now milliseconds UTC
 * @throws {InvalidEventError} names the member that is wrong or unknown
 */
export function readLakeEvent(event: unknown, now: number): LakeEvent {
  const asked = readEvent(eventSchema, event ?? {});
  const [, second] = Object.keys(asked).filter((member) => member !== 'to');
  if (second !== undefined) throw new InvalidEventError(second, 'must be alone');
  if (asked.from === undefined) {
    if (asked.to !== undefined) throw new InvalidEventError('to', 'needs "from"');
    return asked;
  }
  const to = asked.to ?? addDays(dayAt(now, 'UTC'), -1);
  if (to < asked.from)
    throw new InvalidEventError('from', 'must not be after "to", which is yesterday (UTC) if left out');
  return { ...asked, to };
}

export interface LakeAnswer {
  /** Whether nothing is left of what was due. Otherwise the next invocation goes on. */
  finished: boolean;
  /** Slices of at most five days that this invocation tried to merge. */
  slices: number;
  tables: number;
  /** Past days whose rows and figures wait to be merged, as the last look found them. */
  daysWaiting?: number;
  mailWaiting?: number;
  /** The quality rules that are broken, if it checked them. */
  brokenRules?: BrokenRule[];
  /** Rows of the customer by the key of each CSV file that has any. */
  files?: Record<string, number>;
  /** Rows by table that name who is to be forgotten. */
  rows?: Record<string, number>;
  /** Whether snapshots from before a forgetting are still there. */
  snapshotsWait?: boolean;
}

/** A rule of `QUALITY_RULES`, the number of pages that break it, and the first of them: its day and merchant. */
interface BrokenRule {
  rule: string;
  pages: number;
  first: string;
}

const brokenSchema = z.lazy(() =>
  z.record(z.string(), z.object({ broken: z.coerce.number(), first: z.string() })),
);

const countsSchema = z.lazy(() => z.record(z.string(), z.number()));

export interface Dependencies {
  athena: Athena;
  clock: Clock;
  telemetry: Telemetry;
  settings: LakeSettings;
  merchants: Pick<RegisteredMerchants, 'keep' | 'forget'>;
  bucket: string;
  database: string;
}

/** Builds `lake` (docs/interfaces.md, 4.8 lake). */
export function createLake(dependencies: Dependencies): Handler<LakeAnswer> {
  const { telemetry, clock } = dependencies;
  return (event, context) =>
    telemetry.during(context, async () => {
      const now = clock.now();
      const asked = readLakeEvent(event, now);
      const run = new LakeRun(dependencies, now);
      try {
        await run.work(asked);
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        run.answer.finished = false;
      }
      telemetry.logger.info('kept the history', { ...run.answer });
      run.assertWell(asked);
      return run.answer;
    });
}

/** When work was last asked for or done, milliseconds UTC, by its note. */
type Notes = Map<string, number>;

const notesRowSchema = z.lazy(() => z.object({ since: z.string(), notes: z.string() }));
const notesSchema = z.lazy(() => z.record(z.string(), z.string()));

/** One invocation. It may die between any two statements, be repeated, and run twice at once. */
class LakeRun {
  readonly answer: LakeAnswer = { finished: true, slices: 0, tables: 0 };
  readonly #of: Dependencies;
  readonly #now: number;
  readonly #failures: StatementFailedError[] = [];
  #behind: string | undefined;

  /** @param now milliseconds UTC */
  constructor(dependencies: Dependencies, now: number) {
    this.#of = dependencies;
    this.#now = now;
  }

  async work(asked: LakeEvent): Promise<void> {
    const { athena } = this.#of;
    if (asked.off === true) return turnOff(athena);
    if (asked.search !== undefined) return this.#search(asked.search);
    if (asked.merchants === true) return this.#keepMerchants();
    await this.#makeTables();
    if (asked.from !== undefined && asked.to !== undefined) {
      const days = { from: asked.from, to: asked.to };
      await athena.run('Note that the days are asked for', askFor(days, isoTime(this.#now)));
    }
    const { since, notes } = await this.#readNotes();
    await this.#upgrade(notes);
    if (asked.check === true) return this.#checkRules();
    if (asked.count !== undefined) return this.#count(asked.count, notes);
    if (asked.forget !== undefined) return this.#forget(asked.forget);
    // A look would point the views of a history that is turned off.
    if (asked.maintain !== true) {
      await this.#keepMerchants();
      const found = await this.#look(since);
      if (asked.merge === false) return;
      if (asked.merge === true && !this.#isMergeDue(notes)) await this.#ask('merge', notes);
      if (this.#isMergeDue(notes)) await this.#merge(since, found.slices);
    }
    await this.#maintain(notes, asked.maintain === true);
    await this.#removeSnapshots(notes);
  }

  /** Throws what the invocation has to fail with, after all that could be done is done. */
  assertWell(asked: LakeEvent): void {
    const [first] = this.#failures;
    if (first !== undefined) {
      throw new HistoryUnfinishedError(
        `failed statements: ${this.#failures.length}; the first: ${first.message}`,
      );
    }
    // A first load, which people start by hand, may be one part of several.
    const isScheduled = Object.keys(asked).length === 0;
    if (this.#behind !== undefined && isScheduled) throw new HistoryIsBehindError(this.#behind);
  }

  async #makeTables(): Promise<void> {
    const { athena, bucket, database } = this.#of;
    for (const table of HISTORY_TABLES) {
      const place = { database, location: `s3://${bucket}/${HISTORY_PREFIX}${table.name}/` };
      await athena.run(`Make ${table.name}`, createTable(table, place));
    }
  }

  async #readNotes(): Promise<{ since: string; notes: Notes }> {
    const { since, notes } = notesRowSchema.parse(await this.#of.athena.row('Read the notes', lookAtNotes()));
    const times = Object.entries(notesSchema.parse(JSON.parse(notes)));
    return { since, notes: new Map(times.map(([what, at]) => [what, Date.parse(at)])) };
  }

  async #upgrade(notes: Notes): Promise<void> {
    if (notes.has(HAS_COLUMNS)) return;
    const isUpgraded = await upgradeHistory(this.#of.athena, isoTime(this.#now), this.#dataFrom());
    if (isUpgraded) notes.set('days asked', this.#now);
    await this.#note(HAS_COLUMNS);
  }

  /** Pulls before this day have no files of rows any more. */
  #dataFrom(): string {
    return addDays(dayAt(this.#now, 'UTC'), -this.#of.settings.retention.dataDays);
  }

  /** Without it, pages of earlier versions have older words: no reason to fail. */
  async #keepMerchants(): Promise<void> {
    const { merchants, telemetry } = this.#of;
    try {
      await merchants.keep(this.#now);
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      telemetry.logError(error);
    }
  }

  async #note(what: string): Promise<void> {
    await this.#of.athena.run(`Note: ${what}`, note(what, isoTime(this.#now)));
  }

  /** What is asked for by hand is done now, and goes on at the next looks if this one's time ends. */
  async #ask(work: 'merge' | 'maintenance', notes: Notes): Promise<void> {
    await this.#note(`${work} asked`);
    notes.set(`${work} asked`, this.#now);
  }

  async #look(since: string): Promise<Found> {
    const { athena, clock } = this.#of;
    const found = await lookAndPointViews(athena, since, clock.now());
    this.answer.daysWaiting = Number(found.days_waiting);
    this.answer.mailWaiting = Number(found.mail_waiting);
    return found;
  }

  #isMergeDue(notes: Notes): boolean {
    const due = lastMerge(this.#now, this.#of.settings);
    return isDue('merge done', ['merge asked', 'days asked', 'mail asked'], due, notes);
  }

  /** Merges what waits, looks again, brings the groups' copies up to date, and checks the rules. */
  async #merge(since: string, slices: string): Promise<void> {
    const { athena, clock, telemetry, settings, database, bucket } = this.#of;
    const today = dayAt(this.#now, 'UTC');
    for await (const failed of mergeSlices(athena, clock, slices, this.#dataFrom())) {
      this.answer.slices += 1;
      this.#keep(failed);
    }
    const after = await this.#look(since);
    for (const group of settings.groups) {
      this.#keep(await failureOf(() => copyForGroup(athena, group, { database, bucket })));
    }
    await this.#checkRules();
    if (after.behind === 'true') {
      this.#behind = `${after.days_waiting} days wait to be merged; the first has waited since ${after.waiting_since}`;
    }
    // The heartbeat: an alarm looks for it.
    if (this.#failures.length === 0 && this.#behind === undefined) telemetry.count('HistoryMerged', 1);
    await this.#note('merge done');
    // A day's merges add to this month and the last. A month stays at a few files, whatever is merged.
    const lastMonth = addDays(`${today.slice(0, 8)}01`, -1);
    for (const table of VIEW_HISTORIES) {
      const sql = optimize(table, `${lastMonth.slice(0, 8)}01`);
      // Queries are slower without it, and the weekly work joins the rest: no reason to fail.
      const failed = await failureOf(() => athena.run(`Join the new files of ${table.name}`, sql, MORE_RUNS));
      telemetry.count('FilesNotJoined', failed.length);
      for (const error of failed) telemetry.logError(error);
    }
  }

  /** Checks what the contract of the lake says of its rows. A broken rule is no failure: an alarm rings. */
  async #checkRules(): Promise<void> {
    const { athena, telemetry } = this.#of;
    const failed = await failureOf(async () => {
      const { rules = '{}' } = await athena.row('Check the rules', checkRules());
      const broken = Object.entries(brokenSchema.parse(JSON.parse(rules)));
      this.answer.brokenRules = broken.map(([rule, { broken: pages, first }]) => ({ rule, pages, first }));
      for (const each of this.answer.brokenRules)
        telemetry.logger.warn('a rule of the lake is broken', { ...each });
      telemetry.count('RulesBroken', broken.length);
    });
    this.#keep(failed);
  }

  async #search({ customer, from, to }: { customer: Customer; from: string; to: string }): Promise<void> {
    const sql = filesOfCustomer(customer, from, to);
    const { files = '{}' } = await this.#of.athena.row('Search the files of a customer', sql);
    this.answer.files = countsSchema.parse(JSON.parse(files));
  }

  async #forgettings(forgotten: Forgotten): Promise<ReturnType<typeof forgettingOf>> {
    const { athena, settings, database, bucket } = this.#of;
    for (const group of settings.groups) await makeGroupTables(athena, group, { database, bucket });
    return forgettingOf(forgotten, database, settings.groups);
  }

  async #count(forgotten: Forgotten, notes: Notes): Promise<void> {
    const counting = countRows(await this.#forgettings(forgotten));
    const { rows = '{}' } = await this.#of.athena.row('Count what is to be forgotten', counting);
    this.answer.rows = countsSchema.parse(JSON.parse(rows));
    this.answer.snapshotsWait = isDue('snapshots removed', ['forgotten'], 0, notes);
  }

  /** Every statement can be repeated: an invocation that dies is made again. */
  async #forget(forgotten: Forgotten): Promise<void> {
    const { athena, clock, merchants } = this.#of;
    for (const { table, sql } of await this.#forgettings(forgotten)) {
      await athena.run(`Forget in ${table.name}`, sql);
      await athena.run(`Join the files of ${table.name}`, optimize(table), MORE_RUNS);
    }
    if ('merchantCode' in forgotten) await merchants.forget(forgotten.merchantCode);
    await athena.run('Note: forgotten', note('forgotten', isoTime(clock.now())));
  }

  /** Removes the snapshots from before a forgetting, once no statement can need them. */
  async #removeSnapshots(notes: Notes): Promise<void> {
    const { athena, settings, database } = this.#of;
    const isOld = (notes.get('forgotten') ?? 0) + REMOVABLE_AFTER * 60_000 <= this.#now;
    if (!isOld || !isDue('snapshots removed', ['forgotten'], 0, notes)) return;
    for (const table of allTables(database, settings.groups)) {
      for (const sql of removeSnapshots(table)) {
        await athena.run(`Remove all old snapshots of ${table.name}`, sql, MORE_RUNS);
      }
    }
    await this.#note('snapshots removed');
  }

  /** Goes on with the tables that an earlier run has left, else with those that are due. */
  async #maintain(notes: Notes, isAsked: boolean): Promise<void> {
    const { athena, settings, database } = this.#of;
    const all = deletions(settings.retention, database, settings.groups);
    const last = lastMaintenance(this.#now, settings);
    const whatIsDue = () =>
      all.filter(([{ name }]) => isDue(`maintained ${name}`, ['maintenance asked'], last, notes));
    if (isAsked && whatIsDue().length === 0) await this.#ask('maintenance', notes);
    for (const [table, deletion] of whatIsDue()) {
      const { name } = table;
      const statements: [name: string, sql: string, retries?: number][] = [
        [`Delete old days of ${name}`, deletion],
        [`Join the files of ${name}`, optimize(table), MORE_RUNS],
        [`Remove old snapshots of ${name}`, vacuum(table), MORE_RUNS],
      ];
      for (const statement of statements) this.#keep(await failureOf(() => athena.run(...statement)));
      await this.#note(`maintained ${name}`);
      this.answer.tables += 1;
    }
  }

  /** The rest is done first. */
  #keep(failed: readonly StatementFailedError[]): void {
    this.#failures.push(...failed);
    for (const error of failed) this.#of.telemetry.logError(error);
  }
}

/** Whether work has to begin, or to go on: it is done when the note of that is not older than all that asks for it. */
function isDue(done: string, asked: readonly string[], last: number, notes: Notes): boolean {
  const times = asked.map((what) => notes.get(what) ?? 0);
  return (notes.get(done) ?? 0) < Math.max(last, ...times);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
