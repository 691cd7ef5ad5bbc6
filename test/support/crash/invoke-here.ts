import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies as planDependencies } from '#functions/plan/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { watch } from '../delivery-watch/running-watch.ts';
import { prove } from '../proofs/running-prove.ts';
import { sweep } from '../sweep/running-sweep.ts';
import { announceOf } from '../announce/running-announce.ts';
import { mailEventsOf } from '../mail-events/running-mail-events.ts';
import { unsubscribeOf } from '../unsubscribe/running-unsubscribe.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { pageWorkerOf } from '../queues/running-worker.ts';

/** A cold start of each function in this process, on the world's clock. */
export const invokeHere = {
  'daily-report': (world: DaybookWorld, event: unknown) =>
    isQueueEvent(event) ? pageWorkerOf(world)(event) : world.report(recordOf(event)),
  'alert-check': (world: DaybookWorld, event: unknown) => world.alertCheck(recordOf(event)),
  announce: (world: DaybookWorld, event: unknown) => announceOf(world)(event),
  'mail-events': (world: DaybookWorld, event: unknown) => mailEventsOf(world)(event),
  unsubscribe: (world: DaybookWorld, event: unknown) => unsubscribeOf(world)(event),
  'delivery-watch': (world: DaybookWorld, event: unknown) => watch(world, recordOf(event)),
  statement: (world: DaybookWorld, event: unknown) => world.statement(recordOf(event)),
  prove: (world: DaybookWorld, event: unknown) => prove(world, event),
  sweep: (world: DaybookWorld, event: unknown) => sweep(world, recordOf(event)),
  plan: (world: DaybookWorld, event: unknown) =>
    createPlan({ ...planDependencies(readEnvironment(process.env)), clock: world.clock })(event),
};
