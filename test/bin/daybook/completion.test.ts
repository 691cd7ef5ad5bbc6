import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript } from '#bin/daybook/completion/completion-script.ts';
import { runCommand } from '#support/command/run-command.ts';

const COMMAND = resolve(import.meta.dirname, '../../../bin/daybook.mjs');

const SHELLS = ['bash', 'zsh', 'fish'] as const;

function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', 'exit 0']).status === 0;
}

let directory: string;
beforeAll(() => {
  // What a path may have that a shell reads in another way.
  directory = mkdtempSync(join(tmpdir(), "daybook it's $HOME "));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Presses TAB in a bash that has read the script. The last word is the one that is typed. */
function tab(script: string, words: readonly string[]): string[] {
  const file = join(directory, 'script.bash');
  writeFileSync(file, script);
  const press = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _daybook_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', press, 'bash', file, 'daybook', ...words], {
    cwd: directory,
    encoding: 'utf8',
  });
  return printed.split('\n').filter((line) => line !== '');
}

describe.skipIf(!hasShell('bash'))('the script for bash', () => {
  it('completes commands, options, stages, functions and samples', async () => {
    const { code, stdout, stderr } = await runCommand(['completion', 'bash']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(tab(stdout, ['stat'])).toEqual(['status', 'statement']);
    expect(tab(stdout, ['suppression', ''])).toEqual(['list', 'add', 'remove']);
    expect(tab(stdout, ['status', '--stage', ''])).toEqual(['dev', 'prod']);
    expect(tab(stdout, ['invoke', 'mail-e'])).toEqual(['mail-events']);
    expect(tab(stdout, ['invoke', 'mail-events', 'd'])).toEqual(['delivered']);
  });

  it('completes merchants of a registry that was pulled, and of the local run', () => {
    const registry = (code: string) => JSON.stringify({ merchants: [{ merchantCode: code }, 'no merchant'] });
    writeFileSync(join(directory, 'merchants.json'), registry('700001'));
    const script = completionScript('bash');
    expect(tab(script, ['why', '7'])).toEqual(['700001']);
    expect(tab(script, ['backfill', '--merchant', ''])).toEqual(['700001']);
    expect(tab(script, ['--local', 'why', '7'])).toEqual([]);
    writeFileSync(join(directory, 'merchants.json'), '{');
    expect(tab(script, ['why', '7'])).toEqual([]);
    rmSync(join(directory, 'merchants.json'));
    execFileSync('mkdir', ['-p', join(directory, 'run/s3/daybook/config')]);
    writeFileSync(join(directory, 'run/s3/daybook/config/merchants.json'), registry('700009'));
    expect(tab(script, ['why', '--local', '--directory', 'run', '7'])).toEqual(['700009']);
  });

  it('neither runs nor overwrites anything that is only typed', () => {
    const kept = join(directory, 'kept.txt');
    const ran = join(directory, 'ran');
    writeFileSync(kept, 'kept');
    const script = completionScript('bash');
    expect(tab(script, ['status', '--json', '>', kept, '--al'])).toEqual(['--all']);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    tab(script, ['why', `$(touch '${ran}')`, ';', `touch '${ran}'`, '']);
    tab(script, ['why', `$(touch '${ran}')`]);
    expect(existsSync(ran)).toBe(false);
  });

  it('works from a path with spaces and quotes', () => {
    const link = join(directory, "it's daybook.mjs");
    symlinkSync(COMMAND, link);
    expect(tab(completionScript('bash', process.execPath, link), ['stat'])).toEqual(['status', 'statement']);
  });
});

describe('the scripts for other shells', () => {
  it.each(['zsh', 'fish', 'powershell'] as const)('call the command by its path: %s', async (shell) => {
    const { code, stdout } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toBe(completionScript(shell));
    expect(stdout).toContain(`'${COMMAND}' complete "--current=`);
    // These evaluate a text.
    expect(stdout).not.toMatch(/\beval\b|Invoke-Expression/);
  });

  it.for(SHELLS.filter(hasShell))('can be read: %s', (shell) => {
    const file = join(directory, `script.${shell}`);
    writeFileSync(file, completionScript(shell));
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('escape quotes in the path as each shell wants it', () => {
    const path = "/it's/daybook.mjs";
    expect(completionScript('zsh', 'node', path)).toContain(String.raw`'/it'\''s/daybook.mjs'`);
    expect(completionScript('fish', 'node', path)).toContain(String.raw`'/it\'s/daybook.mjs'`);
    expect(completionScript('powershell', 'node', path)).toContain("'/it''s/daybook.mjs'");
  });

  it('end with 2 for a shell that is not known', async () => {
    const run = await runCommand(['completion', 'powershel']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('(Did you mean powershell?)');
  });
});
