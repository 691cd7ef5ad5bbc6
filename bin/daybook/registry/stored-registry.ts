import { codeInEntry, codesInEntries, placesOfCodes } from '#registry/registry.ts';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { requestHandler } from '#runtime/aws-clients.ts';
import { chooseRegistry, registryCopy } from '#registry/registry-choice.ts';
import type { RegistryCopy } from '#registry/registry-choice.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { Registry } from '#registry/registry.ts';
import { lastGoodKey } from '#records/storage/keys.ts';
import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import { readText, writeText } from '#runtime/s3-objects.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { jsonOf } from './registry-text.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { CheckProblem } from '../check/problem.ts';
import { checkRegistryText } from '../check/registry-text.ts';

/** How often an edit is tried when somebody else writes at the same time. */
const MOST_ATTEMPTS = 5;

export interface StoredRegistry {
  text: string;
  /** Its ETag. */
  version: string;
}

/** @returns `undefined` when the stage has no registry yet */
export function findRegistry(
  { s3, bucket, registryKey }: Stage,
  key = registryKey,
): Promise<StoredRegistry | undefined> {
  return readText(s3(), bucket, key, LARGEST_REGISTRY);
}

function findLastGood(stage: Stage): Promise<StoredRegistry | undefined> {
  return findRegistry(stage, lastGoodKey(stage.registryKey));
}

/** The registry as it is written, usable or not. @throws {CommandError} when the stage has none yet */
export async function readWritten(stage: Stage): Promise<StoredRegistry> {
  const stored = await findRegistry(stage);
  if (stored !== undefined) return stored;
  throw new CommandError(
    `the stage ${stage.name} has no registry yet (${stage.registryKey}): write merchants.json as docs/registry.md explains, then "${stage.lines.daybook('registry', 'push')}"`,
  );
}

/** @throws {CommandError} when the stage has no registry yet, or one that cannot be used: with the line that mends it */
export async function readRegistry(stage: Stage): Promise<StoredRegistry & { registry: Registry }> {
  const stored = await readWritten(stage);
  const registry = registryIn(stored.text);
  if (!(registry instanceof RegistryError)) return { ...stored, registry };
  throw new CommandError(notUsed(stage, await forceOf(stage, stored.text)));
}

/**
 * Writes the registry, if it still has that version.
 *
 * @param version `null`: there must be none yet
 * @returns its new version, `undefined` when somebody else has changed it meanwhile
 */
export async function writeRegistry(
  stage: Stage,
  text: string,
  version: string | null,
): Promise<string | undefined> {
  const { bucket, registryKey: key } = stage;
  const by = await caller();
  const metadata = by === undefined ? {} : { metadata: { [WRITTEN_BY]: by } };
  return writeText(stage.s3(), { bucket, key, text, most: LARGEST_REGISTRY, ...metadata }, version);
}

/** The member of an object's metadata that says who wrote it. */
export const WRITTEN_BY = 'daybook-written-by';

/** Milliseconds. */
const LONGEST_QUESTION = 3_000;

/** The ARN of who runs the command. Where STS does not say it, the change is more important than its record. */
export async function caller(): Promise<string | undefined> {
  const client = new STSClient({ maxAttempts: 1, requestHandler: requestHandler(LONGEST_QUESTION) });
  try {
    return (await client.send(new GetCallerIdentityCommand({}))).Arn;
  } catch {
    return undefined;
  } finally {
    client.destroy();
  }
}

/** The text without those merchants, `undefined` when it has none of them once, or is no registry. */
function without(merchantCodes: readonly string[], text: string): string | undefined {
  const registry = registryIn(text);
  if (registry instanceof RegistryError) return;
  const places = placesOfCodes(registry);
  const gone = new Set<unknown>(merchantCodes.filter((code) => places.get(code)?.length === 1));
  const json = jsonOf(text);
  if (gone.size === 0 || !isMembers(json)) return;
  const merchants = registry.merchants.filter((entry) => !gone.has(codeInEntry(entry)));
  return `${JSON.stringify({ ...json, merchants }, null, 2)}\n`;
}

/**
 * Takes merchants out of the last good registry, so that the functions do not take their removal for a mistake. All
 * other merchants stay protected.
 *
 * @returns whether it has none of them now. Otherwise others wrote it at every attempt
 */
export async function removeFromLastGood(stage: Stage, merchantCodes: readonly string[]): Promise<boolean> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const stored = await findLastGood(stage);
    const text = stored && without(merchantCodes, stored.text);
    if (stored === undefined || text === undefined) return true;
    const [s3, { bucket, registryKey }] = [stage.s3(), stage];
    const written = { bucket, key: lastGoodKey(registryKey), text, most: LARGEST_REGISTRY };
    if ((await writeText(s3, written, stored.version)) !== undefined) return true;
  }
  return false;
}

/** The text that the functions can use: the registry, else the last good one. `undefined` when neither can be used. */
export async function usableText(
  stage: Stage,
  stored: StoredRegistry | undefined,
): Promise<string | undefined> {
  if (stored === undefined || unusable(stored.text) === undefined) return stored?.text;
  const good = await findLastGood(stage);
  return unusable(good?.text) === undefined ? good?.text : undefined;
}

/** A text as a registry, or why it cannot be used as one. @param text `undefined`: there is none */
function registryIn(text: string | undefined): Registry | RegistryError {
  return registryCopy('this key', null, text).content;
}

