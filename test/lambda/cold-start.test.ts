import { coldStarts, errorOf, hostedFunction } from '#support/lambda/hosted.ts';
import { DaybookWorld } from '#support/world/daybook-world.ts';

it('is logged for the first invocation of each process, and a plan that was killed is made again', async () => {
  const world = await DaybookWorld.start();
  // The functions have the machine's clock here.
  world.clock.setTo(Date.now());
  try {
    const plan = hostedFunction('plan', world.environment, { timeout: 5_000 });
    const event = { kind: 'daily', day: 'yesterday' };
    const answer = { answer: { itemCount: 1 } };
    expect(await plan.invoke(event)).toMatchObject(answer);
    expect(await plan.invoke(event)).toMatchObject(answer);

    world.awsDoes({ kind: 'hang' }, { service: 'sqs', operation: 'SendMessageBatch' });
    expect(errorOf(await plan.invoke(event))).toBe('Sandbox.Timedout');

    expect(await plan.invoke(event)).toMatchObject(answer);
    expect(plan.started).toBe(2);
    expect(coldStarts(plan.log, 'planned')).toEqual([true, false, true]);
  } finally {
    await world.close();
  }
});
