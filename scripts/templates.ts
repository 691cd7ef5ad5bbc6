import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readFlags } from './command-line.ts';
import { UnavailableError, pythonEnvironment } from './python-environment.ts';
import { ACCEPTED } from './templates/accepted-findings.ts';
import { readReport } from './templates/checkov-report.ts';
import { compareFindings } from './templates/compare-findings.ts';
import { endWithout } from './without-tool.ts';

/*
 * Checks the templates of every stage with cfn-lint and checkov, which others wrote. Both are installed into a virtual
 * environment under .local/templates, which the next run uses again.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/templates');
const REQUIREMENTS = join(ROOT, 'scripts/template-requirements.txt');
const MOST_BYTES = 2 ** 28;

const began = Date.now();

function report(line: string): void {
  console.log(`templates: ${line}, after ${((Date.now() - began) / 1_000).toFixed(1)} s`);
}

/** Makes the templates of a stage anew. @returns their files */
function synthesise(stage: string): string[] {
  const output = join(HOME, 'cdk.out', stage);
  rmSync(output, { recursive: true, force: true });
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  const args = [cdk, 'synth', '--quiet', '-c', `stage=${stage}`, '-o', output];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the stage ${stage} cannot be synthesised`);
  const files = globSync('*.template.json', { cwd: output }).map((name) => join(output, name));
  report(`${files.length} stacks of the stage ${stage}`);
  return files;
}

function resourcesIn(file: string): number {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.keys(Resources).length;
}

/** `.cfnlintrc.yaml` says what is checked. @returns whether there is nothing to say */
async function passesCfnLint(programs: string, templates: readonly string[]): Promise<boolean> {
  const child = spawn(join(programs, 'cfn-lint'), ['--', ...templates], { cwd: ROOT, stdio: 'inherit' });
  await once(child, 'exit');
  report(child.exitCode === 0 ? 'cfn-lint has nothing to say' : 'cfn-lint FAILED');
  return child.exitCode === 0;
}

/** @returns whether all findings are accepted, and all accepted ones are found */
async function passesCheckov(programs: string, templates: readonly string[]): Promise<boolean> {
  const args = ['--framework', 'cloudformation', '--output', 'json', '--quiet', '--compact', '--soft-fail'];
  const { stdout } = await promisify(execFile)(
    join(programs, 'checkov'),
    [...args, '--skip-download', '--file', ...templates],
    { cwd: HOME, maxBuffer: MOST_BYTES },
  );
  const { findings, resources } = readReport(stdout);
  const expected = templates.reduce((sum, file) => sum + resourcesIn(file), 0);
  if (resources !== expected) throw new Error(`checkov saw ${resources} of ${expected} resources`);
  const wrong = compareFindings(findings, ACCEPTED);
  for (const line of wrong) console.error(line);
  report(
    `checkov found ${findings.length} in ${resources} resources: ${wrong.length === 0 ? 'accepted' : 'FAILED'}`,
  );
  return wrong.length === 0;
}

readFlags(`Checks the templates of every stage with cfn-lint and checkov. Needs Python 3; the first run installs both.

  npm run test:templates

A finding of checkov that stays gets an entry with its reason in scripts/templates/accepted-findings.ts.
It has no options.`);

const templates = globSync('*.json', { cwd: join(ROOT, 'lib/stages') })
  .toSorted()
  .flatMap((name) => synthesise(name.replace(/\.json$/, '')));
try {
  const programs = pythonEnvironment(join(HOME, 'python'), REQUIREMENTS);
  report('cfn-lint and checkov are installed');
  const passed = await Promise.all([passesCfnLint(programs, templates), passesCheckov(programs, templates)]);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  endWithout('templates', error, 'No other tool looked at them');
}
