import { App, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { dirname, resolve } from 'node:path';
import { createDaybook } from '#lib/daybook-app.ts';
import { readSettings } from '#lib/settings.ts';
import type { Settings } from '#lib/settings.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { cdk } from './cdk-json.ts';

/**
 * Writes the templates of a stage and the built functions, for an account that was never bootstrapped. The assets are for a
 * bucket `assets`.
 *
 * @param directory where they are written; a folder that is not there yet
 */
export async function writeAssembly(
  directory: string,
  stage: string,
  change: (settings: Settings) => void,
): Promise<void> {
  const { files } = await cachedBuild();
  const [bundle = ''] = files.values();
  const settings = readSettings(stage);
  change(settings);
  const app = new App({
    context: cdk.context,
    outdir: resolve(directory),
    defaultStackSynthesizer: new DefaultStackSynthesizer({
      fileAssetsBucketName: 'assets',
      generateBootstrapVersionRule: false,
    }),
  });
  createDaybook(app, settings, dirname(dirname(bundle)));
  app.synth();
}
