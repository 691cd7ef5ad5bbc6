import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textLike } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { refuses, runCommand, type CommandRun } from '#support/command/run-command.ts';

const stage = useStage('all');
afterEach(() => stage.aws.faults.clear());

/** A command for a deployed stage, as somebody types it whose account is the sandbox. */
function status(name: string, environment: Record<string, string> = {}) {
  return runCommand(['status', '--stage', name], {
    environment: { ...stage.aws.environment, ...environment },
  });
}

describe('a command that cannot reach its stage ends with one line on stderr', () => {
  it.each([
    ['no stage is named', [], /^name a stage with --stage or DAYBOOK_STAGE .*dev, prod.*\n$/],
    ['the name cannot be that of a stage', ['--stage', '../prod'], /^[^\n]+\n$/],
    [
      '--local and --stage are both given',
      ['--local', '--stage', 'prod'],
      /^--local cannot be given together with --stage, --profile or --region\n$/,
    ],
  ])('and 2, when %s', (_, words, line) => refuses(runCommand(['status', ...words]), 2, line));

  it.each([
    ['ExpiredToken', 'The token is expired', /^the AWS credentials have expired: sign in .*\n$/],
    ['AccessDenied', 'not authorized: cloudformation:X', /^AWS does not allow this: .*cloudformation:X.*\n$/],
  ])('and 1, when AWS answers %s', async (code, message, line) => {
    const action = { kind: 'error', status: 403, code, message } as const;
    stage.aws.faults.add({ service: 'cloudFormation', times: 100, action });
    await refuses(status('local'), 1, line);
  });

  it.each<[string, () => Promise<CommandRun>, RegExp]>([
    [
      'there is no such stage',
      () => status('prod'),
      /^there is no stage "prod" in eu-central-1: .*Daybook-prod-\w+ does not exist.*\n$/,
    ],
    [
      'there are no credentials',
      () => runCommand(['status', '--stage', 'prod']),
      /^there are no AWS credentials: sign in .*\n$/,
    ],
    [
      'AWS cannot be reached',
      () => status('local', { AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:9' }),
      /^AWS cannot be reached \(ECONNREFUSED\).*\n$/,
    ],
    [
      'no local run serves',
      () => runCommand(['status', '--local', '--directory', join(stage.directory, 'none')]),
      /^no local run serves in .*: start one with "npm start -- --serve --directory .*" and leave it open\n$/,
    ],
    ...['999999999.', `${process.pid}.0`].map((name): [string, () => Promise<CommandRun>, RegExp] => [
      `the local run ${name} has ended without removing its file`,
      async () => {
        const directory = join(stage.directory, name);
        await mkdir(directory);
        const ended = { stage: 'local', environment: {}, process: name, clockAhead: 0 };
        await writeFile(join(directory, 'serving.json'), JSON.stringify(ended));
        return runCommand(['status', '--local', '--directory', directory]);
      },
      /^the local run in .* has ended: start it again .*\n$/,
    ]),
  ])('and 1, when %s', (_, run, line) => refuses(run(), 1, line));
});

it('a stage of the account is found by its name', async () => {
  const run = await status('local', { AWS_REGION: 'us-east-1' });
  expect(run).toMatchObject({ stdout: textLike(/^Reports of \d{4}-\d{2}-\d{2} on local\n/), stderr: '' });
});

it('a command that needs no schedule works before they are deployed', async () => {
  const schedules = stage.aws.stacks.get('Daybook-local-Schedules');
  expect(schedules).toBeDefined();
  stage.aws.stacks.delete('Daybook-local-Schedules');
  const run = await stage.run('status');
  if (schedules !== undefined) stage.aws.stacks.set('Daybook-local-Schedules', schedules);
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^Reports of /);
});
