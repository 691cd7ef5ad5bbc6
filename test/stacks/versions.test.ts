import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { readSettings } from '#lib/settings.ts';
import { synthesiseAnew, synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const functions = template('Functions');

/** The logical ids of the versions: a new id is a new version. */
function versionsOf(stack: Template): string[] {
  return Object.keys(stack.findResources('AWS::Lambda::Version'));
}

describe('a deploy', () => {
  it('of other code makes other versions', () => {
    const anew = synthesiseAnew(readSettings('prod'), 'export const handler = async () => "other";\n');
    const other = Template.fromJSON(z.record(z.string(), z.unknown()).parse(anew['Functions']));
    expect(new Set(versionsOf(other)).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
  }, 180_000);

  it('of a setting of the functions makes other versions as well', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.deadlines.deliveryMinutes += 1;
    });
    const now = versionsOf(changed.template('Functions'));
    expect(new Set(now).isDisjointFrom(new Set(versionsOf(functions)))).toBe(true);
  }, 180_000);

  it('of anything else makes none: Lambda refuses a version that equals the last one', async () => {
    const changed = await synthesise('prod', (settings) => {
      settings.lake.scanLimit += 1;
      settings.retention.accessLogDays += 1;
      settings.schedules.daily = 'cron(0/20 * * * ? *)';
    });
    expect(versionsOf(changed.template('Functions'))).toEqual(versionsOf(functions));
  }, 180_000);
});
