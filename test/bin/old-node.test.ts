import { execFile, execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Where a machine has a Node of its own, or where `OLD_NODE` says that an old one is. */
const PLACES = [process.env['OLD_NODE'], '/usr/bin/node', '/usr/local/bin/node'];
/** A Node that cannot read TypeScript. */
const oldNode = PLACES.find((place) => {
  if (place === undefined || !existsSync(place)) return false;
  return Number.parseInt(execFileSync(place, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) < 22;
});

/** A process that is this Node and says that it is an older one. */
const PRETENDING = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.2'}})`;

function run(node: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(node, args, { cwd: ROOT, timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

const SAYS =
  /^This needs Node 24, and it was started with Node 20\.\d+\.\d+\. Start it with "npm start" [^\n]+\n$/;

describe.each(['bin/local.ts', 'bin/mail-preview.ts'])('node %s', (entry) => {
  it('leads to JavaScript, which a Node without TypeScript gets as far as', () => {
    expect(lstatSync(join(ROOT, entry)).isSymbolicLink()).toBe(true);
    expect(realpathSync(join(ROOT, entry))).toMatch(/\.mjs$/);
  });

  it('says which Node it needs and how to get it, in one line', async () => {
    const { code, stdout, stderr } = await run(process.execPath, '--import', PRETENDING, entry);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(SAYS);
  });

  it.skipIf(oldNode === undefined)('says so on a real one', async () => {
    const { code, stdout, stderr } = await run(oldNode!, entry);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^This needs Node 24, and it was started with Node \d+\.\d+\.\d+\. [^\n]+\n$/);
  });
});

it('needs the Node that comes with the install', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies['node']).toMatch(/^\^24\./);
});
