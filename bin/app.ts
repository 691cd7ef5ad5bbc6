import { App } from 'aws-cdk-lib';
import { createDaybook } from '#lib/daybook-app.ts';
import { SettingsError, readSettings } from '#lib/settings.ts';

// `npx cdk deploy --all -c stage=prod`: the name of a file in lib/stages, or a path to your own file.
const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
try {
  createDaybook(app, readSettings(typeof stage === 'string' ? stage : 'dev'));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
