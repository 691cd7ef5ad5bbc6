import { createPublicKey } from 'node:crypto';
import { lineOf, readLine } from '#page/prove/proof.ts';
import { MERCHANT_CODE, type PageId } from '#records/storage/keys.ts';
import { periodKind } from '#records/period/period.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import { assertCode } from '../stage/known-names.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { counted, shown } from '../terminal/shown-text.ts';
import { checkEvidence, evidenceSchema, fingerprint, gatherEvidence } from './evidence.ts';
import { sealedIn, signersOf, type Evidence, type Finding } from './evidence.ts';

interface VerifyOptions {
  group?: string;
  revision?: number;
  save?: string;
  /** Files with public keys in PEM. */
  key?: readonly string[];
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
  const kinds = 'a date (2026-11-20), a month (2026-11) or a week (2026-W47)';
  if (periodKind(period) === undefined) throw new UsageError(`give ${kinds}. Given: "${shown(period, 40)}"`);
  if (group === undefined) assertCode(first);
  else if (!MERCHANT_CODE.test(group))
    throw new UsageError(`"${shown(group, 80)}" cannot be the name of a group`);
  return { owner: group === undefined ? { merchantCode: first } : { group }, period };
}

function fingerprintOf(file: string): string {
  const text = fileText(file, LARGEST_KEY);
  if (text === undefined) throw new CommandError(`there is no file ${shown(file)}`);
  try {
    const key = createPublicKey(text).export({ format: 'der', type: 'spki' });
    return fingerprint(key.toString('base64'));
  } catch (error) {
    throw new CommandError(`${shown(file)} has no public key in PEM`, { cause: error });
  }
}

function readFile(file: string, { save, revision }: VerifyOptions) {
  if (save !== undefined || revision !== undefined)
    throw new UsageError('give a day or a period after the code, or leave out --save and --revision');
  const text = fileText(file, LARGEST_EVIDENCE);
  if (text === undefined)
    throw new CommandError(`there is no file ${shown(file)}: give a file, or a merchant's code and a day`);
  const evidence = readLine(evidenceSchema, text);
  const what = 'is not a file of --save, or was changed';
  const findings: Finding[] = evidence === undefined ? [{ kind: 'wrong', object: file, what }] : [];
  return { evidence, findings };
}

/** What the evidence says, if nothing is wrong. */
function saidOf(evidence: Evidence) {
  const { page, path, proofs } = evidence;
  const { digest, files } = sealedIn(page.text);
  const rows = files.reduce((sum, file) => sum + (file.key.endsWith('.jsonl.gz') ? file.rows : 0), 0);
  const found = { provenOn: path.date, proofs: proofs.length, signedBy: signersOf(evidence) };
  return { page: page.key, digest, rows, ...found };
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
    page === undefined
      ? readFile(first, options)
      : await gatherEvidence(await context.stage(), page, options.revision);
  if (evidence !== undefined) {
    if (options.save !== undefined) writeFile(options.save, lineOf(evidence));
    findings.push(...checkEvidence(evidence, trusted));
  }
  const isWrong = findings.some(({ kind }) => kind === 'wrong');
  const isProven = findings.length === 0;
  const verdict = isWrong ? 'wrong' : isProven ? 'proven' : 'unknown';
  const said = evidence && saidOf(evidence);
  const { output } = context;
  output.result({ verdict, ...said, findings }, () => {
    const say = (style: 'green' | 'red' | 'yellow', text: string) => {
      output.line(output.style(style, shown(text, LONGEST_LINE)));
    };
    for (const { kind, object, what } of findings)
      say(kind === 'wrong' ? 'red' : 'yellow', `${object} ${what}.`);
    if (said === undefined || isWrong) return;
    const having = isProven && said.rows > 0 ? `, with these ${counted(said.rows, 'row')},` : '';
    say('green', `${said.page}${having} existed when the proof of ${said.provenOn} was signed.`);
    output.line(`Its digest begins with ${shown(said.digest.slice(0, SHORT))}, as in its mail.`);
    const chain = `The chain has ${counted(said.proofs, 'proof')}`;
    output.line(`${chain}, and none between the first and the last is missing.`);
    const compare = trusted ? '' : '. Compare it with the one that was published, or give that with --key';
    output.line(`Signed by the key ${said.signedBy.join(' and ')}${compare}.`);
  });
  if (isWrong) return 1;
  return isProven ? 0 : 2;
}
