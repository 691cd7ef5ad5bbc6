import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LAST_GOOD } from '#lib/functions.ts';
import { membersOf, textLike } from '#support/assertions/index.ts';
import { leafCommands } from '#support/command/command-words.ts';
import { useStage, entryOf } from '#support/command/command-stage.ts';
import { runCommand } from '#support/command/run-command.ts';
import { BUCKET, CODE, DAY, SECRET } from '#support/world/daybook-world.ts';

/** Commands that do what they are told, and look for nothing: 1 means that it could not be done. */
const DOES = [
  ...['init', 'invoke', 'registry pull', 'merchant add', 'merchant remove', 'merchant forget'],
  ...['customer forget', 'secret put', 'alerts resend', 'suppression add', 'statement reopen'],
];

/** Commands that list what is there, and say nothing about good and bad. */
const LISTS = ['suppression list'];

/** Their own tests show that they end with 1, when a day fails or SQS moves nothing. */
const SHOWN_ELSEWHERE = ['backfill', 'redrive'];

/** Commands that find something which needs a look, on a stage where all is bad: each ends with 1. */
const FINDS: Record<string, { args?: readonly string[]; input?: string }> = {
  check: { args: ['bad.json'] },
  'registry push': { args: ['bad.json', '--yes'] },
  'registry diff': { args: ['other.json'] },
  'registry history': {},
  'registry rollback': { args: ['9', '--yes'] },
  'merchant set': { args: [CODE, 'reportAt=07:30'] },
  'merchant show': { args: [CODE] },
  'merchant list': {},
  'secret rotate': { args: [CODE], input: JSON.stringify({ password: 'another' }) },
  'secret check': {},
  status: {},
  why: { args: [CODE, DAY] },
  verify: { args: ['other.json'] },
  report: { args: [CODE, '--dry-run'] },
  statement: { args: [CODE, '--dry-run'] },
  'alerts test': { args: [CODE] },
  'alerts try': { args: [CODE, 'many', '--above', '6', '--apply'] },
  'alerts history': { args: [CODE] },
  'suppression remove': { args: ['nobody@merchants.example'] },
  'lake check': {},
  doctor: {},
};

const stage = useStage('all', { merchants: 2 }, async (stage) => {
  const rule = { name: 'many', measure: 'unpaidCount', above: 5 };
  await stage.world.putRegistry({ [CODE]: { alerts: [rule] } });
  const registry = membersOf(JSON.parse(await stage.world.text('config/merchants.json')));
  // The functions use the last good registry: it has a merchant more.
  const merchants = [...[registry['merchants']].flat(), { merchantCode: '700777' }];
  await stage.aws.s3.write(BUCKET, LAST_GOOD, JSON.stringify({ ...registry, merchants }));
  // No login works, so nothing is sealed and no value is known.
  stage.aws.secrets.put(SECRET, JSON.stringify({ merchants: { [CODE]: entryOf(0) } }));
  stage.world.payments.behaviour.loginRefused = [CODE];
  await stage.aws.s3.write(BUCKET, `mail/alerts/merchant=${CODE}/20260101T000000Z-0000abcd.json`, '{');
  await writeFile(join(stage.directory, 'bad.json'), '{');
  await writeFile(join(stage.directory, 'other.json'), JSON.stringify({ ...registry, note: 'another' }));
});

it('names what every command means by its exit status', () => {
  const commands = leafCommands().map((words) => words.join(' '));
  const named = [...DOES, ...LISTS, ...SHOWN_ELSEWHERE, ...Object.keys(FINDS)];
  expect(named.toSorted()).toEqual(commands.toSorted());
});

it.each(Object.entries(FINDS))('%s ends with 1 when it finds something bad', async (name, found) => {
  const { args = [], input = '' } = found;
  const surroundings = { cwd: stage.directory, input };
  const ended =
    name === 'check'
      ? await runCommand([name, ...args], surroundings)
      : await stage.runIn(surroundings, ...name.split(' '), ...args);
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
});

const OTHER_IN_FORCE = /^Warning: this registry is not used\..* daybook registry push --accept-removals /m;

it.each([
  ['status'],
  ['why', CODE, DAY],
  ['suppression', 'list'],
  ['merchant', 'list'],
  ['merchant', 'show', CODE],
])('%s says that another registry is in force, and what mends it, in JSON too', async (...words) => {
  const { stdout, stderr } = await stage.run(...words, '--json');
  expect(stderr).toMatch(OTHER_IN_FORCE);
  const warnings = [membersOf(JSON.parse(stdout))['warnings']]
    .flat()
    .map((text) => `Warning: ${String(text)}`);
  expect(warnings).toContainEqual(textLike(OTHER_IN_FORCE));
});

it.each(['report', 'statement'])('%s says so before it runs the function', async (name) => {
  const { stderr } = await stage.run(name, CODE, '--dry-run');
  expect(stderr).toMatch(OTHER_IN_FORCE);
});
