import { basename, relative, resolve } from 'node:path';
import { addDays, dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { SettingsError, parseSettings } from '#lib/settings.ts';
import { pastedLine } from '#mail/notices/ops-command.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { fileText, writeFile } from '../files.ts';
import { STAGES } from '../stage/stage-names.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { NOTHING_CHANGED } from '../terminal/questions.ts';
import { shown } from '../terminal/shown-text.ts';

/** What differs from stage to stage. All other settings begin with usual values. */
const ANSWERS = {
  stage: 'prod',
  region: 'eu-central-1',
  domain: 'daybook.example.com',
  zoneId: '',
  zoneName: 'example.com',
  service: 'https://api.example.com',
  timeZone: 'UTC',
  ops: 'operations@example.com',
  runbook: 'https://example.com/runbook',
};
type Answers = typeof ANSWERS;
type Answer = keyof Answers;

function settingsOf(answers: Answers, today: Day) {
  const { stage, region, domain, zoneId, zoneName, service, timeZone, ops, runbook } = answers;
  return {
    region,
    removal: 'retain',
    service: { origins: [URL.parse(service)?.origin ?? service] },
    credentials: { secret: `daybook/${stage}/credentials`, prefix: `daybook/${stage}/merchants/` },
    mail: {
      domain,
      from: `Daybook <reports@${domain}>`,
      replyTo: ops,
      unsubscribe: ops,
      ...(zoneId !== '' && { hostedZone: { id: zoneId, name: zoneName } }),
      sandboxRecipients: [ops],
    },
    ops: { recipients: [ops], subscribers: [ops], runbook },
    retention: { dataDays: 400, manifestDays: 2_557, ledgerDays: 2_557, logDays: 90 },
    schedules: {
      timeZone,
      daily: 'cron(0/15 * * * ? *)',
      alerts: 'cron(0/15 * * * ? *)',
      watch: 'cron(10/15 * * * ? *)',
      sweep: 'cron(20 * * * ? *)',
    },
    deadlines: { deliveryMinutes: 60, noDataMinutes: 180, unsettledMinutes: 60 },
    concurrency: { reports: 50, backfills: 5, alerts: 20 },
    lake: {
      // With room for a backfill of the month before.
      firstDay: `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`,
      scanLimit: 100,
      resultDays: 30,
      history: true,
      schedules: { look: 'cron(50 * * * ? *)', mergeAt: '08:00', maintainOn: 'friday' },
    },
    console: { testEvents: 'none' },
  };
}

/** Statuses are those of the payment service (docs/contract.md). */
function registryOf({ service, timeZone }: Answers) {
  return {
    $schema: 'docs/schema/registry.schema.json',
    service: { baseUrl: service },
    defaults: {
      timeZone,
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      refunds: { statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } },
    },
    merchants: [],
  };
}

/** What the settings' own check says of one answer. `undefined`: nothing. */
function faultOf(name: Answer, text: string, given: Partial<Answers>, today: Day): string | undefined {
  // The name of the zone must fit to the domain, and comes last.
  const zoneName = given.domain ?? ANSWERS.zoneName;
  const answers = { ...ANSWERS, zoneName, ...given, [name]: text };
  try {
    parseSettings(answers.stage, settingsOf(answers, today), 'it');
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n')[0]?.replace(/^it: (?:[\w.[\]]+: )?/, '');
  }
}

const REGISTRY = 'merchants.json';
const LARGEST = 10_000_000;

/**
 * Does `daybook init`: writes the settings of a stage, and a registry without merchants if there is none. Nothing is written
 * before the last answer.
 *
 * @param named the file of the settings. Default: that of the stage in lib/stages
 * @throws {UsageError} when an answer cannot be one, or nobody can give it
 */
export async function init(
  { output, questions, stageNamed, regionNamed, now }: CommandContext,
  named: string | undefined,
  options: Partial<Omit<Answers, 'region' | 'stage'>>,
): Promise<ExitStatus> {
  if (stageNamed() === 'local')
    throw new UsageError('init writes the settings of a stage in AWS: give --stage, not --local');
  const today = dayAt(now(), 'UTC');
  const given: Partial<Answers> = {};
  const ask = async (name: Answer, option: string, message: string, value?: string, initial?: string) => {
    const fault = (text: string) => faultOf(name, text, given, today);
    const answer = value ?? (await questions.text({ message, option, initial, fault }));
    const found = fault(answer);
    if (found !== undefined) throw new UsageError(`${option}: ${shown(found)}`);
    given[name] = answer;
    return answer;
  };
  const { canAsk } = questions;
  // A file elsewhere has the name of its stage.
  const stageGiven = named === undefined ? stageNamed() : basename(named, '.json');
  const stage = await ask('stage', '--stage', 'Name of the stage', stageGiven, canAsk ? 'prod' : undefined);
  const file = named ?? relative(process.cwd(), resolve(STAGES, `${stage}.json`));
  const before = fileText(file, LARGEST);
  const asked = `${shown(file)} is there already. Replace it?`;
  if (before !== undefined && !(await questions.confirm(asked, NOTHING_CHANGED))) return 1;
  await ask('region', '--region', 'Region of AWS', regionNamed());
  const domain = await ask('domain', '--domain', 'Domain that sends the mails', options.domain);
  const zone = 'Id of its zone in Route 53 (empty: the DNS is elsewhere)';
  if ((await ask('zoneId', '--zone-id', zone, options.zoneId, '')) !== '') {
    const labels = domain.split('.');
    const parent = labels.slice(labels.length > 2 ? 1 : 0).join('.');
    await ask('zoneName', '--zone-name', 'Name of that zone', options.zoneName, parent);
  }
  await ask('service', '--service', 'Address of the payment service', options.service);
  const here = canAsk ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
  await ask('timeZone', '--time-zone', 'Time zone of schedules and merchants', options.timeZone, here);
  await ask('ops', '--ops', 'Address of the operators', options.ops);
  await ask('runbook', '--runbook', 'Web address where you publish docs/runbook.md', options.runbook);

  const answers = { ...ANSWERS, ...given };
  const settings = settingsOf(answers, today);
  writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  const hadRegistry = fileText(REGISTRY, LARGEST) !== undefined;
  if (!hadRegistry) writeFile(REGISTRY, `${JSON.stringify(registryOf(answers), null, 2)}\n`);
  const words = ['doctor', '--before', ...(named === undefined ? [] : [named])];
  const next = pastedLine('daybook', words, named === undefined ? { stage } : {});
  output.result({ stage, file, registry: hadRegistry ? null : REGISTRY, next }, () => {
    output.line(`${file} is written: the settings of the stage ${stage}.`);
    output.line(
      hadRegistry
        ? `${REGISTRY} is there already and stays as it is.`
        : `${REGISTRY} is written: a registry without merchants.`,
    );
    output.line(`Next, look at the account: ${next}`);
  });
  return 0;
}
