import { createPublicKey } from 'node:crypto';
import { readProof } from '#proofs/proof.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import { periodKind } from '#records/period/period.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import { assertCode } from '../stage/known-names.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { counted, shown } from '../terminal/shown-text.ts';
import { checkEvidence, evidenceText, fingerprint, readEvidence, sealedIn } from './evidence.ts';
import type { Evidence, Findings } from './evidence.ts';

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

function revisionOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError('--revision must be a number, such as 2');
  return Number(given);
}

/** Reads the evidence from a file, or from a stage. `undefined`: the findings say why there is none. */
async function evidenceOf(
  context: CommandContext,
  words: readonly [string, string | undefined],
  { group, revision, save }: VerifyOptions,
): Promise<{ evidence: Evidence | undefined; findings: Findings }> {
  const page = askedPage(...words, group);
  const none: Findings = { wrong: [], missing: [] };
  if (page === undefined) {
    const [file] = words;
    if (save !== undefined || revision !== undefined)
      throw new UsageError(`give a day or a period after the code, or leave out --save and --revision`);
    const text = fileText(file, LARGEST_EVIDENCE);
    if (text === undefined) {
      throw new CommandError(`there is no file ${shown(file)}: give a file, or a merchant's code and a day`);
    }
    const evidence = readEvidence(text);
    const what = 'is not a file of --save, or was changed';
    return { evidence, findings: evidence ? none : { ...none, wrong: [{ object: file, what }] } };
  }
  const { Gathering } = await import('./gather.ts');
  const stage = await context.stage();
  const gathering = new Gathering(stage.s3(), stage.bucket);
  const evidence = await gathering.evidence(page, revisionOf(revision));
  if (save !== undefined && evidence !== undefined) writeFile(save, evidenceText(evidence));
  return { evidence, findings: gathering.findings };
}

function verdictOf({ wrong, missing }: Findings): 'proven' | 'wrong' | 'unknown' {
  if (wrong.length > 0) return 'wrong';
  return missing.length > 0 ? 'unknown' : 'proven';
}

const STATUS = { proven: 0, wrong: 1, unknown: 2 } as const;

/** What the evidence says, if nothing is wrong. */
function saidOf({ page, path, proofs }: Evidence) {
  const last = proofs.at(-1);
  const { publicKey = '' } = (last && readProof(last.text)) ?? {};
  const { digest = '', files = [] } = sealedIn(page.text) ?? {};
  return {
    page: page.key,
    digest,
    rows: files.filter(({ key }) => key.endsWith('.jsonl.gz')).reduce((sum, { rows }) => sum + rows, 0),
    provenOn: path.date,
    proofs: proofs.length,
    signedBy: fingerprint(publicKey),
  };
}

interface Said extends Partial<ReturnType<typeof saidOf>>, Findings {
  verdict: ReturnType<typeof verdictOf>;
}

function show(output: Output, said: Said, isKeyGiven: boolean): void {
  const { verdict, wrong, missing, page, digest = '', provenOn, rows, proofs = 0, signedBy } = said;
  for (const { object, what } of wrong)
    output.line(output.style('red', shown(`${object} ${what}.`, LONGEST_LINE)));
  for (const { object, what } of missing)
    output.line(output.style('yellow', shown(`${object} ${what}.`, LONGEST_LINE)));
  if (verdict === 'wrong' || page === undefined) return;
  const having = verdict === 'proven' && rows !== 0 ? `, with these ${counted(rows ?? 0, 'row')},` : '';
  output.line(
    output.style(
      'green',
      shown(`${page}${having} existed when the proof of ${provenOn} was signed.`, LONGEST_LINE),
    ),
  );
  output.line(`Its digest begins with ${shown(digest.slice(0, SHORT), SHORT)}, as in its mail.`);
  output.line(
    `The chain has ${counted(proofs, 'proof')}, and none between the first and the last is missing.`,
  );
  const compare = isKeyGiven ? '' : '. Compare it with the one that was published, or give that with --key';
  output.line(`All are signed by the key ${signedBy}${compare}.`);
}

/** Does `daybook verify`. It only reads; with `save` it writes that file. */
export async function verify(
  context: CommandContext,
  first: string | undefined,
  second: string | undefined,
  options: VerifyOptions,
): Promise<ExitStatus> {
  if (first === undefined) throw new UsageError("give a file, or a merchant's code and a day or period");
  const trusted = options.key && new Set(options.key.map(fingerprintOf));
  const { evidence, findings } = await evidenceOf(context, [first, second], options);
  const checked = evidence === undefined ? findings : checkEvidence(evidence, trusted);
  const all: Findings =
    checked === findings
      ? findings
      : {
          wrong: [...findings.wrong, ...checked.wrong],
          missing: [...findings.missing, ...checked.missing],
        };
  const verdict = verdictOf(all);
  const said: Said = { verdict, ...(evidence && saidOf(evidence)), ...all };
  context.output.result(said, () => show(context.output, said, trusted !== undefined));
  return STATUS[verdict];
}
