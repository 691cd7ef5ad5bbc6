import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { membersOf, textWith } from '#support/assertions/index.ts';
import { useDesk } from '#support/command/command-stage.ts';
import { listening } from '#support/machine.ts';
import { runProgram } from '#support/run-script.ts';
import { COMMAND_LINE, says } from '#support/command/run-command.ts';

const FIRST = sandboxMerchant(0).merchantCode;

const desk = useDesk();
const { run, runProcess, ownFile, writeOwnFile, registry, secret } = desk;

it.each([
  ['stdout', ['stdout']],
  ['stdout and stderr', ['stdout', 'stderr']],
] as const)('registry push writes although nobody reads its %s', async (_, closed) => {
  await run(['registry', 'pull', 'merchants.json']);
  const text = ownFile('merchants.json').replace(/"name": ?"[^"]*"/, '"name":"Renamed"');
  expect(text).toContain('Renamed');
  writeOwnFile('merchants.json', text);
  // The first request fails, and the second comes after the output is known to be closed.
  desk.aws.faults.add({ operation: 'PutObject', action: { kind: 'reset', when: 'before' } });
  const pushed = await runProcess(['registry', 'push', 'merchants.json', '--yes'], { closed });
  expect(await registry()).toContain('Renamed');
  expect(pushed.code).toBe(0);
});

it('ends with 1 when its output cannot be written', async () => {
  const line = `"$0" "$@" >/dev/full`;
  const words = [...COMMAND_LINE, 'merchant', 'list', ...desk.stage.options];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  const ended = await runProgram('/bin/sh', ['-c', line, ...words], { env });
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'the output cannot be written (ENOSPC)\n' });
});

/** Serves the same to every request. @returns its origin */
async function garbage(status: number, body: string, type: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
  });
  return `http://${await listening(server)}`;
}

const SECRET_WORD = 'S3cr3tWord';
const BODIES = {
  nothing: '',
  null: 'null',
  'a number': '7',
  'a web page': `<html>${SECRET_WORD}\u001b[2J</html>`,
  'half of a JSON text': `{"SecretString":"${SECRET_WORD}`,
  'another word': SECRET_WORD,
  'a deep text': '['.repeat(100_000),
  'another form': `{"Stacks":7,"mail":"${SECRET_WORD}"}`,
};

it.each([
  ['LAMBDA', ['report', FIRST, '--dry-run']],
  ['LAMBDA', ['alerts', 'test', FIRST]],
  ['SECRETS_MANAGER', ['secret', 'put', FIRST]],
  ['CLOUDFORMATION', ['status']],
  ['SQS', ['redrive']],
] as const)(
  'any answer of %s to %j gives one line, without the answer',
  async (service, words) => {
    const file = join(desk.stage.directory, 'serving.json');
    const serving = membersOf(JSON.parse(readFileSync(file, 'utf8')));
    const environment = membersOf(serving['environment']);
    environment['AWS_MAX_ATTEMPTS'] = '1';
    const type = service === 'CLOUDFORMATION' ? 'text/xml' : 'application/json';
    const wrong: unknown[] = [];
    for (const [what, body] of Object.entries(BODIES)) {
      for (const status of what === 'another word' ? [200, 502] : [200]) {
        environment[`AWS_ENDPOINT_URL_${service}`] = await garbage(status, body, type);
        writeFileSync(file, JSON.stringify(serving));
        const { code, stderr } = await run(words, JSON.stringify({ password: 'x' }));
        const [said = '', more] = stderr.trim().split('\n');
        const isClear = said !== '' && more === undefined && !said.includes(SECRET_WORD);
        if (code !== 1 || !isClear || said.includes('a fault of daybook'))
          wrong.push([what, status, code, stderr]);
      }
    }
    expect(wrong).toEqual([]);
  },
  60_000,
);

it('secret check shows no control characters of an answer', async () => {
  const action = { kind: 'error', status: 400, code: 'Odd\u001b[2J' } as const;
  desk.aws.faults.add({ service: 'secretsManager', operation: 'GetSecretValue', times: Infinity, action });
  const checked = await says(run(['secret', 'check', FIRST]), 1, 'cannot be read');
  expect(checked.stdout).not.toContain('\u001b');
});

it('repeats no control characters of a wrong command line', async () => {
  for (const words of [['\u001b[2Jno'], ['status', '--\u001b[2Jno']]) {
    const ran = await run(words);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).not.toContain('\u001b');
  }
});

it.each([
  [['merchant', 'set', FIRST, 'name=Renamed', '--yes'], 's3', 'PutObject'],
  [['status', '--day', '2026-11-22'], 's3', 'GetObject', /^(?!config)/],
  [['registry', 'history'], 's3', 'ListObjectVersions'],
  [['why', FIRST, '2026-11-22'], 's3', 'GetObject', /^(?!config)/],
  [['alerts', 'history', FIRST], 's3', 'ListObjectsV2'],
  [['report', FIRST, '--dry-run'], 'lambda', 'Invoke'],
  [['secret', 'rotate', FIRST, '--yes'], 'secretsManager', 'PutSecretValue'],
])(
  'a token that expires in the middle of %j is said, and the same command then goes on',
  async (words, service, operation, key?: RegExp) => {
    const stored = async () => [await registry(), secret()];
    const before = await stored();
    const input = JSON.stringify({ password: 'another' });
    const action = { kind: 'error', status: 400, code: 'ExpiredTokenException' } as const;
    desk.aws.faults.add({ service, operation, times: Infinity, action, ...(key && { key }) });
    const said = await run(words, input);
    expect(said).toMatchObject({ code: 1, stderr: textWith('the AWS credentials have expired: sign in') });
    expect(await stored()).toEqual(before);
    desk.aws.faults.clear();
    expect((await run(words, input)).stderr).not.toContain('expired');
  },
);
