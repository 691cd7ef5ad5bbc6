import type { Context } from 'aws-lambda';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { registryText, plannerOn, REGISTRY, sandboxOfFile } from '#support/plan/running-plan.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

const sandbox = await sandboxOfFile();
const NEXT = '2026-11-21T03:15:00Z';
const TICK = { kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' };
const HANG = { kind: 'hang', when: 'before' } as const;

beforeEach(() => {
  captureOutput();
  sandbox.faults.clear();
  sandbox.mail.messages.length = 0;
});

/** One due merchant, and a wrong entry, a wrong rule and an unknown member, which cause three notices. */
const WRONG = registryText([
  { merchantCode: '700001', alerts: [{ name: 'r', measure: 'unpaid', above: 1 }], reciepients: [] },
  { merchantCode: '700002', timeZone: 'Nowhere' },
]);
const OPS_RECIPIENTS = Array.from({ length: 5 }, (_, index) => `ops-${index}@example.com`).join(',');

function contextOf(milliseconds: number): Context {
  const end = performance.now() + milliseconds;
  return lambdaContext({ getRemainingTimeInMillis: () => end - performance.now() });
}

test.each([
  ['SES', ['ses']],
  ['SES and SNS', ['ses', 'sns']],
] as const)(
  'a tick with a notice to send ends in time although %s never answers, and a later tick sends the notice',
  async (_, services) => {
    const planner = plannerOn(sandbox, undefined, {
      OPS_RECIPIENTS,
      OPS_TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:ops',
    });
    await planner.write(REGISTRY, WRONG);
    for (const service of services) sandbox.faults.add({ service, times: Infinity, action: HANG });
    const earlier = sandbox.notices.messages.length;
    const began = performance.now();
    expect(await planner.plan(TICK, contextOf(6_000))).toMatchObject({ itemCount: 1 });
    // A third of six seconds, and some time for the rest on a busy machine.
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(await planner.read('plan/daily.json')).toContain('"tick":"2026-11-21T03:00:00Z"');
    const told = services.length === 1 ? 3 : 0;
    expect(sandbox.notices.messages.length - earlier).toBe(told);

    sandbox.faults.clear();
    await planner.plan({ ...TICK, scheduledTime: NEXT }, contextOf(120_000));
    expect(planner.keys('mail/ops/')).toHaveLength(3);
    expect(sandbox.notices.messages.length - earlier).toBe(3);
  },
);
