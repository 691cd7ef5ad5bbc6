import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Settings } from '#lib/settings.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const outputsSchema = z.record(z.string(), z.object({ Value: z.unknown() }));

/** Some outputs of a stage with other settings. The snapshots have all outputs of both stages. */
async function outputsWith(change: (settings: Settings) => void) {
  const { template } = await synthesise('prod', change);
  const outputs = outputsSchema.parse({
    ...template('Mail').findOutputs('*'),
    ...template('Functions').findOutputs('*'),
  });
  return ['OpsRecipients', 'CredentialsSecretPrefix', 'ServiceOrigins'].map((name) => outputs[name]?.Value);
}

it('the outputs leave out what a stage does not set, and list all values with commas between them', async () => {
  const bare = await outputsWith((changed) => {
    changed.ops.recipients = [];
    delete changed.credentials.prefix;
  });
  expect(bare).toEqual([undefined, undefined, 'https://api.payments.example.com']);
  const more = await outputsWith((changed) => {
    changed.ops.recipients = ['a@example.com', 'b@example.com'];
    changed.service.origins = ['https://one.example.com', 'https://two.example.com'];
  });
  expect(more).toEqual([
    'a@example.com,b@example.com',
    'daybook/prod/merchants/',
    'https://one.example.com,https://two.example.com',
  ]);
}, 180_000);
