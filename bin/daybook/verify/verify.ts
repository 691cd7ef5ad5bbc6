import { createPublicKey } from 'node:crypto';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import { periodKind } from '#records/period/period.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import { assertCode } from '../stage/known-names.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { counted, shown } from '../terminal/shown-text.ts';
import { checkEvidence, evidenceText, fingerprint, readEvidence, sealedIn, signersOf } from './evidence.ts';
import type { Evidence, Finding } from './evidence.ts';

interface VerifyOptions {
  group?: string | undefined;
  revision?: string | undefined;
  save?: string | undefined;
  /** Files with public keys. */
  key?: readonly string[] | undefined;
}

const LARGEST_EVIDENCE = 400_000_000;
const LARGEST_KEY = 10_000;
const LONGEST_LINE = 1_000;
/** Digits of a digest, as mails show it. */
const SHORT = 16;

/** The page that is asked for; `undefined` when the first word is a file. */
function askedPage(first: string, second: string | undefined, group: string | undefined): PageId | undefined {
  if (group === undefined && second === undefined) return undefined;
  if (group !== undefined && second !== undefined)
    throw new UsageError('give either a merchant or --group, not both');
  const period = second ?? first;
  if (periodKind(period) === undefined) {
    throw new UsageError(
      `give a date (2026-11-20), a month (2026-11) or a week (2026-W47). Given: "${shown(period, 40)}"`,
    );
  }
  if (group === undefined) {
    assertCode(first);
    return { owner: { merchantCode: first }, period };
  }
  if (!MERCHANT_CODE.test(group)) throw new UsageError(`"${shown(group, 80)}" cannot be the name of a group`);
  return { owner: { group }, period };
}

/** The fingerprint of a public key: PEM, or DER in base64 as `aws kms get-public-key` prints it. */
function fingerprintOf(file: string): string {
  const text = fileText(file, LARGEST_KEY)?.trim();
  if (text === undefined) throw new CommandError(`there is no file ${shown(file)}`);
  try {
    const key = text.startsWith('-----')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return fingerprint(key.export({ format: 'der', type: 'spki' }).toString('base64'));
  } catch (error) {
    throw new CommandError(`${shown(file)} has no public key: PEM, or DER in base64`, { cause: error });
  }
}

/** @throws {UsageError} when it is no number */
function revisionOf(given: string | undefined): number | undefined {
  if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given))
    throw new UsageError('--revision must be a number, such as 2');
  return given === undefined ? undefined : Number(given);
}

interface Found {
  /** `undefined`: the findings say why there is none. */
  evidence?: Evidence | undefined;
  findings: Finding[];
}

function readFile(file: string, { save, revision }: VerifyOptions): Found {
  if (save !== undefined || revision !== undefined)
    throw new UsageError('give a day or a period after the code, or leave out --save and --revision');
  const text = fileText(file, LARGEST_EVIDENCE);
  if (text === undefined)
    throw new CommandError(`there is no file ${shown(file)}: give a file, or a merchant's code and a day`);
  const evidence = readEvidence(text);
  if (evidence !== undefined) return { evidence, findings: [] };
  return { findings: [{ kind: 'wrong', object: file, what: 'is not a file of --save, or was changed' }] };
}

async function gather(
  context: CommandContext,
  page: PageId,
  { save, revision }: VerifyOptions,
): Promise<Found> {
  const number = revisionOf(revision);
  const { Gathering } = await import('./gather.ts');
  const stage = await context.stage();
  const gathering = new Gathering(stage.s3(), stage.bucket);
  const evidence = await gathering.evidence(page, number);
  if (save !== undefined && evidence !== undefined) writeFile(save, evidenceText(evidence));
  return { evidence, findings: gathering.findings };
}

/** What the evidence says, if nothing is wrong. */
function saidOf(evidence: Evidence) {
  const { page, path, proofs } = evidence;
  const { digest = '', files = [] } = sealedIn(page.text) ?? {};
  const counted = files.filter(({ key }) => key.endsWith('.jsonl.gz'));
  return {
    page: page.key,
    digest,
    rows: counted.reduce((sum, { rows }) => sum + rows, 0),
    provenOn: path.date,
    proofs: proofs.length,
    signedBy: signersOf(evidence),
  };
}

interface Said extends Partial<ReturnType<typeof saidOf>> {
  verdict: keyof typeof STATUS;
  findings: readonly Finding[];
}

const STATUS = { proven: 0, wrong: 1, unknown: 2 } as const;

function show(output: Output, said: Said, isKeyGiven: boolean): void {
  const { verdict, findings, page, digest = '', provenOn, rows = 0, proofs = 0, signedBy = [] } = said;
  const say = (style: 'green' | 'red' | 'yellow', text: string) => {
    output.line(output.style(style, shown(text, LONGEST_LINE)));
  };
  for (const { kind, object, what } of findings)
    say(kind === 'wrong' ? 'red' : 'yellow', `${object} ${what}.`);
  if (verdict === 'wrong' || page === undefined) return;
  const having = verdict === 'proven' && rows > 0 ? `, with these ${counted(rows, 'row')},` : '';
  say('green', `${page}${having} existed when the proof of ${provenOn} was signed.`);
  output.line(`Its digest begins with ${shown(digest.slice(0, SHORT), SHORT)}, as in its mail.`);
  output.line(
    `The chain has ${counted(proofs, 'proof')}, and none between the first and the last is missing.`,
  );
  const compare = isKeyGiven ? '' : '. Compare it with the one that was published, or give that with --key';
  output.line(`Signed by the key ${signedBy.join(' and ')}${compare}.`);
}

/** Does `daybook verify`. It only reads; with `save` it writes that file. */
export async function verify(
  context: CommandContext,
  first: string | undefined,
  second: string | undefined,
  options: VerifyOptions,
): Promise<ExitStatus> {
  if (first === undefined) throw new UsageError("give a file, or a merchant's code and a day or period");
  const trusted = options.key?.map(fingerprintOf);
  const page = askedPage(first, second, options.group);
  const { evidence, findings } =
    page === undefined ? readFile(first, options) : await gather(context, page, options);
  const all = [...findings, ...(evidence === undefined ? [] : checkEvidence(evidence, trusted))];
  const isWrong = all.some(({ kind }) => kind === 'wrong');
  const verdict = isWrong ? 'wrong' : all.length > 0 ? 'unknown' : 'proven';
  const said: Said = { verdict, ...(evidence && saidOf(evidence)), findings: all };
  context.output.result(said, () => show(context.output, said, trusted !== undefined));
  return STATUS[verdict];
}
