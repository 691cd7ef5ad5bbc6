import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installRuntimeClient } from '#sandbox/lambda/index.ts';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { newDirectory } from '#support/machine.ts';

let folder: string;

beforeEach(() => {
  folder = newDirectory();
  vi.stubEnv('PATH', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Puts a program in the place of the machine's own. */
function program(name: string, ...lines: string[]): void {
  const file = join(folder, name);
  writeFileSync(file, `${['#!/bin/sh', ...lines].join('\n')}\n`);
  chmodSync(file, 0o755);
}

const install = () => installRuntimeClient(join(folder, 'client'));

describe('the client cannot be installed', () => {
  it('without npm', async () => {
    await expect(install()).rejects.toThrow(/^npm ci .* failed: spawn npm ENOENT$/);
  });

  it('without the registry', async () => {
    program('npm', 'echo "npm error code ENOTFOUND" >&2', 'exit 1');
    await expect(install()).rejects.toThrow(/^npm ci .* failed: npm error code ENOTFOUND$/);
  });

  it('without xz, which tar names', async () => {
    program('npm', `echo run >>"${folder}/npm.log"`);
    const said = 'tar (child): xz: Cannot exec: No such file or directory';
    program('tar', `echo "${said}" >&2`, 'echo "tar: Child returned status 2" >&2', 'exit 2');
    await expect(install()).rejects.toThrow(` failed: ${said}`);
    // What is half installed does not count.
    await expect(install()).rejects.toThrow(UnavailableError);
    expect(readFileSync(join(folder, 'npm.log'), 'utf8')).toBe('run\nrun\n');
  });
});
