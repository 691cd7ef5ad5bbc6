import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { checkedKey } from '#records/storage/keys.ts';
import { queueNameOf } from '#bin/local/configuration.ts';
import { COMMAND_NAMES, ownRights, impliedRights } from '#lib/command-rights.ts';
import type { CommandName, CommandRight } from '#lib/command-rights.ts';
import { FUNCTIONS, LAST_GOOD, OPTIONAL_FUNCTIONS, REGISTRY_KEY, functionOutput } from '#lib/functions.ts';
import type { AnyFunctionName } from '#lib/functions.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { leafCommands } from '#support/command/command-words.ts';
import { useStage, COMMAND, entryOf } from '#support/command/command-stage.ts';
import { runCommand, runProcess } from '#support/command/run-command.ts';
import { prove } from '#support/proofs/running-prove.ts';
import { sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { runFunction, BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import type { RecordedRequest } from '#sandbox/aws/index.ts';

/** IAM's names for operations that have another name there. */
const ACTIONS: Readonly<Record<string, string>> = {
  Invoke: 'lambda:InvokeFunction',
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
  ListObjectVersions: 's3:ListBucketVersions',
  DeleteObjects: 's3:DeleteObjectVersion',
  ChangeMessageVisibilityBatch: 'sqs:ChangeMessageVisibility',
};
/** The services whose prefix is not the name in small letters. */
const PREFIXES: Partial<Record<RecordedRequest['service'], string>> = { eventBridge: 'events', sesV2: 'ses' };

interface CommandCall {
  /** Such as `s3:GetObject`. */
  action: string;
  /** What it was on, where the record says it: an object, a function, or a stack. */
  resource: string | undefined;
}

function resourceOf({ service, operation, key = '' }: RecordedRequest): string | undefined {
  // The record does not say which objects.
  if (operation === 'DeleteObjects') return undefined;
  if (service === 's3') return operation.startsWith('ListObject') ? 'data' : `data/${key}`;
  if (service === 'cloudFormation') return key.endsWith('-Lake') ? 'lake stack' : 'stacks';
  if (service === 'sqs') return key.endsWith('-dead') ? 'dead letters' : 'queues';
  if (service !== 'lambda' || key === '') return undefined;
  const name = key.replace(/^daybook-local-(.*):live$/, '$1');
  return Object.hasOwn(OPTIONAL_FUNCTIONS, name) ? 'optional functions' : `function/${name}`;
}

/** The calls that commands made, without those of the functions that they invoked. Who calls, STS says to everybody. */
function callsOfCommands(requests: readonly RecordedRequest[]): CommandCall[] {
  const own = requests.filter(({ application, service }) => application === COMMAND && service !== 'sts');
  return own.map((call) => ({
    action:
      ACTIONS[call.operation] ?? `${PREFIXES[call.service] ?? call.service.toLowerCase()}:${call.operation}`,
    resource: resourceOf(call),
  }));
}

/** Whether a right allows a call. Of other resources than objects, functions and stacks a stage has one kind for each action. */
function allows({ action, on }: CommandRight, call: CommandCall): boolean {
  if (action !== call.action) return false;
  if (call.resource === undefined) return true;
  const [first = '', ...others] = on.split('*').map((part) => part.replaceAll('.', String.raw`\.`));
  return new RegExp(`^${[first, ...others].join('.*')}$`).test(call.resource);
}

/** The calls that no right of the command allows: none. */
function callsBeyond(command: CommandName, calls: readonly CommandCall[]): string[] {
  const own = ownRights(command);
  const rights = [...own, ...impliedRights(own)];
  const beyond = calls.filter((call) => !rights.some((right) => allows(right, call)));
  return [...new Set(beyond.map(({ action, resource }) => `${action} ${resource ?? ''}`))];
}

/** Commands that work with no stage. They need no right. */
const WITHOUT_STAGE = new Set(['check', 'init']);

const ADDRESS = `owner-${CODE}@merchants.example`;

const stage = useStage('all', {
  merchants: 4,
  environment: { CREDENTIALS_PREFIX: 'daybook/merchants/' },
});
const used = new Map<CommandName, CommandCall[]>();

async function use(name: CommandName, args: readonly string[] = [], input = ''): Promise<string> {
  const before = stage.aws.requests.length;
  // The functions that a queue calls would get the name of a command in this process.
  const run = name === 'backfill' ? runProcess : runCommand;
  const ran = await run([...name.split(' '), ...args, ...stage.options], { cwd: stage.directory, input });
  const made = callsOfCommands(stage.aws.requests.slice(before));
  used.set(name, [...(used.get(name) ?? []), ...made]);
  return `${ran.code}: ${ran.stderr}${ran.stdout}`;
}

/** Puts a function in the place of one of the stage. */
function present(name: AnyFunctionName, answer: (event: unknown) => unknown): void {
  stage.aws.lambda.add(`daybook-local-${name}`, { invoke: (event) => Promise.resolve(answer(event)) });
}

const LEAVES = leafCommands().filter(([name = '']) => !WITHOUT_STAGE.has(name));
const COMMANDS = new Set(LEAVES.map((words) => words.join(' ')));
const known = COMMAND_NAMES.filter((name) => COMMANDS.has(name));

/** Makes the present registry the last good one. */
async function goodAsItIs(): Promise<void> {
  await stage.aws.s3.write(BUCKET, LAST_GOOD, defined(await stage.aws.s3.read(BUCKET, REGISTRY_KEY)));
}

const SCENES: Partial<Record<CommandName, () => Promise<unknown>>> = {
  'registry pull': () => use('registry pull', ['merchants.json']),
  'registry diff': () => use('registry diff', ['merchants.json']),
  'registry push': async () => {
    const file = join(stage.directory, 'merchants.json');
    const before = await readFile(file, 'utf8');
    // The last good registry has the removed merchant, too.
    await stage.aws.s3.write(BUCKET, LAST_GOOD, before);
    await writeFile(file, before.replace('"merchants"', '\n"merchants"').replace(/700002/, '700009'));
    return use('registry push', ['merchants.json', '--accept-removals', '--with-problems', '--yes']);
  },
  'registry history': () => use('registry history'),
  'registry rollback': async () => {
    await goodAsItIs();
    return use('registry rollback', ['1', '--accept-removals', '--with-problems', '--yes']);
  },
  'secret put': async () => {
    await use('secret put', [CODE, '--yes'], JSON.stringify(entryOf(0)));
    // A secret of its own, which does not exist yet.
    return use('secret put', ['700003', '--yes'], JSON.stringify(entryOf(2)));
  },
  'secret rotate': () =>
    use('secret rotate', [CODE, '--yes', '--unproven'], JSON.stringify({ password: 'another' })),
  'secret check': () => use('secret check'),
  'merchant list': () => use('merchant list'),
  'merchant show': () => use('merchant show', [CODE]),
  'merchant set': () => use('merchant set', [CODE, 'reportAt=07:30']),
  'merchant remove': async () => {
    await goodAsItIs();
    return use('merchant remove', ['700004', '--with-secret', '--yes']);
  },
  'merchant add': async () => {
    const recipients = ['--recipients', 'owner@example.com'];
    const input = JSON.stringify(entryOf(3));
    await use('merchant add', ['700004', ...recipients, '--dry-run'], input);
    await use('merchant remove', ['700004', '--yes']);
    const own = ['--secret-id', 'daybook/merchants/700004'];
    return use('merchant add', ['700004', ...recipients, ...own], input);
  },
  status: async () => {
    await use('status', ['--day', DAY]);
    // Without the record of the last pull, the manifest says what became of the day.
    await stage.aws.s3.remove(BUCKET, checkedKey(DAY, CODE));
    await use('status', ['--day', DAY]);
    // Of a provisional statement, the page itself says what is missing.
    const monthly = 'statements={"monthly":{"onDay":1,"at":"09:00"}}';
    await use('merchant set', [CODE, monthly, '--yes']);
    await sealPage(stage.world, { merchantCode: CODE, day: '2026-10-05' });
    await runFunction('statement', { merchantCode: CODE, period: '2026-10' }, stage.world.clock);
    return use('status');
  },
  why: async () => {
    stage.aws.queues.send(`${queueNameOf('reports')}-dead`, '{}');
    await use('why', [CODE, DAY]);
    return use('why', [CODE, 'last-month']);
  },
  verify: async () => {
    await prove(stage.world);
    await use('verify', [CODE, DAY]);
    return use('verify', [CODE, '2026-10']);
  },
  report: () => use('report', [CODE, '--day', DAY, '--yes']),
  statement: () => use('statement', [CODE, '--period', 'last-week', '--yes']),
  'statement reopen': async () => {
    const period = '2026-10';
    const statements = 'statements={"monthly":{"onDay":1,"at":"09:00"},"closeAfter":"1d"}';
    await use('merchant set', [CODE, statements, '--yes']);
    await sealPeriod(stage.world, period);
    for (const _closed of [1, 2])
      await runFunction('statement', { merchantCode: CODE, period }, stage.world.clock);
    return use('statement reopen', [CODE, period, '--why', 'a test', '--yes']);
  },
  invoke: async () => {
    const { outputs } = defined(stage.aws.stacks.get('Daybook-local-Functions'));
    outputs[functionOutput('announce')] = 'daybook-local-announce:live';
    present('announce', () => ({ events: 0 }));
    for (const name of [...Object.keys(FUNCTIONS), 'announce']) await use('invoke', [name, '{}', '--yes']);
  },
  'alerts test': () => use('alerts test', [CODE]),
  'alerts try': () => use('alerts try', [CODE, 'unpaid', '--above', '1', '--apply']),
  'alerts history': async () => {
    await use('alerts history', ['700003']);
    return use('alerts history', [CODE]);
  },
  'alerts resend': () => use('alerts resend', [CODE, '--yes']),
  'suppression add': async () => {
    await use('suppression add', [ADDRESS, '--yes']);
    return use('suppression add', [ADDRESS, '--yes']);
  },
  'suppression list': () => use('suppression list'),
  'suppression remove': () => {
    stage.aws.mailSettings.suppress(ADDRESS, 'BOUNCE');
    return use('suppression remove', [ADDRESS, '--yes']);
  },
  'lake check': () => use('lake check'),
  redrive: () => use('redrive', ['--yes']),
  backfill: async () => {
    stage.aws.queues.send(`${queueNameOf('backfills')}-dead`, '{}');
    stage.startQueues();
    // The days of few merchants are counted one by one, while the work goes on.
    stage.world.payments.behaviour.latencyMilliseconds = 300;
    await use('backfill', ['--from', '2026-11-14', '--to', '2026-11-18', '--yes', '--merchant', CODE]);
    stage.world.payments.behaviour.latencyMilliseconds = 0;
    return use('backfill', ['--from', '2026-11-18', '--to', '2026-11-18', '--yes']);
  },
  doctor: () => {
    // With too many empty days, it looks for ledgers of mails, too.
    stage.aws.stacks.set('Daybook-local-Lake', { outputs: { LakeFirstDay: '2026-01-01' } });
    return use('doctor', ['--dns-server', '127.0.0.1:9']);
  },
  'merchant forget': async () => {
    const page = { merchants: [{ merchantCode: '709999' }] };
    const key = `statements/period=${DAY}/group=everybody/r0001.json`;
    await stage.aws.s3.write(BUCKET, key, JSON.stringify(page));
    present('lake', () => ({ finished: true }));
    stage.setTime('2026-11-21T06:00:00Z');
    return use('merchant forget', ['709999', '--yes', '--code', '709999']);
  },
  'customer forget': async () => {
    const { files } = await stage.world.manifest(1);
    const csv = files.find(({ format, table }) => format === 'csv' && table === 'invoices')?.key ?? '';
    let searches = 0;
    present('lake', (event) =>
      // The function finds the file once. After the new pull, it finds nothing.
      membersOf(event)['search'] !== undefined && (searches += 1) === 11
        ? { finished: true, files: { [csv]: 1 } }
        : { finished: true },
    );
    const customer = ['--email', 'canary@example.com'];
    const dry = await use('customer forget', [...customer, '--dry-run', '--json']);
    const { code } = z.object({ code: z.string() }).parse(JSON.parse(dry.slice(dry.indexOf('{'))));
    searches = 0;
    return use('customer forget', [...customer, '--yes', '--code', code]);
  },
};

beforeAll(async () => {
  stage.world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 1 });
  const alerts = [{ name: 'unpaid', measure: 'unpaidCount', above: 0 }];
  await stage.world.putRegistry({ [CODE]: { alerts }, 700003: { secretId: 'daybook/merchants/700003' } });
  await stage.world.report();
  await stage.world.alertCheck({ day: DAY, now: '2026-11-20T18:00:00Z' });
  for (const [name, scene] of Object.entries(SCENES)) {
    if (COMMANDS.has(name)) await scene();
  }
}, 240_000);

describe('the rights of a command', () => {
  it('are known for every command that works with a stage', () => {
    expect([...COMMANDS].filter((name) => !known.some((one) => one === name))).toEqual([]);
    expect(COMMAND_NAMES.filter((name) => !used.has(name))).toEqual([]);
  });

  it.each(known)('allow every call that it makes: %s', (name) => {
    expect(callsBeyond(name, used.get(name) ?? [])).toEqual([]);
  });

  it.each(known)('are all used: %s', (name) => {
    const calls = used.get(name) ?? [];
    const idle = ownRights(name).filter((right) => !calls.some((call) => allows(right, call)));
    expect(idle.map(({ action, on }) => `${action} ${on}`)).toEqual([]);
  });
});
