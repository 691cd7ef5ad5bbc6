import * as z from 'zod';
import { asciiAddress } from '#registry/mail-address.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { problemsOf } from '#registry/problem.ts';
import { MERGED_SCHEMAS, merchantSchema } from '#registry/registry-schema.ts';
import { didYouMean, problemInWords } from '../check/problem.ts';
import type { Members } from '#records/json/exact-json.ts';
import { jsonOrNothing, fileText } from '../files.ts';
import { nearestText, assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { LARGEST_REGISTRY } from '#records/storage/object-bounds.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import {
  assertNoNewProblems,
  takesEffect,
  editRegistry,
  forceOf,
  readRegistry,
} from '../registry/stored-registry.ts';
import { changesInWords } from '../registry/changes-in-words.ts';
import { settingsOf } from '../registry/differences.ts';
import { entryOf, withEntryMembers } from '../registry/registry-text.ts';

type ReadFile = (name: string) => string;

function unknownMember(name: string, known: readonly string[]): UsageError {
  const near = nearestText(name, known);
  const meant = near === undefined ? '' : `, did you mean ${near}?`;
  return new UsageError(`a merchant has no member ${shown(name, 80)}${meant} (docs/registry.md lists them)`);
}

/** The schemas of a merchant's members by name. Those of merged objects are listed by their own members, too. */
function schemas() {
  const { shape } = merchantSchema.unwrap();
  const inner = Object.entries(MERGED_SCHEMAS).flatMap(([name, schema]) =>
    Object.keys(schema.unwrap().shape).map((one) => `${name}.${one}`),
  );
  return {
    // The schema of the registry leaves its rules to those who read them.
    whole: new Map<string, z.ZodType>([...Object.entries(shape), ['alerts', z.array(z.looseObject({}))]]),
    names: [...Object.keys(shape), ...inner],
  };
}

