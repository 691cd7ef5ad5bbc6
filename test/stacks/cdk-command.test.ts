import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitCodeOf, textLike } from '#support/assertions/index.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** What `cdk synth` needs of the repository. Of the functions all but the entries, which it would build. */
const NEEDED = ['cdk.json', 'package.json', 'bin/app.ts', 'lib', 'scripts', 'functions'];

const root = await mkdtemp(join(tmpdir(), 'daybook-cdk-command-'));

beforeAll(async () => {
  const noEntry = (path: string) => !path.endsWith('.lambda.ts');
  for (const path of NEEDED)
    await cp(join(REPOSITORY, path), join(root, path), { recursive: true, filter: noEntry });
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  // A build of it stops at once, and says so.
  await mkdir(join(root, 'functions/broken'));
  await writeFile(join(root, 'functions/broken/broken.lambda.ts'), 'export const handler = ;\n');
  await mkdir(join(root, 'dist/functions/of-before'), { recursive: true });
});

/** Runs `npx cdk …` in the copy, without an account. It ends with these complaints, and deploys nothing. */
async function expectComplaints(args: readonly string[], expected: readonly unknown[]): Promise<void> {
  const child = spawn(process.execPath, ['node_modules/aws-cdk/bin/cdk', ...args], {
    cwd: root,
    env: {
      HOME: root,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, out, complaints] = await Promise.all([
    exitCodeOf(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(complaints.trim().split('\n')).toEqual(expected);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(await readdir(join(root, 'cdk.out'))).not.toContain('manifest.json');
}

const CHOICES =
  'use -c stage=dev, -c stage=prod, or the path of your own file, such as -c stage=../daybook/prod.json';
const STOPPED = 'node bin/app.ts: Subprocess exited with error 1';

it.each([
  ['synth without a stage', ['synth'], `no stage is named: ${CHOICES}`],
  ['destroy without a stage', ['destroy', '--all', '--force'], `no stage is named: ${CHOICES}`],
  [
    'deploy of the example',
    ['deploy', '--all', '-c', 'stage=dev'],
    'the stage dev has values of the example: service.origins[0], mail.domain, mail.from, mail.sandboxRecipients[0], ops.recipients[0], ops.subscribers[0], ops.runbook. "npx daybook init --stage dev" writes yours; -c example=true makes the templates all the same, to look at them',
  ],
])('%s says what to do, and builds nothing', async (_, args, says) => {
  await expectComplaints(args, [says, STOPPED]);
  expect(await readdir(join(root, 'dist/functions'))).toEqual(['of-before']);
});

it('builds the functions of a stage that it knows, and stops if they do not build', async () => {
  const says = textLike(/^build: functions\/broken\/broken\.lambda\.ts does not build: /);
  await expectComplaints(['synth', '-c', 'stage=dev', '-c', 'example=true'], [says, STOPPED]);
  expect(await readdir(join(root, 'dist/functions'))).toEqual([]);
});
