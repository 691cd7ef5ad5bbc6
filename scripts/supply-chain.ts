import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { readOptions } from './command-line.ts';

const ROOT = resolve(import.meta.dirname, '..');
export const LICENCES = resolve(ROOT, 'docs/licences.md');

/** Licences that only ask to keep their text. OFL-1.1 is for fonts: documents that use a font are free of it. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT AND OFL-1.1',
]);

/** Packages whose package.json names no licence, and what their file LICENSE says. A later version is looked at again. */
export const LICENCES_IN_FILES: ReadonlyMap<string, string> = new Map([['png-js@2.0.0', 'MIT']]);

const packageSchema = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  /** Node itself for one kind of machine. Only the scripts use it; no function contains it. */
  optional: z.boolean().default(false),
  link: z.boolean().default(false),
  /** A part of another package's archive. That archive's hash covers it. */
  inBundle: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });
const manifestSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

type LockedPackage = z.infer<typeof packageSchema> & { name: string; place: string };

function packagesOf(lock: unknown): LockedPackage[] {
  return Object.entries(lockSchema.parse(lock).packages)
    .filter(([place]) => place !== '')
    .map(([place, locked]) => {
      const name = place.replace(/^.*node_modules\//, '');
      const inFile = LICENCES_IN_FILES.get(`${name}@${locked.version ?? ''}`);
      return { ...locked, place, name, license: locked.license ?? inFile };
    });
}

/** The packages that are deployed with the functions: all except development and optional dependencies. */
export function shippedPackages(lock: unknown): LockedPackage[] {
  return packagesOf(lock).filter(({ dev, optional }) => !dev && !optional);
}

function faultsOf(locked: LockedPackage, allowed: ReadonlySet<string>): string[] {
  const { name, integrity, resolved, inBundle, link, dev, optional, license, hasInstallScript } = locked;
  const faults: string[] = [];
  if (link || (!inBundle && !/^sha512-/.test(integrity ?? ''))) faults.push('is not pinned by a SHA-512');
  if (resolved !== undefined && !resolved.startsWith('https://'))
    faults.push('does not come from a registry');
  if (hasInstallScript && !allowed.has(name))
    faults.push('runs an install script that allowScripts does not allow');
  if (!dev && !optional && !ALLOWED_LICENCES.has(license ?? '')) {
    faults.push(`ships under ${license ?? 'no licence'}, which is not among those allowed`);
  }
  return faults.map((fault) => `${locked.place} ${fault}`);
}

/** The problems of the dependencies, one line each. `lock`, `manifest`: package-lock.json and package.json, parsed. */
export function supplyChainFaults(lock: unknown, manifest: unknown): string[] {
  const scripts = Object.entries(manifestSchema.parse(manifest).allowScripts);
  const allowed = new Set(scripts.filter(([, isAllowed]) => isAllowed).map(([name]) => name));
  const packages = packagesOf(lock);
  const needed = new Set(packages.filter((locked) => locked.hasInstallScript).map(({ name }) => name));
  const idle = [...allowed.difference(needed)].map(
    (name) => `allowScripts allows ${name}, which has no install script`,
  );
  return [...packages.flatMap((locked) => faultsOf(locked, allowed)), ...idle];
}

/** The page of the licences of deployed packages, from the lockfile. */
export async function licencesPage(lock: unknown): Promise<string> {
  const byLicence = Map.groupBy(shippedPackages(lock), ({ license = '' }) => license);
  const sections = [...byLicence].sort().map(([licence, packages]) => {
    const names = packages.map(({ name, version = '' }) => `- \`${name}\` ${version}`);
    return [`## ${licence}`, [...new Set(names)].sort().join('\n')].join('\n\n');
  });
  const text = [
    '# Licences',
    'For reviewers who must know the licences of the deployed packages.',
    '',
    'Development and optional dependencies are not deployed.',
    `\`npm run licences\` writes this page, and a test checks it. The allowed licences are ${[...ALLOWED_LICENCES].sort().join(', ')}.`,
    '',
    'The repository itself holds one work of others, which is not deployed: [the schema of the Open Data Contract Standard](../test/fixtures/odcs/README.md), under Apache-2.0.',
    '',
    sections.join('\n\n'),
  ].join('\n');
  return format(text, { ...(await resolveConfig(LICENCES)), filepath: LICENCES });
}

/** A file of the repository's root, parsed. */
export async function rootFile(name: 'package.json' | 'package-lock.json'): Promise<unknown> {
  return JSON.parse(await readFile(resolve(ROOT, name), 'utf8'));
}

if (import.meta.main) {
  readOptions(
    'npm run licences\n\nWrites docs/licences.md: the licence of each shipped package. Prints the problems of the dependencies. It has no options.',
    {},
  );
  const lock = await rootFile('package-lock.json');
  await writeFile(LICENCES, await licencesPage(lock));
  const faults = supplyChainFaults(lock, await rootFile('package.json'));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
