import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { textLike } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import {
  COMMAND_LINE,
  documentOf,
  refuses,
  runCommand,
  says,
  variables,
} from '#support/command/run-command.ts';

const folder = newDirectory();

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content, null, 2));
  return file;
}

const check = (...args: string[]) => runCommand(['check', ...args]);

const service = { baseUrl: 'https://api.payments.example.com' };
const good = { service, merchants: [{ merchantCode: '700001', recipients: ['a@example.com'] }] };
const bad = {
  service,
  merchants: [{ merchantCode: '700001', reciepients: ['a@example.com'], reportAt: '6:30' }],
};
const cipher = { key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const entry = { accessCode: 'canary', cipher, username: 'canary', password: 'canary' };

it('ends with 0 for a registry without problems', async () => {
  const file = write('good.json', good);
  const stdout = `No problems in ${file} (1 merchant).\n`;
  expect(await check(file)).toEqual({ code: 0, stdout, stderr: '' });
  expect(documentOf(await says(check(file, '--json'), 0))).toEqual({ problems: [] });
});

it('says that stdin is a folder', () => {
  const stdin = openSync(folder, 'r');
  const [node, ...words] = COMMAND_LINE;
  const { status, stdout, stderr } = spawnSync(node, [...words, 'check', '-'], {
    env: variables(),
    encoding: 'utf8',
    stdio: [stdin, 'pipe', 'pipe'],
  });
  closeSync(stdin);
  const line = 'stdin is a folder: name a file after "<"\n';
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: line });
});

it('lists all problems with file, line and column, and ends with 1', async () => {
  const file = write('bad.json', bad);
  const lines = [
    'merchant 700001',
    `  ${file}:8:7  merchants[0].reciepients: is not known here and has no effect - did you mean "recipients"?`,
    `  ${file}:11:19  merchants[0].reportAt: must be HH:MM, given "6:30"`,
    '',
    `2 problems in ${file} (1 merchant, 1 with problems).`,
    '',
  ];
  expect(await check(file)).toEqual({ code: 1, stdout: lines.join('\n'), stderr: '' });
});

it('names the merchant or the group that a problem is about', async () => {
  const groups = [
    { name: 'shops', merchants: ['700009'], recipients: ['a@example.com'], daily: true },
    { name: 'my shops', merchants: 'all', recipients: ['a@example.com'], daily: true },
  ];
  const registry = { service, merchants: [{ merchantCode: '700001' }], groups };
  await says(check(write('groups.json', registry)), 1, /^group shops\n( {2}.*\n)+\ngroups\[1\]\n/);
});

it('counts every entry with a problem, also those without a code of their own', async () => {
  const first = { merchantCode: '700001', language: 'fr' };
  const merchants = [first, first, { merchantCode: 700002 }, { merchantCode: '700003' }];
  await says(check(write('bad.json', { service, merchants })), 1, '(4 merchants, 3 with problems).');
});

it('prints the same as one JSON document with --json, also of stdin', async () => {
  const run = await check(write('bad.json', bad), '--json');
  expect(run).toMatchObject({ code: 1, stderr: '' });
  const inFirst = (name: string) => ({ path: `merchants[0].${name}`, merchantCode: '700001' });
  const unknown = { message: 'is not known here and has no effect', suggestion: 'recipients' };
  expect(documentOf(run)).toEqual({
    problems: [
      { line: 8, column: 7, ...inFirst('reciepients'), ...unknown },
      { line: 11, column: 19, ...inFirst('reportAt'), message: 'must be HH:MM, given "6:30"' },
    ],
  });
  const broken = await says(runCommand(['check', '-', '--json'], { input: '{ "service": }' }), 1);
  const whole = { path: '(root)', merchantCode: null, message: 'is not JSON: a value is missing' };
  expect(documentOf(broken)).toEqual({ problems: [{ line: 1, column: 14, ...whole }] });
});

it('compares registry and secret, and shows no value of the secret', async () => {
  const secret = write('secret.json', { merchants: { '700002': { ...entry, passwrd: 'canary' } } });
  const run = await says(check(write('good.json', good), '--secret', secret, '--json'), 1);
  expect(run.stdout).not.toContain('canary');
  expect(documentOf(run)).toMatchObject({
    problems: [
      { path: 'merchants[0].merchantCode', message: 'has no entry in the secret, given "700001"' },
      { file: secret, path: 'merchants.700002', message: 'is used by no merchant of the registry' },
      { file: secret, path: 'merchants.700002.passwrd', suggestion: 'password' },
    ],
  });
  const fine = write('fine.json', { merchants: { '700002': entry } });
  expect(await check('--secret', fine)).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['--stage', 'prod', 0],
  ['--stage', 'dev', 1],
  ['--origins', 'https://api.payments.example.com/, https://other.example.com', 0],
  ['--origins', 'https://other.example.com', 1],
])('knows which origins are allowed with %s %s', async (option, value, code) => {
  const wrong = code === 1 ? [/:3:16 {2}service\.baseUrl: must lead to https:\/\//] : [];
  await says(check(write('good.json', good), option, value), code, ...wrong);
});

it.each<[string[], RegExp]>([
  [[], /^name the file of a registry, or that of a secret with --secret\n$/],
  [['no-such.json'], /^cannot read no-such\.json: there is no such file\n$/],
  [['.'], /^cannot read \.: it is a folder\n$/],
  [['--secret', 'no-such.json'], /^cannot read no-such\.json/],
  [['-', '--secret', '-'], /^only one of the two files can be stdin\n$/],
  [['-', '--stage', 'nowhere'], /^lib\/stages has no file nowhere\.json: name the origins with --origins\n$/],
])('ends with 2 and one line for wrong usage: %j', (args, line) => refuses(check(...args), 2, line));

it(
  'lists the first hundred thousand problems of thousands of merchants, and how many more there are',
  { timeout: 60_000 },
  async () => {
    const rule = { name: 'a b', measure: 'unpaid', severity: 'x', forChecks: 0, color: 1 };
    const recipients = ['x', 'x'];
    const wrong = { reportAt: '6:30', timeZone: 'Asia/Kuwiat', recipients, alerts: [rule], a: 1 };
    const merchants = Array.from({ length: 8_000 }, (_, index) => {
      return { merchantCode: `${index % 4_000}`, ...wrong };
    });
    const groups = Array.from({ length: 100 }, (_, index) => ({
      name: 'shops',
      merchants: Array.from({ length: 100 }, (_none, at) => `x${at}`),
      recipients: [`a${index}@example.com`],
      daily: true,
    }));
    const statuses = Object.fromEntries(merchants.map((_, at) => [`x${at}`, 'A']));
    const defaults = { refunds: { statuses } };
    const file = write('terrible.json', { service, defaults, merchants, groups });
    // Quadratic work would exceed the time of a test.
    const run = await says(check(file, '--json'), 1);
    const { problems } = z.object({ problems: z.array(z.looseObject({})) }).parse(documentOf(run));
    expect(problems).toHaveLength(100_001);
    const message = textLike(/^has [\d,]+ more problems, which are not listed: the first one is here$/);
    expect(problems.at(-1)).toMatchObject({ path: '(root)', message });
  },
);
