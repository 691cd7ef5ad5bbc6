import { randomBytes } from 'node:crypto';
import { DeleteObjectsCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { Forgotten } from '#lake/sql/statements/forget.ts';
import { forgottenKey } from '#records/storage/keys.ts';
import { writeObject } from '#runtime/s3-objects.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { keptInWords } from '../stage/stage-names.ts';
import { readLakeOutputs, type Stage } from '../stage/stage.ts';
import type { StoredVersion } from '../stage/stored-versions.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { forEach } from '../terminal/for-each.ts';
import { NOTHING_CHANGED } from '../terminal/questions.ts';
import { counted } from '../terminal/shown-text.ts';
import type { Cell } from '../terminal/table.ts';

export interface ForgetOptions {
  dryRun?: true;
  code?: string;
}

/** Versions that S3 deletes in one request. */
const MOST_VERSIONS = 1_000;

async function deleteVersions(
  context: CommandContext,
  stage: Stage,
  versions: readonly StoredVersion[],
): Promise<void> {
  const objects = versions.map(({ key, version }) => ({ Key: key, VersionId: version }));
  const batches = [...Map.groupBy(objects, (_, index) => Math.floor(index / MOST_VERSIONS)).values()];
  await forEach(context, `Deleting ${counted(versions.length, 'version')}`, batches, async (Objects) => {
    const input = { Bucket: stage.bucket, Delete: { Objects, Quiet: true } };
    const { Errors: [failed] = [] } = await stage.s3().send(new DeleteObjectsCommand(input));
    if (failed !== undefined)
      throw new CommandError(`S3 did not delete ${failed.Key} (${failed.Code}): run the same command again`);
  });
}

const countsSchema = z.record(z.string(), z.number());
const lakeSchema = z.object({
  finished: z.boolean(),
  files: countsSchema.default({}),
  rows: countsSchema.default({}),
  snapshotsWait: z.boolean().default(false),
});

/** An invocation does what it can in 15 minutes. */
const MOST_INVOCATIONS = 20;

/** Has the function `lake` do something to its end. @throws {CommandError} when that does not end */
export async function askLake(context: CommandContext, stage: Stage, event: unknown, doing: string) {
  for (let invocation = 1; invocation <= MOST_INVOCATIONS; invocation += 1) {
    const answer = await answerOf(stage, 'lake', event, { schema: lakeSchema, context, doing });
    if (answer.finished) return answer;
  }
  throw new CommandError('the function lake did not finish: run the same command again');
}

/** What the command leaves, and until when it is kept. docs/forgetting.md has the same. */
export function whatStays(name: string, isMerchant: boolean): [what: string, until: string][] {
  const ofAll: [string, string][] = [
    ['mails that were sent', 'for ever: they are out of reach'],
    ['answers of queries that somebody asked', keptInWords(name, 'lake.resultDays')],
    [`statements of Athena: ${isMerchant ? 'the code' : 'the texts that were searched'}`, '45 days'],
    ['old snapshots of the lake', 'its first look after 35 minutes'],
  ];
  if (!isMerchant) return ofAll;
  return [
    ...ofAll,
    ['logs: the code', keptInWords(name, 'retention.logDays')],
    ['access logs: the code in names of objects', keptInWords(name, 'retention.accessLogDays')],
    ['what the operators were told: the code', keptInWords(name, 'retention.ledgerDays')],
    ['old versions of the registry and of its last good copy: the entry', '30 days'],
    ['messages that were put aside: the code and days', '14 days'],
  ];
}

interface Found {
  versions: StoredVersion[];
  heading: string[];
  lines: Cell[][];
}

/** Somebody to forget, and how. Each step can be repeated. */
interface Erasure<Thing extends Found> {
  forgotten: Forgotten;
  /** Such as `700001`, for sentences. */
  name: string;
  /** What has to be typed. */
  code: string;
  find: () => Promise<Thing>;
  question: (found: Thing) => string;
  /** Comes before the deletion. @throws {CommandError} when nothing may be deleted */
  prepare?: (found: Thing) => Promise<void>;
  record: (found: Thing) => object;
}

/** May end at any moment: the same command goes on. Objects go first: a merge of the lake would bring rows back. */
export async function forget<Thing extends Found>(
  context: CommandContext,
  { dryRun, code: given }: ForgetOptions,
  { forgotten, name, code, find, question, prepare, record }: Erasure<Thing>,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const hasLake = (await readLakeOutputs(stage.name)) !== undefined;
  const look = async () => {
    const found = await find();
    if (!hasLake) return { found, rows: {}, snapshotsWait: false };
    const event = { count: forgotten };
    const { rows, snapshotsWait } = await askLake(context, stage, event, 'Counting rows of the lake');
    const having = Object.entries(rows).filter(([, count]) => count > 0);
    return { found, rows: Object.fromEntries(having), snapshotsWait };
  };
  const { found, rows, snapshotsWait } = await look();
  const stays = whatStays(stage.name, 'merchantCode' in forgotten);
  const keys = [...new Set(found.versions.map(({ key }) => key))];
  const show = () => {
    output.table(found.heading, found.lines);
    output.table(['Table of the lake', 'Rows'], Object.entries(rows));
    if (keys.length === 0 && Object.keys(rows).length === 0) output.line(`Nothing of ${name} is left.`);
    if (snapshotsWait) output.line('Old snapshots of the lake are not removed yet: its next looks do it.');
    output.line();
    output.table(['What stays', 'Until'], stays);
  };
  if (dryRun === true) {
    output.result({ code, keys, versions: found.versions.length, rows, snapshotsWait, stays }, show);
    return 0;
  }
  if (!output.isJson) show();
  if (given !== undefined && given !== code) throw new UsageError(`--code must be ${code}`);
  const message = `${question(found)} This cannot be undone.`;
  if (given === undefined) {
    const typed = { message: `${message} Type ${code} to go on`, option: `--yes --code ${code}` };
    const fault = (text: string) => (text === code ? undefined : `type ${code}, or press Ctrl-C`);
    await questions.text({ ...typed, fault });
  } else if (!(await questions.confirm(message, NOTHING_CHANGED))) return 1;
  await prepare?.(found);
  await context.leaving(`${name} is forgotten in part. Run the same command again: it goes on.`, () =>
    deleteVersions(context, stage, found.versions),
  );
  if (hasLake) await askLake(context, stage, { forget: forgotten }, 'Forgetting in the lake');
  const left = await look();
  if (left.found.versions.length > 0 || Object.keys(left.rows).length > 0)
    throw new CommandError(`something of ${name} was written meanwhile: run the same command again`);
  const finishedAt = new Date(context.now()).toISOString();
  const key = forgottenKey(finishedAt, randomBytes(4).toString('hex'));
  const done = { ...record(found), versions: found.versions.length, rows, finishedAt };
  await writeObject(stage.s3(), stage.bucket, key, done);
  output.result({ ...done, record: key }, () =>
    output.line(`Done: ${name} is forgotten. The record is ${key}.`),
  );
  return 0;
}