/** For members that take an object or a list of them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  alerts: '[{"name":"unpaid","measure":"unpaidCount","above":10}]',
  attachments: '{"idsAsText":true}',
  'attachments.paymentMethods': '{"1":"KNET"}',
  balance: '{"ignore":["statsPaid"]}',
  branding: '{"colour":"#0b5c4a"}',
  invoiceStatuses: '{"0":"not_paid","1":"paid"}',
  refunds: '{"source":"both","statuses":{"1":"approved"}}',
  'refunds.statuses': '{"0":"pending","1":"approved"}',
  statements: '{"monthly":{"onDay":1,"at":"09:00"}}',
  'statements.monthly': '{"onDay":1,"at":"09:00"}',
  'statements.weekly': '{"on":"sunday","at":"08:00"}',
};

function forExample(name: string): string {
  const example = EXAMPLES[name];
  return example === undefined ? '' : `. For example: ${name}='${example}'`;
}

function readings(text: string): unknown[] {
  const parts = text.split(',').map((part) => part.trim());
  const numbers = parts.map(Number);
  const json = jsonOrNothing(text);
  return [
    text,
    ...(json === undefined ? [] : [json]),
    parts,
    ...(numbers.some(Number.isNaN) ? [] : [numbers]),
  ];
}

function fileValue(name: string, readFile: ReadFile): unknown {
  const json = jsonOrNothing(readFile(name));
  if (json === undefined) throw new UsageError(`${name} is not JSON`);
  return json;
}

/** The first reading that the schema takes. `around` puts a reading into its object. */
function readingFor(
  name: string,
  text: string,
  schema: z.ZodType,
  around: (value: unknown) => unknown,
  readFile: ReadFile,
): unknown {
  const candidates = text.startsWith('@') ? [fileValue(text.slice(1), readFile)] : readings(text);
  const taken = candidates.findIndex((value) => schema.safeParse(around(value)).success);
  if (taken !== -1) return candidates[taken];
  // Who writes an object means one, and one text of a list of texts is a list.
  const object = candidates.find(isMembers);
  const isList = EXAMPLES[name] === undefined && schema.safeParse(around([])).success;
  const meant = object ?? (isList || text.includes(',') ? candidates.at(-1) : candidates[0]);
  const { error } = schema.safeParse(around(meant));
  if (object === undefined && /^[[{]/.test(text)) {
    throw new UsageError(`${name}: is not valid JSON, given "${shown(text, 80)}"${forExample(name)}`);
  }
  const [problem] = error === undefined ? [] : problemsOf(error, around(meant), []);
  if (problem === undefined) throw new UsageError(`${name}: is not what it must be`);
  const [head = ''] = name.split('.');
  const isInside = object !== undefined && problem.at.length > 0;
  const place = fieldPath([around(meant) === meant ? name : head, ...problem.at]);
  const value = isInside ? problem.value : text;
  const near =
    asciiAddress(problem.value) ??
    (typeof value === 'string' ? nearestText(value, problem.candidates) : undefined);
  throw new UsageError(
    `${isInside ? place : name}: ${problemInWords({ ...problem, value })}${didYouMean(near)}${forExample(name)}`,
  );
}

/**
 * The members of an entry to set, from texts such as `reportAt=07:30`, `recipients=a@example.com,b@example.com`,
 * `alerts=@rules.json` or `refunds.source=both`. An empty value removes the member: the default is used again.
 *
 * @param entry as it is written now
 * @throws {UsageError} for an unknown member, or a value that it cannot have
 */
export function memberChanges(assignments: readonly string[], entry: Members, readFile: ReadFile): Members {
  const { whole, names } = schemas();
  const changes: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const [, path = '', text = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (path === '') throw new UsageError(`"${shown(assignment, 80)}" must be member=value`);
    if (path === 'merchantCode') {
      throw new UsageError('merchantCode cannot be changed: add the other merchant, and remove this one');
    }
    const [name = '', inner, ...deeper] = path.split('.');
    const schema = whole.get(name);
    if (schema === undefined) throw unknownMember(path, names);
    if (inner === undefined) {
      changes[name] = text === '' ? undefined : readingFor(path, text, schema, (value) => value, readFile);
      continue;
    }
    if (!Object.hasOwn(MERGED_SCHEMAS, name) || deeper.length > 0) {
      const whole = names.includes(`${name}.${inner}`) ? `${name}.${inner}` : name;
      throw new UsageError(`${shown(path, 80)} cannot be set alone: set all of ${whole}${forExample(whole)}`);
    }
    if (!names.includes(path)) throw unknownMember(path, names);
    const now = Object.hasOwn(changes, name) ? changes[name] : entry[name];
    const { [inner]: _old, ...others } = isMembers(now) ? now : {};
    const around = (value: unknown) => ({ [inner]: value });
    const value = text === '' ? {} : around(readingFor(path, text, schema, around, readFile));
    changes[name] = { ...others, ...value };
  }
  return changes;
}

function readFile(name: string): string {
  const text = fileText(name, LARGEST_REGISTRY);
  if (text === undefined) throw new UsageError(`there is no file ${name}`);
  return text;
}

/** Sets members of a merchant's entry. Nothing else in the registry changes. */
export async function set(
  context: CommandContext,
  merchantCode: string,
  assignments: readonly string[],
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const before = await readRegistry(stage);
  assertKnownMerchant(before.registry, merchantCode, stage.lines);
  const edit = (text: string) => {
    const changes = memberChanges(assignments, entryOf(text, merchantCode), readFile);
    return withEntryMembers(text, merchantCode, changes);
  };
  const after = edit(before.text);
  assertNoNewProblems(stage, before.text, after);
  const telling = { now: context.now(), showAddresses: output.isForPerson };
  const changes = changesInWords(before.text, after, telling);
  const isWritten = after !== before.text;
  const { version, text } = await editRegistry(stage, before, edit);
  const force = await forceOf(stage, text);
  const { warning } = force;
  output.result({ merchantCode, isWritten, version, changes, warning }, () => {
    for (const sentence of changes) output.line(sentence);
    if (!isWritten) output.line(`${merchantCode} has these settings already.`);
    if (isWritten || warning !== null) output.line(takesEffect(stage, force));
  });
  const isUsable = settingsOf(text).merchants.settings.has(merchantCode);
  return warning === null && (!isWritten || isUsable) ? 0 : 1;
}