/** Why a text cannot be used as a registry, `undefined` when it can. @param text `undefined`: there is none */
export function unusable(text: string | undefined): string | undefined {
  const registry = registryIn(text);
  return registry instanceof RegistryError ? registry.message : undefined;
}

type Force = Awaited<ReturnType<typeof forceOf>>;

function alarmOf(current: RegistryCopy, lastGood: RegistryCopy): string | null {
  try {
    return chooseRegistry(current, lastGood).alarm;
  } catch (error) {
    if (error instanceof RegistryError) return error.message;
    throw error;
  }
}

/**
 * Whether the functions would use this text, or the last good registry. For example, too many merchants are gone at
 * once.
 *
 * @returns `warning`: why they would use the last good one, `null` when they would use the text. `gone`: the merchants that only
 * the last good one has. `isForAccepting`: they would use the text if these were taken out of the last good one, too
 */
export async function forceOf(stage: Stage, text: string) {
  const stored = await findLastGood(stage);
  const current = registryCopy(stage.registryKey, null, text);
  const lastGoodOf = (good: string | undefined) =>
    registryCopy(lastGoodKey(stage.registryKey), stored?.version ?? null, good);
  const lastGood = lastGoodOf(stored?.text);
  const codesOf = ({ content }: RegistryCopy) =>
    content instanceof RegistryError ? undefined : codesInEntries(content);
  const [codes, before] = [codesOf(current), codesOf(lastGood)];
  const gone = codes === undefined || before === undefined ? [] : [...before.difference(codes)];
  const warning = alarmOf(current, lastGood);
  const accepted = warning === null || stored === undefined ? undefined : without(gone, stored.text);
  const isForAccepting = accepted !== undefined && alarmOf(current, lastGoodOf(accepted)) === null;
  return { warning, gone, isForAccepting };
}

/**
 * Edits the registry of a stage. When somebody else changes it meanwhile, the edit is made again in their text.
 *
 * @param edit gives the new text. It is called again with each newer text
 * @throws {CommandError} when others write all the time
 */
export async function editRegistry(
  stage: Stage,
  first: StoredRegistry,
  edit: (text: string) => string,
): Promise<StoredRegistry> {
  let stored = first;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const text = edit(stored.text);
    if (text === stored.text) return stored;
    const version = await writeRegistry(stage, text, stored.version);
    if (version !== undefined) return { text, version };
    stored = await readRegistry(stage);
  }
  throw new CommandError(
    'the registry was not changed: somebody else changed it at every attempt. Try again in a minute',
  );
}

/** How to bring a registry into use that is not used. */
export function mendInWords({ lines: { daybook } }: Stage, { isForAccepting }: Force): string {
  const pull = daybook('registry', 'pull');
  return isForAccepting
    ? `If these merchants are meant to be gone: ${pull}, then ${daybook('registry', 'push', '--accept-removals')}`
    : `Correct it: ${pull}, then ${daybook('registry', 'push')}`;
}

/** When a change of the registry takes effect, in sentences. */
export function takesEffect(stage: Stage, force: Force): string {
  if (force.warning !== null) {
    return `It takes no effect: the functions use the last good registry. ${mendInWords(stage, force)}`;
  }
  return stage.isLocal
    ? 'It takes effect the next time a function runs.'
    : 'It takes effect at once for what runs from now on. The schedule plans with it at its next tick: within 15 minutes, unless the settings of the stage say otherwise.';
}

function notUsed(stage: Stage, force: Force): string {
  return `this registry is not used. ${force.warning ?? ''} ${mendInWords(stage, force)}`;
}

/** Says that the registry in the bucket is not the one that the functions use, if that is so. */
export function noteIfNotUsed(output: Output, stage: Stage, force: Force): void {
  if (force.warning !== null) output.warn(notUsed(stage, force));
}

/**
 * The registry that the functions use now. When it is not the one that is written, a warning says so, with the command
 * that mends it.
 * @throws {RegistryError} when there is none that can be used
 */
export async function registryInUse(output: Output, stage: Stage): Promise<Registry> {
  const { registry, alarm } = await stage.registry();
  if (alarm !== null) {
    const written = await findRegistry(stage);
    if (written === undefined) output.warn(alarm);
    else noteIfNotUsed(output, stage, await forceOf(stage, written.text));
  }
  return registry;
}

function problemsFor(stage: Stage, text: string) {
  const { serviceOrigins: origins, credentialsSecretPrefix: secretPrefix = null } = stage;
  return checkRegistryText(text, { origins, secretPrefix });
}

function inWords({ path, message }: CheckProblem): string {
  return `${path}: ${message}`;
}

/** The problems of a change. @param before the registry of the stage, `undefined` when it has none */
export function problemsOfChange(stage: Stage, before: string | undefined, after: string) {
  const known = new Set(before === undefined ? [] : problemsFor(stage, before).problems.map(inWords));
  const { problems, entries } = problemsFor(stage, after);
  return { problems, fresh: problems.filter((problem) => !known.has(inWords(problem))), entries };
}

/** What was wrong before is not the fault of the change. @throws {CommandError} with the new problems */
export function assertNoNewProblems(stage: Stage, before: string, after: string): void {
  const { fresh } = problemsOfChange(stage, before, after);
  if (fresh.length === 0) return;
  throw new CommandError(`nothing was written: ${shown(fresh.map(inWords).join('; '), 900)}`);
}
