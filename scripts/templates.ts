import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readOptions } from './command-line.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { ACCEPTED, compareFindings, readReport } from './templates/findings.ts';
import { withTool } from './outside-tool.ts';
import type { ToolRun } from './outside-tool.ts';

type Report = ToolRun['report'];

/*
 * Checks the templates of every stage with cfn-lint and checkov, which others wrote. Both are installed into a virtual
 * environment under .local/templates, which the next run uses again.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/templates');
const REQUIREMENTS = join(ROOT, 'scripts/template-requirements.txt');
const MOST_BYTES = 2 ** 28;

function synthesise(stage: string, report: Report): string[] {
  const output = join(HOME, 'cdk.out', stage);
  rmSync(output, { recursive: true, force: true });
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  const context = ['-c', `stage=${stage}`, '-c', 'example=true'];
  const args = [cdk, 'synth', '--quiet', ...context, '-o', output];
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
async function passesCfnLint(
  programs: string,
  templates: readonly string[],
  report: Report,
): Promise<boolean> {
  const child = spawn(join(programs, 'cfn-lint'), ['--', ...templates], { cwd: ROOT, stdio: 'inherit' });
  await once(child, 'exit');
  report(child.exitCode === 0 ? 'cfn-lint has nothing to say' : 'cfn-lint FAILED');
  return child.exitCode === 0;
}

/** @returns whether all findings are accepted, and all accepted ones are found */
async function passesCheckov(
  programs: string,
  templates: readonly string[],
  report: Report,
): Promise<boolean> {
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

const usage = `Checks the templates of every stage with cfn-lint and checkov. Needs Python 3; the first run installs both.

  npm run test:templates

A finding of checkov that stays gets an entry with its reason in scripts/templates/findings.ts.
It has no options.`;
readOptions(usage, {});
await withTool({ name: 'templates', usage, skipped: 'No other tool looked at them' }, async ({ report }) => {
  const templates = globSync('*.json', { cwd: join(ROOT, 'lib/stages') })
    .toSorted()
    .flatMap((name) => synthesise(name.replace(/\.json$/, ''), report));
  const programs = await pythonEnvironment(join(HOME, 'python'), REQUIREMENTS);
  report('cfn-lint and checkov are installed');
  const passed = await Promise.all([
    passesCfnLint(programs, templates, report),
    passesCheckov(programs, templates, report),
  ]);
  return passed.every(Boolean) ? 0 : 1;
});
