import { membersOf, allGroups } from '#registry/groups.ts';
import type { Registry } from '#registry/registry.ts';
import { durationsInWords, named } from '../registry/changes-in-words.ts';
import * as z from 'zod';
import { readObject } from '#runtime/s3-objects.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { merchantSettings, allMerchants } from '#registry/merchants.ts';
import { OWN_MEMBERS } from '#registry/registry-schema.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { codesInEntries } from '#registry/registry.ts';
import { historyKey } from '#records/storage/keys.ts';
import { readSecretEntry } from '#service/authentication/credentials.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { entryOf } from '../registry/registry-text.ts';
import type { Members } from '#records/json/exact-json.ts';
import { noteIfNotUsed, forceOf, readRegistry } from '../registry/stored-registry.ts';
import { merchantSecret } from '../secret/merchant-secret.ts';
import type { Stage } from '../stage/stage.ts';
import { assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import { isForbidden } from '../stage/aws-complaint.ts';
import { counted } from '../terminal/shown-text.ts';

/** The groups of a merchant that can be used; `naming`: those of them that name it by its code. */
export function groupsOf(registry: Registry, merchantCode: string) {
  const groups = allGroups(registry).groups.filter((group) =>
    membersOf(group, registry).codes.includes(merchantCode),
  );
  return {
    all: groups.map(({ name }) => name),
    naming: groups.filter(({ merchants }) => Array.isArray(merchants)).map(({ name }) => name),
  };
}

/** Such as `group shops`, or `the groups shops, everybody`. */
export function groupsInWords(names: readonly string[]): string {
  return `${names.length === 1 ? 'group' : 'the groups'} ${named(names)}`;
}

/** Where a setting comes from: the entry, the registry's defaults, or Daybook's own. */
type Origin = 'own' | 'defaults' | 'Daybook';

const historySchema = z.object({ days: z.array(z.object({ day: z.string() })) });

function originOf(member: string, entry: Members, { defaults }: Registry): Origin {
  if (Object.hasOwn(entry, member)) return 'own';
  return Object.hasOwn(defaults, member) && !OWN_MEMBERS.includes(member) ? 'defaults' : 'Daybook';
}

function settingsOf(settings: MerchantSettings, entry: Members, registry: Registry) {
  const { statements } = settings;
  const written = statements && { statements: { ...statements, ...durationsInWords(statements) } };
  const members: [string, unknown][] = Object.entries({ ...settings, ...written });
  return members
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => ({ member, value, origin: originOf(member, entry, registry) }));
}

/** Whether the secret has a usable entry for the merchant. Never a value. */
async function secretState(stage: Stage, settings: MerchantSettings): Promise<string> {
  try {
    const secret = merchantSecret(stage, settings);
    const text = await secret.text();
    if (text === undefined) return `the secret ${secret.name} does not exist`;
    const { previous } = readSecretEntry(text, secret.merchantCode, secret.name);
    return `there, in ${secret.name}${previous === undefined ? '' : ', with values before a rotation'}`;
  } catch (error) {
    if (error instanceof DaybookError) return error.message;
    if (isForbidden(error)) return 'your rights do not let you read the secret';
    throw error;
  }
}

async function lastSealedDayOf({ s3, bucket }: Stage, merchantCode: string): Promise<string | null> {
  const history = await readObject(s3(), bucket, historyKey(merchantCode), historySchema);
  return history?.value.days[0]?.day ?? null;
}

/** Shows the settings of a merchant as the functions use them, and where each comes from. */
export async function show(context: CommandContext, merchantCode: string): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const { text, registry } = await readRegistry(stage);
  assertKnownMerchant(registry, merchantCode, stage.lines);
  const settings = merchantSettings(registry, merchantCode);
  const entry = entryOf(text, merchantCode);
  const [force, secret, lastSealedDay] = await Promise.all([
    forceOf(stage, text),
    secretState(stage, settings),
    lastSealedDayOf(stage, merchantCode),
  ]);
  const members = settingsOf(settings, entry, registry);
  const { all: groups } = groupsOf(registry, merchantCode);
  const { warning } = force;
  noteIfNotUsed(output, stage, force);
  output.result({ merchantCode, settings: members, groups, secret, lastSealedDay, warning }, () => {
    output.table(
      ['Setting', 'Value', 'From'],
      members.map(({ member, value, origin }) => [
        { text: member, ...(origin === 'own' && { style: 'bold' as const }) },
        typeof value === 'string' ? value : JSON.stringify(value),
        origin,
      ]),
    );
    output.line();
    output.line(`Groups: ${groups.length === 0 ? 'none' : named(groups)}.`);
    output.line(`Credentials: ${secret}.`);
    const yesterday = addDays(dayAt(context.now(), settings.timeZone), -1);
    const isNewest = lastSealedDay === yesterday;
    output.line(`Last sealed day: ${lastSealedDay ?? 'none yet'}${isNewest ? ' (yesterday)' : ''}.`);
  });
  return warning === null ? 0 : 1;
}

/** A merchant in a list. No addresses: a list may end up in a log. */
function listed(settings: MerchantSettings) {
  const { merchantCode, name, language, timeZone, reportAt, secretId = null } = settings;
  return {
    ...{ merchantCode, name, language, timeZone, reportAt, secretId },
    recipients: settings.recipients.length,
    statements: (['weekly', 'monthly'] as const).filter((one) => settings.statements?.[one] !== undefined),
    alerts: settings.alerts.length,
  };
}

function has({ merchantCode, name, recipients }: MerchantSettings, text: string): boolean {
  return [merchantCode, name, ...recipients].some((value) => value.toLowerCase().includes(text));
}

/** Lists merchants by their code. @param text what code, name or an address must contain */
export async function list(context: CommandContext, text = ''): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const { text: stored, registry } = await readRegistry(stage);
  const force = await forceOf(stage, stored);
  const { merchants } = allMerchants(registry);
  const usable = new Set(merchants.map(({ merchantCode }) => merchantCode));
  const unusable = [...codesInEntries(registry)].filter(
    (code) => !usable.has(code) && code.toLowerCase().includes(text.toLowerCase()),
  );
  const found = merchants.filter((settings) => has(settings, text.toLowerCase())).map(listed);
  found.sort((one, other) => (one.merchantCode < other.merchantCode ? -1 : 1));
  noteIfNotUsed(output, stage, force);
  output.result({ merchants: found, unusable, warning: force.warning }, () => {
    output.table(
      [
        'Merchant',
        'Name',
        'Language',
        'Report at',
        'Time zone',
        'Recipients',
        'Statements',
        'Alerts',
        'Own secret',
      ],
      found.map((merchant) => [
        merchant.merchantCode,
        merchant.name,
        merchant.language,
        merchant.reportAt,
        merchant.timeZone,
        merchant.recipients,
        merchant.statements.join(', '),
        merchant.alerts,
        merchant.secretId ?? '',
      ]),
    );
    output.line(
      `${counted(found.length, 'merchant')}${text === '' ? '' : ` of ${merchants.length.toLocaleString('en')}`}.`,
    );
    for (const code of unusable)
      output.line(
        `The entry of ${code} cannot be used: "${stage.lines.daybook('merchant', 'show', code)}" says why.`,
      );
  });
  return force.warning === null && unusable.length === 0 ? 0 : 1;
}
