import { queueNameOf } from '#bin/local/configuration.ts';
import { addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import { REASON } from '#runtime/queues.ts';
import { defined } from '#support/assertions/index.ts';
import { runFunction, BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { removeFromRegistry } from '#support/watch/running-watch.ts';
import { happensTo, type Sample } from '#support/mail-events/running-mail-events.ts';

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

const happens = (sample: Sample, to: string) => happensTo(stage.world, to, sample);

it('explains a delivered report from the plan to the delivery, in the merchant’s time', async () => {
  await tick();
  await stage.world.report({ scheduledTime: '2026-11-21T03:00:00Z' });
  await happens('delivered', A);
  await happens('delivered', B);
  const delivered = 'The mail was delivered to 2 recipients';
  const run = await says(
    why(CODE, 'yesterday'),
    0,
    `report of ${DAY} (times in Asia/Kuwait)`,
    'pulled and sealed as revision 1 (balanced, 12 invoices)',
    `mail to ${A}: delivered`,
    delivered,
  );
  expect(run.stderr).toBe('');
  // The mail is sent again to addresses that are stopped by then.
  for (const address of [A, B])
    await stage.aws.s3.write(BUCKET, suppressionKey(addressHash(address)), '{"reason":"asked us to"}');
  await stage.world.report({ resend: true });
  const again = await says(why(CODE, 'yesterday'), 0, delivered);
  expect(again.stdout).not.toContain('got none');
});

it('explains a message that waits, one that was put aside, and a tick that sent none', async () => {
  await tick();
  const commands = [`npx daybook report ${CODE} --day ${DAY} --local --directory ${stage.directory}`];
  expect(await endingOf()).toMatchObject({ ending: 'in the queue', commands });
  const { queues } = stage.aws;
  const [message] = queues.messages(queueNameOf('reports'));
  queues.purge(queueNameOf('reports'));
  expect(await endingOf()).toMatchObject({ ending: 'never planned' });
  const attributes = { [REASON]: `${DAY}: CipherError: the key is wrong` };
  queues.send(`${queueNameOf('reports')}-dead`, defined(message).body, { attributes });
  const aside = /among the dead letters since .*: 2026-11-20: CipherError: the key is wrong/;
  const redrive = 'npx daybook redrive reports --local';
  await says(why(CODE, DAY), 1, 'its message was put aside', aside, redrive);
  expect(queues.counts(`${queueNameOf('reports')}-dead`)).toMatchObject({ visible: 1, inFlight: 0 });
  queues.purge(`${queueNameOf('reports')}-dead`);
  await stage.aws.s3.remove(BUCKET, 'plan/daily.json');
  await says(why(CODE, DAY), 1, 'No tick is known at all.', 'npx daybook doctor --local');
});

it('says who may not read dead letters that there are some', async () => {
  const { faults, queues } = stage.aws;
  queues.send(`${queueNameOf('backfills')}-dead`, '{}');
  faults.add({ service: 'sqs', operation: 'ReceiveMessage', action: knownErrors.sqs.accessDenied });
  const { stderr } = await says(why(CODE, DAY), 1);
  expect(stderr).toContain('Messages were put aside. Your rights do not let you read whose they are.');
});

it('explains a pull that failed, what the watch notified, and on which mornings plan hands the day out again', async () => {
  stage.world.payments.behaviour.loginRefused = [CODE];
  await expect(stage.world.report()).rejects.toThrow();
  await runFunction('delivery-watch', {}, stage.world.clock);
  const notified = 'it has notified the operators of this page';
  const ended = /The last pull ended at .* with LoginRefusedError/;
  const { stdout } = await says(why(CODE, DAY), 1, 'last pull failed: LoginRefusedError', notified, ended);
  const named = [...stdout.matchAll(/2026-11-\d\d 06:00(?=[,.])/g)].map(([time]) => time);
  const handedOut: string[] = [];
  for (let date = 22; date <= 30; date += 1) {
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
  await says(why(CODE, DAY, '--to', B), 1, 'Mail to this address is stopped: asked us to.');
});

it('explains a mail that bounced and stopped the address, and names the command to use', async () => {
  await stage.world.report();
  await happens('bounced-permanent', B);
  const failed = `npx daybook report ${CODE} --day ${DAY} --resend --failed --local`;
  await says(why(CODE, DAY), 1, 'The mail came back from 1 recipient.', failed);
  const stopped = /The mail to this address came back at .* Mail to this address is stopped since/;
  const one = why(CODE, DAY, '--to', B.toUpperCase());
  expect((await says(one, 1, stopped, 'npx daybook suppression remove')).stdout).not.toContain(A);
  await says(why(CODE, DAY, '--to', A), 0);
});

it('explains a held mail, and that it was sent again', async () => {
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  await stage.world.report();
  expect(await endingOf()).toMatchObject({ ending: 'held' });
  await stage.world.report({ resend: 'failed' });
  await says(why(CODE, DAY), 0, `mail to ${B} again (round 2 of 2): taken by the mail service`);
});

it('explains a day that is not due, and one before reportFrom', async () => {
  stage.setTime('2026-11-21T02:00:00Z');
  expect(await endingOf()).toMatchObject({ ending: 'not due yet' });
  await stage.world.putRegistry({ [CODE]: { recipients: [A], reportFrom: '2026-12-01' } });
  expect(await endingOf()).toMatchObject({ ending: 'before reportFrom' });
});

it('explains an entry that cannot be used, and a merchant that is gone', async () => {
  await stage.world.putRegistry({ [CODE]: { recipients: [A], reportAt: 'at dawn' } });
  await says(why(CODE, DAY), 1, 'reportAt', 'npx daybook registry pull --local');
  await stage.world.putRegistry({ [CODE]: { recipients: [A] } });
  stage.world.payments.behaviour.loginRefused = [CODE];
  await expect(stage.world.report()).rejects.toThrow();
  await stage.world.putRegistry({ [CODE]: { merchantCode: '800001', recipients: [A] } });
  expect(await endingOf()).toMatchObject({ ending: 'not in the registry' });
});

it('explains what became of a merchant that was removed, and a record that cannot be read', async () => {
  await stage.world.report();
  await removeFromRegistry(stage.world, CODE);
  expect(await endingOf()).toMatchObject({ ending: 'mailed' });
  // Not a day of it, but its history.
  const older = await why(CODE, '2026-11-19', '--json');
  expect(documentOf(older)).toMatchObject({ ending: 'not in the registry' });
  await says(why(CODE, '2026-10'), 1, `The registry has no merchant ${CODE} any more`);
  await stage.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), 'no ledger');
  expect(await endingOf()).toMatchObject({ ending: 'not readable' });
});

it('says which merchant was meant, and refuses a day that is none', async () => {
  const line = `the registry has no merchant "700002x": did you mean ${CODE}?\n`;
  expect(await why('700002x', DAY)).toEqual({ code: 1, stdout: '', stderr: line });
  await refuses(why(CODE, 'friday'), 2);
});
