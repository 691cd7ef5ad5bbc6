import * as z from 'zod';
import { STATEMENTS, SUPPRESSIONS, historyKey, watchListKeys } from '#records/storage/keys.ts';
import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import { readText } from '#runtime/s3-objects.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { jsonOrNothing } from '../files.ts';
import { findRegistry } from '../registry/stored-registry.ts';
import { assertCode } from '../stage/known-names.ts';
import { keptInWords } from '../stage/stage-names.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { counted, utcMinute } from '../terminal/shown-text.ts';
import { versionsUnder, type StoredVersion } from '../stage/stored-versions.ts';
import { forEach } from '../terminal/for-each.ts';
import { forget, type ForgetOptions } from './forget.ts';

/** What is in folders by day or period, and then by merchant; with the setting that says how long it is kept. */
const BY_DAY = {
  'invoices/json/': 'retention.dataDays',
  'invoices/csv/': 'retention.dataDays',
  'refunds/json/': 'retention.dataDays',
  'refunds/csv/': 'retention.dataDays',
  'days/': 'retention.manifestDays',
  'checked/': 'retention.manifestDays',
  'history/': 'retention.manifestDays',
  'mail/': 'retention.ledgerDays',
  [STATEMENTS]: undefined,
  'links/days/': 'retention.dataDays',
  'links/statements/': 'retention.dataDays',
} as const;

/** A run that began before the merchant was removed may write for so long. Milliseconds. */
const LONGEST_RUN = 15 * 60_000;

function isOf(merchantCode: string, key: string): boolean {
  const { csv, json } = watchListKeys(merchantCode);
  const name = `/merchant=${merchantCode}`;
  return key.includes(`${name}/`) || key.endsWith(`${name}.json`) || key === csv || key === json;
}

const named = z.array(z.object({ merchantCode: z.string() })).default([]);
const groupPage = z.object({ merchants: named, missing: named, corrections: named });

/** Whether a page of a group has the merchant. One that cannot be read may have it. */
async function hasMerchant(
  stage: Stage,
  { key, version }: StoredVersion,
  merchantCode: string,
): Promise<boolean> {
  const read = await readText(stage.s3(), stage.bucket, key, undefined, version);
  const page = groupPage.safeParse(jsonOrNothing(read?.text ?? ''));
  if (!page.success) return true;
  const { merchants, missing, corrections } = page.data;
  return [...merchants, ...missing, ...corrections].some((one) => one.merchantCode === merchantCode);
}

/** Everything in the bucket that is the merchant's alone, and the pages of groups that have it. */
async function findVersions(
  context: CommandContext,
  stage: Stage,
  merchantCode: string,
): Promise<StoredVersion[]> {
  const under = await forEach(context, 'Looking for days', Object.keys(BY_DAY), (prefix) =>
    versionsUnder(stage, prefix, '/'),
  );
  const folders = under.flatMap((one) => one.folders);
  const prefixes = [
    ...folders.map((folder) => `${folder}merchant=${merchantCode}`),
    `alerts/merchant=${merchantCode}/`,
    `${SUPPRESSIONS}merchant=${merchantCode}/`,
    historyKey(merchantCode),
    `config/refunds/${merchantCode}.`,
  ];
  const own = await forEach(context, `Looking for ${merchantCode}`, prefixes, async (prefix) => {
    const { versions } = await versionsUnder(stage, prefix);
    return versions.filter(({ key }) => isOf(merchantCode, key));
  });
  const periods = folders.filter((folder) => folder.startsWith(STATEMENTS));
  const ofGroups = await forEach(context, 'Looking at pages of groups', periods, async (period) => {
    const { versions } = await versionsUnder(stage, `${period}group=`);
    const having = new Set<string>();
    for (const one of versions.filter(({ etag }) => etag !== null))
      if (await hasMerchant(stage, one, merchantCode)) having.add(one.key);
    // A file that a mail links has the key of its page, but for the ending.
    const linked = await versionsUnder(stage, `links/${period}group=`);
    const pageOf = ({ key }: StoredVersion) => key.replace(/^links\/(.*)\.\w+$/, '$1.json');
    return [...versions, ...linked.versions].filter((one) => having.has(one.key) || having.has(pageOf(one)));
  });
  return [...own, ...ofGroups].flat();
}

/** @throws {CommandError} when the merchant is still in the registry, or may have been until a moment ago */
async function assertRemoved(
  context: CommandContext,
  stage: Stage,
  merchantCode: string,
  isDryRun: boolean,
): Promise<void> {
  const written = await findRegistry(stage);
  const { registry } = await stage.registry();
  const registries = [registry, ...(written === undefined ? [] : [parseRegistry(written.text)])];
  if (registries.some((one) => codesInEntries(one).has(merchantCode))) {
    const remove = stage.lines.daybook('merchant', 'remove', merchantCode, '--with-secret');
    throw new CommandError(`${merchantCode} is in the registry. Remove it first: ${remove}`);
  }
  if (isDryRun) return;
  const { versions } = await versionsUnder(stage, stage.registryKey);
  const changed = versions.find(({ isLatest }) => isLatest)?.modified ?? 0;
  if (context.now() >= changed + LONGEST_RUN) return;
  const from = utcMinute(new Date(changed + LONGEST_RUN).toISOString());
  throw new CommandError(
    `the registry was changed less than 15 minutes ago, and a run that began before may still write. Run this from ${from} UTC on`,
  );
}

export async function forgetMerchant(
  context: CommandContext,
  merchantCode: string,
  options: ForgetOptions,
): Promise<ExitStatus> {
  assertCode(merchantCode);
  const stage = await context.stage();
  await assertRemoved(context, stage, merchantCode, options.dryRun === true);
  const settings = Object.entries(BY_DAY);
  const area = ({ key }: StoredVersion) =>
    isOf(merchantCode, key) ? key.slice(0, key.indexOf('/') + 1) : 'pages of groups, as a whole';
  return forget(context, options, {
    forgotten: { merchantCode },
    name: merchantCode,
    code: merchantCode,
    find: async () => {
      const versions = await findVersions(context, stage, merchantCode);
      const lines = [...Map.groupBy(versions, area)].map(([what, all]) => {
        const objects = all.filter(({ isLatest, etag }) => isLatest && etag !== null).length;
        const setting = settings.find(([prefix]) => prefix.startsWith(what))?.[1];
        return [what, objects, all.length - objects, keptInWords(stage.name, setting)];
      });
      return { versions, lines, heading: ['What', 'Objects', 'Old versions', 'Otherwise kept'] };
    },
    question: ({ versions }) =>
      `Deletes ${counted(versions.length, 'version')} and all rows of the lake from ${stage.name}.`,
    record: () => ({ what: 'merchant', merchantCode }),
  });
}
