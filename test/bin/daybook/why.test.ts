import { queueNameOf } from '#bin/local/configuration.ts';
import { expect, it } from 'vitest';
import { addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import { REASON } from '#runtime/queues.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { defined } from '#support/assertions/defined.ts';
import { runFunction } from '#support/world/world-functions.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf } from '#support/command/run-command.ts';
import { removeFromRegistry } from '#support/delivery-watch/running-watch.ts';
import { mailEventsOf } from '#support/mail-events/running-mail-events.ts';
import { sesEvent } from '#support/mail-events/ses-events.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';

const stage = useStage('each', {}, async (stage) => {
  await stage.world.putRegistry({ [CODE]: { recipients: [A, B] } });
  stage.world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 3 });
});

const why = (...args: string[]) => stage.run('why', ...args);
const endingOf = async () => documentOf(await why(CODE, DAY, '--json'));

async function tick(): Promise<void> {
  await runFunction('plan', { kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' }, stage.world.clock);
}

async function happens(sample: 'delivered' | 'bounced-permanent', to: string): Promise<void> {
  const mail = stage.world.mails('report').findLast(({ destinations }) => destinations.includes(to));
  await mailEventsOf(stage.world)(await sesEvent(sample, mail));
}

it('explains a delivered report from the plan to the delivery, in the merchant’s time', async () => {
  await tick();
  await stage.world.report({ scheduledTime: '2026-11-21T03:00:00Z' });
  await happens('delivered', A);
  await happens('delivered', B);
  const run = await why(CODE, 'yesterday');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain(`report of ${DAY} (times in Asia/Kuwait)`);
  expect(run.stdout).toContain('pulled and sealed as revision 1 (balanced, 12 invoices)');
  expect(run.stdout).toContain(`mail to ${A}: delivered`);
  expect(run.stdout).toContain('The mail was delivered to 2 recipients');
});

it('counts who got the mail, also when it was sent again to an address that is stopped by then', async () => {
  await stage.world.report({ scheduledTime: '2026-11-21T03:00:00Z' });
  await happens('delivered', A);
  await happens('delivered', B);
  for (const address of [A, B])
    await stage.aws.s3.write(BUCKET, suppressionKey(addressHash(address)), '{"reason":"asked us to"}');
  await stage.world.report({ resend: true });
  const run = await why(CODE, 'yesterday');
  expect(run).toMatchObject({ code: 0, stdout: textWith('The mail was delivered to 2 recipients') });
  expect(run.stdout).not.toContain('got none');
});

it('explains a message that waits, one that was put aside, and a tick that sent none', async () => {
  await tick();
  expect(await endingOf()).toMatchObject({
    ending: 'in the queue',
    commands: [`npx daybook report ${CODE} --day ${DAY} --local --directory ${stage.directory}`],
  });
  const { queues } = stage.aws;
  const [message] = queues.messages(queueNameOf('reports'));
  queues.purge(queueNameOf('reports'));
  expect(await endingOf()).toMatchObject({ ending: 'never planned' });
  const attributes = { [REASON]: `${DAY}: CipherError: the key is wrong` };
  queues.send(`${queueNameOf('reports')}-dead`, defined(message).body, { attributes });
  const aside = await why(CODE, DAY);
  expect(aside).toMatchObject({ code: 1, stdout: textWith('its message was put aside') });
  expect(aside.stdout).toMatch(/among the dead letters since .*: 2026-11-20: CipherError: the key is wrong/);
  expect(aside.stdout).toContain('npx daybook redrive reports --local');
  expect(queues.counts(`${queueNameOf('reports')}-dead`)).toMatchObject({ visible: 1, inFlight: 0 });
  queues.purge(`${queueNameOf('reports')}-dead`);
  await stage.aws.s3.remove(BUCKET, 'plan/daily.json');
  const run = await why(CODE, DAY);
  expect(run).toMatchObject({ code: 1, stdout: textWith('No tick is known at all.') });
  expect(run.stdout).toContain('npx daybook doctor --local');
});

it('says who may not read dead letters that there are some', async () => {
  const { faults, queues } = stage.aws;
  queues.send(`${queueNameOf('backfills')}-dead`, '{}');
  faults.add({ service: 'sqs', operation: 'ReceiveMessage', action: knownErrors.sqs.accessDenied });
  const run = await why(CODE, DAY);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('Messages were put aside. Your rights do not let you read whose they are.');
});

it('explains a pull that failed, and what the watch notified', async () => {
  stage.world.payments.behaviour.loginRefused = [CODE];
  await expect(stage.world.report()).rejects.toThrow();
  await runFunction('delivery-watch', {}, stage.world.clock);
  const run = await why(CODE, DAY);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('last pull failed: LoginRefusedError');
  expect(run.stdout).toContain('it has notified the operators of this page');
  expect(run.stdout).toMatch(/The last pull ended at .* with LoginRefusedError/);
});

it('names the mornings on which plan hands the day out again', async () => {
  stage.world.payments.behaviour.loginRefused = [CODE];
  await expect(stage.world.report()).rejects.toThrow();
  const { stdout } = await why(CODE, DAY);
  const named = [...stdout.matchAll(/2026-11-\d\d 06:00(?=[,.])/g)].map(([time]) => time);
  const handedOut: string[] = [];
  for (const date of ['22', '23', '24', '25', '26', '27', '28', '29', '30']) {
    const scheduledTime = `2026-11-${date}T03:00:00Z`;
    stage.setTime(scheduledTime);
    const { items = [] } = await stage.world.plan({ kind: 'daily', scheduledTime });
    if (JSON.stringify(items).includes(DAY)) handedOut.push(`2026-11-${date} 06:00`);
  }
  expect(named).toEqual(handedOut);
  expect(named).toHaveLength(3);
});

it('shows a stop whose time a person wrote in words', async () => {
  const stop = { reason: 'asked us to', at: 'last Monday' };
  await stage.aws.s3.write(BUCKET, suppressionKey(addressHash(B)), JSON.stringify(stop));
  await stage.world.report();
  const run = await why(CODE, DAY, '--to', B);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('Mail to this address is stopped: asked us to.');
});

it('explains a mail that bounced and stopped the address, and names the command to use', async () => {
  await stage.world.report();
  await happens('bounced-permanent', B);
  const day = await why(CODE, DAY);
  expect(day.stdout).toContain('The mail came back from 1 recipient.');
  expect(day.stdout).toContain(`npx daybook report ${CODE} --day ${DAY} --resend --failed --local`);
  const one = await why(CODE, DAY, '--to', B.toUpperCase());
  expect(one.code).toBe(1);
  expect(one.stdout).toMatch(
    /The mail to this address came back at .* Mail to this address is stopped since/,
  );
  expect(one.stdout).toContain('npx daybook suppression remove');
  expect(one.stdout).not.toContain(A);
  expect((await why(CODE, DAY, '--to', A)).code).toBe(0);
});

it('explains a held mail, and that it was sent again', async () => {
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  await stage.world.report();
  expect(await endingOf()).toMatchObject({ ending: 'held' });
  await stage.world.report({ resend: 'failed' });
  const run = await why(CODE, DAY);
  expect(run.code).toBe(0);
  expect(run.stdout).toContain(`mail to ${B} again (round 2 of 2): taken by the mail service`);
});

it('explains a day that is not due, and one before reportFrom', async () => {
  stage.setTime('2026-11-21T02:00:00Z');
  expect(await endingOf()).toMatchObject({ ending: 'not due yet' });
  await stage.world.putRegistry({ [CODE]: { recipients: [A], reportFrom: '2026-12-01' } });
  expect(await endingOf()).toMatchObject({ ending: 'before reportFrom' });
});

it('explains an entry that cannot be used, and a merchant that is gone', async () => {
  await stage.world.putRegistry({ [CODE]: { recipients: [A], reportAt: 'at dawn' } });
  const run = await why(CODE, DAY);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('reportAt');
  expect(run.stdout).toContain('npx daybook registry pull --local');
  await stage.world.putRegistry({ [CODE]: { recipients: [A] } });
  stage.world.payments.behaviour.loginRefused = [CODE];
  await expect(stage.world.report()).rejects.toThrow();
  await stage.world.putRegistry({ [CODE]: { merchantCode: '800001', recipients: [A] } });
  expect(await endingOf()).toMatchObject({ ending: 'not in the registry' });
});

it('explains a record that cannot be read', async () => {
  await stage.world.report();
  await stage.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), 'no ledger');
  expect(await endingOf()).toMatchObject({ ending: 'not readable' });
});

it('explains what became of a merchant that was removed', async () => {
  await stage.world.report();
  await removeFromRegistry(stage.world, CODE);
  expect(await endingOf()).toMatchObject({ ending: 'mailed' });
  // Not a day of it, but its history.
  expect(documentOf(await why(CODE, '2026-11-19', '--json'))).toMatchObject({
    ending: 'not in the registry',
  });
  const month = await why(CODE, '2026-10');
  expect(month).toMatchObject({ code: 1, stdout: textWith(`The registry has no merchant ${CODE} any more`) });
});

it('says which merchant was meant, and refuses a day that is none', async () => {
  expect(await why('700002x', DAY)).toEqual({
    code: 1,
    stdout: '',
    stderr: `the registry has no merchant "700002x": did you mean ${CODE}?\n`,
  });
  expect(await why(CODE, 'friday')).toMatchObject({ code: 2, stdout: '' });
});
