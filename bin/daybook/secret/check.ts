import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { SecretCache } from '#service/authentication/secrets-manager-reader.ts';
import { secretName } from '#service/with-merchant-client.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { readRegistry } from '../registry/stored-registry.ts';
import type { Stage } from '../stage/stage.ts';
import { assertKnownMerchant } from '../stage/known-names.ts';
import { forEach } from '../terminal/for-each.ts';
import { shown } from '../terminal/shown-text.ts';
import { prove, secretSettings } from './merchant-secret.ts';
import type { Proof } from './merchant-secret.ts';

/** UTF-16 units of what is wrong. The service's own words may be in it. */
const LONGEST_LINE = 500;

function inWord(proof: Proof): string {
  return proof.serves ? 'serves' : proof.error;
}

/**
 * What became of a merchant's values: `current`, and `previous` if there are values before a rotation, are `serves` or the name
 * of the error. `secret` is `null` when it may not be read.
 */
async function checkOne(
  stage: Stage,
  registry: Registry,
  settings: MerchantSettings,
  cache: SecretCache,
  now: () => number,
) {
  const { merchantCode } = settings;
  let secret: string | null = null;
  try {
    secret = secretName(settings, secretSettings(stage));
    const entry = await cache.reader(secret, merchantCode).current(false);
    const tried = (credentials: typeof entry.current) =>
      prove(stage, registry.service, settings, credentials, now);
    const current = await tried(entry.current);
    const previous = entry.previous === undefined ? null : inWord(await tried(entry.previous));
    const message = current.serves ? null : current.message;
    return { merchantCode, secret, current: inWord(current), previous, message };
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    return { merchantCode, secret, current: error.name, previous: null, message: error.message };
  }
}

const LOGINS_AT_ONCE = 8;

/** Logs in for merchants and reads one page, with the current values and with those before a rotation. */
export async function check(context: CommandContext, codes: readonly string[]): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const { registry } = await readRegistry(stage);
  for (const code of codes) assertKnownMerchant(registry, code, stage.lines);
  const merchants =
    codes.length === 0
      ? allMerchants(registry).merchants
      : codes.map((code) => merchantSettings(registry, code));
  const cache = new SecretCache(createSecretsManagerClient(), Date.now);
  const checked = await forEach(
    context,
    'Trying the credentials',
    merchants,
    (settings) => checkOne(stage, registry, settings, cache, context.now),
    LOGINS_AT_ONCE,
  );
  const failed = checked.filter(({ current }) => current !== 'serves');
  const counts = { merchants: checked.length, failed: failed.length };
  output.result({ counts, merchants: checked }, () => {
    const listed = codes.length > 0 ? checked : failed;
    output.table(
      ['Merchant', 'Secret', 'Current', 'Previous'],
      listed.map(({ merchantCode, secret, current, previous }) => [
        merchantCode,
        secret ?? '',
        { text: current, style: current === 'serves' ? 'green' : 'red' },
        previous ?? '',
      ]),
    );
    for (const { merchantCode, message } of listed) {
      if (message !== null) output.line(`${merchantCode}: ${shown(message, LONGEST_LINE)}`);
    }
    output.line(
      `The service takes the current values of ${checked.length - failed.length} of ${checked.length} merchants.`,
    );
  });
  return failed.length === 0 ? 0 : 1;
}
