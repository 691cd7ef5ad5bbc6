import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { counted } from '../terminal/words.ts';
import { noteIfNotUsed, forceOf, readRegistry } from '../registry/stored-registry.ts';

/** A merchant in a list. No addresses: a list may end up in a log. */
interface Listed {
  merchantCode: string;
  name: string;
  recipients: number;
  language: string;
  timeZone: string;
  reportAt: string;
  /** The statements that it gets. */
  statements: ('weekly' | 'monthly')[];
  alerts: number;
  secretId: string | null;
}

function listed(settings: MerchantSettings): Listed {
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
  const { text: stored } = await readRegistry(stage);
  const force = await forceOf(stage, stored);
  const registry = parseRegistry(stored);
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
      output.line(`The entry of ${code} cannot be used: the command check says why.`);
  });
  return force.warning === null && unusable.length === 0 ? 0 : 1;
}
