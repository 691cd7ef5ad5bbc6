import { GetObjectCommand } from '@aws-sdk/client-s3';
import { LARGEST_REGISTRY, boundedText } from '#records/storage/object-bounds.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import type { Stage } from '../stage/stage.ts';
import { versionsUnder } from '../stage/stored-versions.ts';
import type { StoredVersion } from '../stage/stored-versions.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { shown, utcMinute } from '../terminal/shown-text.ts';
import { changeRegistry } from './change.ts';
import type { ChangeOptions } from './change.ts';
import { changesInWords } from './changes-in-words.ts';
import { WRITTEN_BY, findRegistry, forceOf, noteIfNotUsed, unusable } from './stored-registry.ts';

/** The versions of the registry that the bucket still has, the newest first. */
async function versionsOf(stage: Stage): Promise<StoredVersion[]> {
  const { versions } = await versionsUnder(stage, stage.registryKey);
  // S3 lists removals apart, and its times have no milliseconds.
  return versions
    .filter(({ key }) => key === stage.registryKey)
    .sort((one, other) => Number(other.isLatest) - Number(one.isLatest) || other.modified - one.modified);
}

interface ReadVersion extends StoredVersion {
  /** `undefined`: the registry was removed then, or is too large. */
  text: string | undefined;
  /** The ARN of who wrote it with this command, `null` when that is not known. */
  by: string | null;
}

async function readVersion({ s3, bucket }: Stage, version: StoredVersion): Promise<ReadVersion> {
  if (version.etag === null) return { ...version, text: undefined, by: null };
  const wanted = { Bucket: bucket, Key: version.key, VersionId: version.version };
  const { Body: body, Metadata: metadata } = await s3().send(new GetObjectCommand(wanted));
  const text = await boundedText(body, version.key, LARGEST_REGISTRY);
  return { ...version, text, by: metadata?.[WRITTEN_BY] ?? null };
}

function timeOf({ modified }: StoredVersion): string {
  return new Date(modified).toISOString();
}

/** `jane (Operators)` of the ARN of a role's session, the name of a user. */
function nameInArn(arn: string | null): string {
  if (arn === null) return 'not known: not written with this command';
  const [kind, first = '', ...others] = arn.slice(arn.lastIndexOf(':') + 1).split('/');
  const last = others.at(-1) ?? first;
  return shown(kind === 'assumed-role' ? `${last} (${first})` : last || arn);
}

/** What a version changed. @param older the versions before it, of which the newest that can be used is what it changed */
function changesOf(
  { etag, text, modified: now }: ReadVersion,
  older: readonly ReadVersion[],
  showAddresses: boolean,
): string[] {
  if (etag === null) return ['The registry was removed.'];
  const fault = unusable(text);
  if (text === undefined || fault !== undefined) return [`It cannot be used: ${shown(fault ?? '')}.`];
  const before = older.find((version) => unusable(version.text) === undefined)?.text;
  if (before === undefined) return ['The oldest version that is kept and can be used.'];
  return changesInWords(before, text, { now, showAddresses });
}

/** Shows who changed the registry, when, and what. */
export async function history(context: CommandContext, { last }: { last: number }): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const all = await versionsOf(stage);
  const read: ReadVersion[] = [];
  await output.during('Reading the versions', Math.min(all.length, last + 1), async (work) => {
    for (const version of all) {
      // One more that can be used, to compare the last one with.
      if (read.length > last && unusable(read.at(-1)?.text) === undefined) break;
      work.done(read.push(await readVersion(stage, version)));
    }
  });
  const entries = read.slice(0, last).map((version, number) => {
    const changes = changesOf(version, read.slice(number + 1), output.isForPerson);
    // `number`: how many versions it is before the present one, for `rollback`.
    return { number, versionId: version.version, at: timeOf(version), by: version.by, changes };
  });
  const force = await forceOf(stage, read[0]?.text ?? '');
  if (read[0]?.text !== undefined) noteIfNotUsed(output, stage, force);
  output.result({ stage: stage.name, versions: entries }, () => {
    for (const { number, at, by, changes } of entries) {
      output.line(output.style('bold', `${number}  ${utcMinute(at)} UTC  ${nameInArn(by)}`));
      for (const sentence of changes) output.line(`   ${sentence}`);
    }
    if (all.length === 0) output.line(`The stage ${stage.name} has no registry yet.`);
    if (all.length > last) output.note(`${all.length - last} older: --last ${all.length} shows them.`);
    if (entries.length > 1)
      output.note(`"${stage.lines.daybook('registry', 'rollback', '1')}" takes the newest change back.`);
  });
  return force.warning === null ? 0 : 1;
}

/** Makes an earlier version the registry again. It is checked and asked like a push, and is a new version. */
export async function rollback(
  context: CommandContext,
  number: number,
  options: ChangeOptions,
): Promise<ExitStatus> {
  const stage = await context.stage();
  const [versions, stored] = [await versionsOf(stage), await findRegistry(stage)];
  const history = stage.lines.daybook('registry', 'history');
  const chosen = versions[number];
  const present = versions[0]?.etag;
  if (chosen === undefined)
    throw new CommandError(`the bucket has no version ${number} of the registry: "${history}" lists them`);
  const { text } = await readVersion(stage, chosen);
  const name = `version ${number} of ${utcMinute(timeOf(chosen))} UTC`;
  const fault = unusable(text);
  if (text === undefined || fault !== undefined)
    throw new CommandError(`nothing was written: ${name} cannot be used: ${fault ?? ''}`);
  const changedMeanwhile = `nothing was written: somebody else changed the registry at this moment, so the numbers have changed. Look at "${history}" again`;
  if ((present ?? undefined) !== stored?.version) throw new CommandError(changedMeanwhile);
  return changeRegistry(context, stage, options, {
    text,
    stored,
    name,
    command: ['registry', 'rollback', number.toString()],
    changedMeanwhile,
  });
}
