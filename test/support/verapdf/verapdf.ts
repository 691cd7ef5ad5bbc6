import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { MAY_SKIP } from '../machine.ts';

const run = promisify(execFile);
const POM = join(import.meta.dirname, 'pom.xml');
const PROGRAM = join(import.meta.dirname, 'Check.java');
const HOME = join(import.meta.dirname, '../../../.local/verapdf');

function runs(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** Whether veraPDF can be installed; in continuous integration it must be. */
export const HAS_VERAPDF = !MAY_SKIP || (runs('mvn') && runs('javac'));

if (!HAS_VERAPDF) {
  process.stderr.write('Maven or a JDK is not installed: no document is checked by veraPDF\n');
}

/** Installs veraPDF from Maven, 20 MB, when no earlier run has. @returns the folder of its jars */
async function install(): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(POM)).digest('hex');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(HOME, 'installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return HOME;
  rmSync(HOME, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${HOME}`];
  await run('mvn', ['--batch-mode', '--quiet', '--file', POM, ...goal]);
  writeFileSync(mark, wanted);
  return HOME;
}

const verdictSchema = z.object({
  checks: z.number(),
  /** The numbers of the rules that the file breaks, as veraPDF lists them. */
  broken: z.array(z.string()),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** @param files each with its flavour: `2a` is PDF/A-2a, `ua1` is PDF/UA-1 */
export async function verdictsOf(
  files: readonly { file: string; flavour: '2a' | 'ua1' }[],
): Promise<Verdict[]> {
  const jars = join(await install(), '*');
  const given = files.flatMap(({ file, flavour }) => [flavour, file]);
  const { stdout } = await run('java', ['-cp', jars, PROGRAM, ...given]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => verdictSchema.parse(JSON.parse(line)));
}
