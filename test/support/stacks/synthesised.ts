import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { createDaybook } from '#lib/daybook-app.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { parseSettings, readSettings } from '#lib/settings.ts';
import type { Settings } from '#lib/settings.ts';
import { defined } from '#support/assertions/defined.ts';

const cdk = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../cdk.json'), 'utf8')));

/** Functions that do nothing, so that a template does not change with every line of code. */
export function stubFunctions(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-stubs-'));
  for (const name of Object.keys(FUNCTIONS)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), 'export const handler = async () => {};\n');
  }
  return folder;
}

export interface SynthesisedStage {
  settings: Settings;
  /** The template of each stack by its short name, such as `Functions`. */
  templates: Record<string, Template>;
  /** The template of the stack with that short name. Throws `Error` when the stage has no such stack. */
  template: (name: string) => Template;
}

/** A stage as its settings make it, under the flags of `cdk.json`. */
export function synthesise(
  stage: string,
  change: (settings: Settings) => void = () => undefined,
): SynthesisedStage {
  const settings = readSettings(stage);
  change(settings);
  const { stage: name, ...json } = settings;
  const app = new App({ context: cdk.context, outdir: mkdtempSync(join(tmpdir(), 'daybook-cdk-')) });
  createDaybook(app, parseSettings(name, json), stubFunctions());
  const templates = Object.fromEntries(
    app.node.children
      .filter((child): child is Stack => Stack.isStack(child))
      .map((stack) => [stack.stackName.split('-').at(-1) ?? '', Template.fromStack(stack)] as const),
  );
  const template = (short: string) => defined(templates[short], `the stack ${short}`);
  return { settings, templates, template };
}

export { cdk };
