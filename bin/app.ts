import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { createDaybook } from '#lib/daybook-app.ts';
import { SettingsError, assertOwnSettings, readSettings } from '#lib/settings.ts';

const BUILD = resolve(import.meta.dirname, '../scripts/build.ts');

/**
 * Builds the functions. CDK's own `build` would run before the stage is known to be right. What the build prints goes to
 * stderr, because `cdk synth` of one stack prints its template.
 *
 * @returns whether they were built; the build itself says what is wrong
 */
function buildFunctions(): boolean {
  const { status } = spawnSync(process.execPath, [BUILD, '--sizes-only'], { stdio: ['ignore', 2, 2] });
  return status === 0;
}

// `npx cdk deploy --all -c stage=prod`: the name of a file in lib/stages, or a path to your own file.
const app = new App({ autoSynth: false });
try {
  const settings = readSettings(app.node.tryGetContext('stage'));
  if (app.node.tryGetContext('example') === undefined) assertOwnSettings(settings);
  if (buildFunctions()) {
    createDaybook(app, settings);
    app.synth();
  } else {
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
