import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  LICENCES,
  LICENCES_IN_FILES,
  licencesPage,
  rootFile,
  shippedPackages,
  supplyChainFaults,
} from '#scripts/supply-chain.ts';
import * as z from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');
const lock = z
  .looseObject({ packages: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(await rootFile('package-lock.json'));
const manifest = await rootFile('package.json');

function changed(place: string, change: Record<string, unknown>): unknown {
  const packages = { ...lock.packages, [place]: { ...lock.packages[place], ...change } };
  return { ...lock, packages };
}

describe('dependencies', () => {
  it('are pinned by hashes, run only allowed scripts, and have allowed licences', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(supplyChainFaults(lock, manifest)).toEqual([]);
  });

  it.each([
    ['node_modules/zod', { integrity: undefined }, 'is not pinned by a SHA-512'],
    ['node_modules/zod', { integrity: 'sha1-abc' }, 'is not pinned by a SHA-512'],
    ['node_modules/zod', { link: true }, 'is not pinned by a SHA-512'],
    ['node_modules/zod', { resolved: 'git+ssh://git@example.com/x.git' }, 'does not come from a registry'],
    ['node_modules/zod', { resolved: 'http://example.com/x.tgz' }, 'does not come from a registry'],
    ['node_modules/zod', { hasInstallScript: true }, 'runs an install script'],
    ['node_modules/vitest', { hasInstallScript: true }, 'runs an install script'],
    ['node_modules/new', { integrity: 'sha512-x', license: 'AGPL-3.0' }, 'ships under AGPL-3.0'],
    ['node_modules/zod', { license: undefined }, 'ships under no licence'],
  ])('are reported when %s is changed to %j', (place, change, fault) => {
    const faults = supplyChainFaults(changed(place, change), manifest);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults[0]).toContain(place);
  });

  it('are reported when they may run scripts and have none', () => {
    expect(supplyChainFaults(lock, { allowScripts: { esbuild: true, left: true } })).toEqual([
      'allowScripts allows left, which has no install script',
    ]);
    expect(supplyChainFaults(lock, { allowScripts: { esbuild: false } })).toHaveLength(1);
  });

  it.each([...LICENCES_IN_FILES])('name their licence in a file: %s is %s', async (name, licence) => {
    const folder = resolve(ROOT, 'node_modules', name.replace(/@[^@]+$/, ''));
    expect(await readFile(resolve(folder, 'LICENSE'), 'utf8')).toMatch(new RegExp(`^${licence} License`));
  });

  it('are installed only from the lockfile in .ci/run', async () => {
    const steps = await readFile(resolve(ROOT, '.ci/run'), 'utf8');
    expect(steps).toMatch(/^step npm ci$/m);
    expect(steps).not.toMatch(/npm (i|install|add|update)\b|npx (-y|--yes)/);
  });
});

it('the page of licences agrees with the lockfile (npm run licences writes it)', async () => {
  expect(await readFile(LICENCES, 'utf8')).toBe(await licencesPage(lock));
});

const billSchema = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.unknown()).optional(),
      licenses: z.array(z.unknown()).optional(),
    }),
  ),
});

it(
  'the bill of materials names every shipped package with its hash and licence',
  { timeout: 60_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.ts'], {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { components } = billSchema.parse(JSON.parse(stdout));
    const named = components.map(({ name, version }) => `${name}@${version}`);
    const shipped = shippedPackages(lock).map(({ name, version = '' }) => `${name}@${version}`);
    expect(named.sort()).toEqual([...new Set(shipped)].sort());
    expect(named).toContainEqual(expect.stringMatching(/^@aws-sdk[/]core@/));
    for (const { name, version, hashes, licenses } of components) {
      expect(hashes, name).toHaveLength(1);
      if (!LICENCES_IN_FILES.has(`${name}@${version}`)) expect(licenses, name).toHaveLength(1);
    }
  },
);
