import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { App, Stack } from 'aws-cdk-lib';
import { createDaybook } from '#lib/daybook-app.ts';
import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import { type Settings, parseSettings, readSettings } from '#lib/settings.ts';
import { hashOfFiles } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/index.ts';

/** The properties of every resource of a type, by logical id, in the shape that the schema says. */
export function propertiesOf<T>(template: Template, type: string, schema: z.ZodType<T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, resource]) => [
      id,
      schema.parse(resource['Properties']),
    ]),
  );
}

const { context } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../cdk.json'), 'utf8')));

/** Functions that do nothing, so that a template does not change with every line of code. */
function stubFunctions(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-stubs-'));
  for (const name of Object.keys({ ...FUNCTIONS, ...OPTIONAL_FUNCTIONS })) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), code);
  }
  return folder;
}

/** Under the flags of `cdk.json`. `code`: of every function. `outdir`: of assets. Returns JSON by short stack name. */
export function synthesiseAnew(
  settings: Settings,
  code = 'export const handler = async () => {};\n',
  outdir = mkdtempSync(join(tmpdir(), 'daybook-cdk-')),
): Record<string, unknown> {
  const app = new App({ context, outdir });
  createDaybook(app, settings, stubFunctions(code));
  return Object.fromEntries(
    app.node.children
      .filter((child): child is Stack => Stack.isStack(child))
      .map((stack) => [stack.stackName.split('-').at(-1) ?? '', Template.fromStack(stack).toJSON()]),
  );
}

const ROOT = resolve(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/daybook-stacks');
/** What templates are made from. The stacks import names of keys and the like from the functions. */
const SOURCES = [
  '{lib,functions}/**/*.{ts,json,sql}',
  'events/**/*.json',
  'test/support/stacks/synthesised.ts',
  'cdk.json',
  'package.json',
  'package-lock.json',
];

const templatesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

export interface SynthesisedStage {
  settings: Settings;
  /** The template of each stack by its short name, such as `Functions`. */
  templates: Record<string, Template>;
  /** The template of the stack with that short name. Throws `Error` when the stage has no such stack. */
  template: (name: string) => Template;
}

/** Where the templates of these settings stay: files of other sources are removed. */
function fileOf(settings: Settings): string {
  const sources = hashOfFiles(ROOT, SOURCES);
  mkdirSync(join(CACHE, sources), { recursive: true });
  for (const name of readdirSync(CACHE)) {
    if (name !== sources) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
  const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  return join(CACHE, sources, `${hash}.json`);
}

/**
 * A stage as its settings make it, under the flags of `cdk.json`. A synth and its checks take seconds, so what came of one is
 * kept for all files and later runs, until a source of the stacks changes. A synth that fails is not kept.
 */
export async function synthesise(
  stage: string,
  change: (settings: Settings) => void = () => undefined,
): Promise<SynthesisedStage> {
  const settings = readSettings(stage);
  change(settings);
  const { stage: name, ...json } = settings;
  const file = fileOf(settings);
  if (!existsSync(file)) {
    const { synthesiseAnew } = await import('./synthesised.ts');
    const text = JSON.stringify(synthesiseAnew(parseSettings(name, json)));
    // Another process may read or write the same at this moment.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  const kept = templatesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const templates = Object.fromEntries(
    Object.entries(kept).map(([stack, template]) => [stack, Template.fromJSON(template)]),
  );
  const template = (short: string) => defined(templates[short], `the stack ${short}`);
  return { settings, templates, template };
}
