import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { textLike } from '#support/assertions/text-like.ts';
import { COMMAND_LINE, documentOf, runCommand, variables } from '#support/command/run-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

const service = { baseUrl: 'https://api.payments.example.com' };
const good = { service, merchants: [{ merchantCode: '700001', recipients: ['a@example.com'] }] };
const bad = {
  service,
  merchants: [{ merchantCode: '700001', reciepients: ['a@example.com'], reportAt: '6:30' }],
};
const cipher = { key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const entry = { accessCode: 'canary', cipher, username: 'canary', password: 'canary' };

it('ends with 0 for a registry without problems', async () => {
  const run = await runCommand(['check', await write('good.json', good)]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^No problems in .*good\.json \(1 merchant\)\.\n$/);
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
  const file = await write('bad.json', bad);
  const run = await runCommand(['check', file]);
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(run.stdout.split('\n')).toEqual([
    'merchant 700001',
    `  ${file}:8:7  merchants[0].reciepients: is not known here and has no effect - did you mean "recipients"?`,
    `  ${file}:11:19  merchants[0].reportAt: must be HH:MM, given "6:30"`,
    '',
    `2 problems in ${file} (1 merchant, 1 with problems).`,
    '',
  ]);
});

it('names the merchant or the group that a problem is about', async () => {
  const groups = [
    { name: 'shops', merchants: ['700009'], recipients: ['a@example.com'], daily: true },
    { name: 'my shops', merchants: 'all', recipients: ['a@example.com'], daily: true },
  ];
  const registry = { service, merchants: [{ merchantCode: '700001' }], groups };
  const run = await runCommand(['check', await write('groups.json', registry)]);
  expect(
    run.stdout
      .split('\n')
      .filter((line) => /^\w/.test(line))
      .slice(0, 2),
  ).toEqual(['group shops', 'groups[1]']);
});

it('counts every entry with a problem, also those without a code of their own', async () => {
  const first = { merchantCode: '700001', language: 'fr' };
  const merchants = [first, first, { merchantCode: 700002 }, { merchantCode: '700003' }];
  const run = await runCommand(['check', await write('bad.json', { service, merchants })]);
  expect(run.stdout).toContain('(4 merchants, 3 with problems).');
});

it('prints the same as one JSON document with --json', async () => {
  const run = await runCommand(['check', await write('bad.json', bad), '--json']);
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(documentOf(run)).toEqual({
    problems: [
      {
        line: 8,
        column: 7,
        path: 'merchants[0].reciepients',
        merchantCode: '700001',
        message: 'is not known here and has no effect',
        suggestion: 'recipients',
      },
      {
        line: 11,
        column: 19,
        path: 'merchants[0].reportAt',
        merchantCode: '700001',
        message: 'must be HH:MM, given "6:30"',
      },
    ],
  });
  const none = await runCommand(['check', await write('good.json', good), '--json']);
  expect(none.code).toBe(0);
  expect(documentOf(none)).toEqual({ problems: [] });
});

it('reads stdin', async () => {
  const run = await runCommand(['check', '-', '--json'], { input: '{ "service": }' });
  expect(run.code).toBe(1);
  expect(documentOf(run)).toEqual({
    problems: [
      {
        line: 1,
        column: 14,
        path: '(root)',
        merchantCode: null,
        message: 'is not JSON: a value is missing',
      },
    ],
  });
});

it('compares registry and secret, and shows no value of the secret', async () => {
  const secret = await write('secret.json', { merchants: { '700002': { ...entry, passwrd: 'canary' } } });
  const run = await runCommand(['check', await write('good.json', good), '--secret', secret, '--json']);
  expect(run.code).toBe(1);
  expect(run.stdout).not.toContain('canary');
  expect(documentOf(run)).toMatchObject({
    problems: [
      { path: 'merchants[0].merchantCode', message: 'has no entry in the secret, given "700001"' },
      { file: secret, path: 'merchants.700002', message: 'is used by no merchant of the registry' },
      { file: secret, path: 'merchants.700002.passwrd', suggestion: 'password' },
    ],
  });
  expect(
    await runCommand(['check', '--secret', await write('fine.json', { merchants: { '700002': entry } })]),
  ).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['--stage', 'prod', 0],
  ['--stage', 'dev', 1],
  ['--origins', 'https://api.payments.example.com/, https://other.example.com', 0],
  ['--origins', 'https://other.example.com', 1],
])('knows which origins are allowed with %s %s', async (option, value, code) => {
  const run = await runCommand(['check', await write('good.json', good), option, value]);
  expect(run.code).toBe(code);
  if (code === 1) expect(run.stdout).toMatch(/:3:16 {2}service\.baseUrl: must lead to https:\/\//);
});

it.each<[string[], RegExp]>([
  [['check'], /^name the file of a registry, or that of a secret with --secret\n$/],
  [['check', 'no-such.json'], /^cannot read no-such\.json: there is no such file\n$/],
  [['check', '.'], /^cannot read \.: it is a folder\n$/],
  [['check', '--secret', 'no-such.json'], /^cannot read no-such\.json/],
  [['check', '-', '--secret', '-'], /^only one of the two files can be stdin\n$/],
  [
    ['check', '-', '--stage', 'nowhere'],
    /^lib\/stages has no file nowhere\.json: name the origins with --origins\n$/,
  ],
])('ends with 2 and one line for wrong usage: %j', async (args, line) => {
  expect(await runCommand(args)).toMatchObject({ code: 2, stdout: '', stderr: textLike(line) });
});

it(
  'lists the first hundred thousand problems of thousands of merchants, and how many more there are',
  { timeout: 60_000 },
  async () => {
    const rule = { name: 'a b', measure: 'unpaid', severity: 'x', forChecks: 0, color: 1 };
    const wrong = {
      reportAt: '6:30',
      timeZone: 'Asia/Kuwiat',
      recipients: ['x', 'x'],
      alerts: [rule],
      a: 1,
    };
    const merchants = Array.from({ length: 8_000 }, (_, index) => ({
      merchantCode: `${index % 4_000}`,
      ...wrong,
    }));
    const groups = Array.from({ length: 100 }, (_, index) => ({
      name: 'shops',
      merchants: Array.from({ length: 100 }, (_none, at) => `x${at}`),
      recipients: [`a${index}@example.com`],
      daily: true,
    }));
    const defaults = {
      refunds: { statuses: Object.fromEntries(merchants.map((_, at) => [`x${at}`, 'A'])) },
    };
    const file = await write('terrible.json', { service, defaults, merchants, groups });
    // Quadratic work would exceed the time of a test.
    const run = await runCommand(['check', file, '--json']);
    expect(run.code).toBe(1);
    const { problems } = z.object({ problems: z.array(z.looseObject({})) }).parse(documentOf(run));
    expect(problems).toHaveLength(100_001);
    expect(problems.at(-1)).toMatchObject({
      path: '(root)',
      message: textLike(/^has [\d,]+ more problems, which are not listed: the first one is here$/),
    });
  },
);
