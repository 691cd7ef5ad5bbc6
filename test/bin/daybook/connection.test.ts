import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { textLike } from '#support/assertions/text-like.ts';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { runCommand } from '#support/command/run-command.ts';

let stage: CommandStage;

beforeAll(async () => {
  stage = await startCommandStage();
});
afterEach(() => stage.aws.faults.clear());
afterAll(() => stage.close());

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
  ])('and 2, when %s', async (_, words, line) => {
    const run = await runCommand(['status', ...words]);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: textLike(line) });
  });

  it('and 1, when there is no such stage', async () => {
    const run = await status('prod');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^there is no stage "prod" in eu-central-1: .*Daybook-prod-\w+ does not exist.*\n$/,
    );
  });

  it('and 1, when there are no credentials', async () => {
    const run = await runCommand(['status', '--stage', 'prod']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^there are no AWS credentials: sign in .*\n$/);
  });

  it.each([
    [
      'the credentials have expired',
      'ExpiredToken',
      'The security token included in the request is expired',
      /^the AWS credentials have expired: sign in .*\n$/,
    ],
    [
      'AWS does not allow the call',
      'AccessDenied',
      'User is not authorized to perform: cloudformation:DescribeStacks',
      /^AWS does not allow this: .*cloudformation:DescribeStacks.*\n$/,
    ],
  ])('and 1, when %s', async (_, code, message, line) => {
    const action = { kind: 'error', status: 403, code, message } as const;
    stage.aws.faults.add({ service: 'cloudFormation', times: 100, action });
    const run = await status('local');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(line);
  });

  it('and 1, when AWS cannot be reached', async () => {
    const run = await status('local', { AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:9' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^AWS cannot be reached \(ECONNREFUSED\).*\n$/);
  });

  it('and 1, when no local run serves', async () => {
    const run = await runCommand(['status', '--local', '--directory', join(stage.directory, 'none')]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^no local run serves in .*: start one with "npm start -- --serve --directory .*" and leave it open\n$/,
    );
  });

  it.each(['999999999.', `${process.pid}.0`])(
    'and 1, when the local run %s has ended without removing its file',
    async (name) => {
      const directory = await mkdtemp(join(tmpdir(), 'daybook-ended-'));
      const file = join(directory, 'serving.json');
      const ended = { stage: 'local', environment: {}, process: name, clockAhead: 0 };
      await writeFile(file, JSON.stringify(ended));
      const run = await runCommand(['status', '--local', '--directory', directory]);
      await rm(directory, { recursive: true });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/^the local run in .* has ended: start it again .*\n$/);
    },
  );
});

it('a stage of the account is found by its name', async () => {
  const run = await status('local', { AWS_REGION: 'us-east-1' });
  expect(run).toMatchObject({ stdout: textLike(/^Reports of \d{4}-\d{2}-\d{2} on local\n/), stderr: '' });
});

it('a command that needs no schedule works before they are deployed', async () => {
  const schedules = stage.aws.stacks.get('Daybook-local-Schedules');
  expect(schedules).toBeDefined();
  stage.aws.stacks.delete('Daybook-local-Schedules');
  const run = await runCommand(['status', ...stage.options]);
  if (schedules !== undefined) stage.aws.stacks.set('Daybook-local-Schedules', schedules);
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^Reports of /);
});
