import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { createDaybook } from '#lib/daybook-app.ts';
import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import type { Settings } from '#lib/settings.ts';

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
