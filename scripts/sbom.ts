import { execFileSync } from 'node:child_process';
import * as z from 'zod';
import { readOptions } from './command-line.ts';
import { rootFile, shippedPackages } from './supply-chain.ts';

const billSchema = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
});

readOptions(
  'npm run sbom\n\nPrints a CycloneDX bill of materials of the packages that are deployed with the functions. It has no options.',
  {},
);
// Not `--omit dev`: that also leaves out what a package for development needs besides the functions, such as most of the AWS SDK.
const stdout = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const bill = billSchema.parse(JSON.parse(stdout));
const lock = await rootFile('package-lock.json');
const shipped = new Set(shippedPackages(lock).map(({ name, version = '' }) => `${name}@${version}`));
const components = bill.components.filter((component) => shipped.has(component['bom-ref']));
const root = bill.metadata.component['bom-ref'];
const dependencies = bill.dependencies
  .filter(({ ref }) => ref === root || shipped.has(ref))
  .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => shipped.has(ref)) }));
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2));
