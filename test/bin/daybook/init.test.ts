import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertOwnSettings, readSettings } from '#lib/settings.ts';
import { parseRegistry } from '#registry/registry.ts';
import { textWith } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import {
  runOnTerminal,
  CTRL_C,
  documentOf,
  refuses,
  runCommand,
  says,
} from '#support/command/run-command.ts';

const ANSWERS = {
  region: 'eu-central-1',
  domain: 'daybook.pay.test',
  service: 'https://api.pay.test/v2',
  'time-zone': 'Asia/Kuwait',
  ops: 'ops@pay.test',
  runbook: 'https://wiki.pay.test/daybook',
};

let cwd: string;
beforeEach(() => {
  cwd = newDirectory();
});

const own = (name: string) => readFileSync(join(cwd, name), 'utf8');
const optionsOf = (answers: Record<string, string>) =>
  Object.entries(answers).flatMap(([name, value]) => [`--${name}`, value]);
const init = (answers: Record<string, string> = ANSWERS, more: readonly string[] = []) =>
  runCommand(['init', 'kuwait.json', ...optionsOf(answers), ...more], { cwd });

it('writes settings that a deploy takes, and a registry that the check takes', async () => {
  const stdout =
    'kuwait.json is written: the settings of the stage kuwait.\nmerchants.json is written: a registry without merchants.\nNext, look at the account: npx daybook doctor --before kuwait.json\n';
  expect(await init({ ...ANSWERS, 'zone-id': 'Z123' })).toEqual({ code: 0, stdout, stderr: '' });
  const settings = readSettings(join(cwd, 'kuwait.json'));
  expect(settings).toMatchObject({
    region: 'eu-central-1',
    service: { origins: ['https://api.pay.test'] },
    credentials: { secret: 'daybook/kuwait/credentials' },
    mail: { domain: 'daybook.pay.test', hostedZone: { id: 'Z123', name: 'pay.test' } },
    ops: { recipients: ['ops@pay.test'] },
    schedules: { timeZone: 'Asia/Kuwait' },
  });
  expect(() => assertOwnSettings(settings)).not.toThrow();
  expect(parseRegistry(own('merchants.json')).service.baseUrl).toBe('https://api.pay.test/v2');
  await says(runCommand(['check', 'merchants.json'], { cwd }), 0, 'No problems');
});

it('has no zone when the DNS is elsewhere, and prints one document with --json', async () => {
  const ran = await init(ANSWERS, ['--json']);
  expect(documentOf(ran)).toEqual({
    stage: 'kuwait',
    file: 'kuwait.json',
    registry: 'merchants.json',
    next: 'npx daybook doctor --before kuwait.json',
  });
  expect(readSettings(join(cwd, 'kuwait.json')).mail.hostedZone).toBeUndefined();
});

it('replaces no settings without a yes, and never a registry', async () => {
  for (const name of ['kuwait.json', 'merchants.json']) writeFileSync(join(cwd, name), '{}');
  await refuses(init(), 2, 'give --yes');
  expect(own('kuwait.json')).toBe('{}');
  await says(init(ANSWERS, ['--yes']), 0, 'merchants.json is there already');
  expect(readSettings(join(cwd, 'kuwait.json')).stage).toBe('kuwait');
  expect(own('merchants.json')).toBe('{}');
});

it.each([
  [{ region: 'frankfurt' }, /^--region: must be a region such as eu-central-1\n$/],
  [{ domain: 'Pay' }, /^--domain: must be a domain such as mail.example.com, in lower case\n$/],
  [{ service: 'http://api.pay.test' }, /^--service: must be an origin such as https:\/\/api.example.com/],
  [{ 'zone-id': 'Z1', 'zone-name': 'mint.test' }, /^--zone-name: must be mail.domain \(daybook.pay.test\)/],
  [{ 'zone-id': 'one' }, /^--zone-id: must be the id of a zone\n$/],
  [{ 'time-zone': 'Asia/Kuwayt' }, /^--time-zone: is no known time zone/],
  [{ ops: 'operations' }, /^--ops: must be a mail address\n$/],
  [{ runbook: 'wiki' }, /^--runbook: must be /],
])('takes no wrong answer, and writes nothing then: %j', async (wrong, line) => {
  await refuses(init({ ...ANSWERS, ...wrong }), 2, line);
  expect(existsSync(join(cwd, 'kuwait.json'))).toBe(false);
});

it('writes a stage in AWS only', async () => {
  const line = 'init writes the settings of a stage in AWS: give --stage, not --local\n';
  const { region: _, ...others } = ANSWERS;
  expect(await init(others, ['--local'])).toEqual({ code: 2, stdout: '', stderr: line });
  expect(existsSync(join(cwd, 'kuwait.json'))).toBe(false);
});

it('says which option is missing, and which name cannot be one of a stage', async () => {
  const { domain: _, ...others } = ANSWERS;
  await refuses(init(others), 2, 'give --domain');
  const named = runCommand(['init', 'Kuwait City.json'], { cwd });
  await refuses(named, 2, '--stage: the name of a stage has up to 20');
});

it('asks at a terminal, and writes nothing when Ctrl-C is pressed at the last question', async () => {
  const answers = [
    ['Region', 'eu-central-1\r'],
    ['Domain that sends', 'daybook.pay.test\r'],
    ['Route 53', '\r'],
    ['payment service', 'https://api.pay.test\r'],
    ['Time zone', 'Asia/Kuwait\r'],
    ['Address of the operators', 'ops@pay.test\r'],
  ] as const;
  const words = ['init', 'kuwait.json'];
  const ended = await runOnTerminal(words, [...answers, ['Web address', CTRL_C]], cwd);
  expect(ended).toMatchObject({ code: 130, written: textWith('nothing was changed') });
  expect(existsSync(join(cwd, 'kuwait.json'))).toBe(false);
  const last = ['Web address', 'https://wiki.pay.test/daybook\r'] as const;
  expect(await runOnTerminal(words, [...answers, last], cwd)).toMatchObject({ code: 0 });
  expect(readSettings(join(cwd, 'kuwait.json')).ops.runbook).toBe('https://wiki.pay.test/daybook');
  const refused = await runOnTerminal(words, [['is there already. Replace it?', '\r']], cwd);
  expect(refused).toMatchObject({ code: 1, written: textWith('Nothing was changed.') });
}, 120_000);
