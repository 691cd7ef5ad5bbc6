import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { objectEventSchema } from '#watch/announce/create-announce.ts';
import { readAlertCheckEvent } from '#alerts/alert-check/alert-check-run.ts';
import { readDailyReportEvent } from '#page/daily-report/prepare-run.ts';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readSesEvent } from '#mail/mail-events/ses-event.ts';
import { addressHash } from '#records/storage/keys.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { readStatementEvent } from '#page/statement/answer-page.ts';
import { eventSchema } from '#page/prove/create-prove.ts';
import { readLakeEvent } from '#lake/create-lake.ts';
import { readSweepEvent } from '#watch/sweep/create-sweep.ts';
import { EVENTS, sampleEvents } from '#lib/console-stack.ts';
import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import type { FunctionName, OptionalFunctionName } from '#lib/functions.ts';
import { webRequest } from '#mail/link-page.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const READERS: Record<FunctionName | OptionalFunctionName, (event: unknown) => unknown> = {
  announce: (event) => objectEventSchema.parse(event),
  link: webRequest,
  unsubscribe: webRequest,
  plan: readPlanEvent,
  'daily-report': readDailyReportEvent,
  'alert-check': readAlertCheckEvent,
  statement: (event) => readStatementEvent(event),
  'delivery-watch': (event) => readWatchEvent(event, () => Date.parse('2026-11-21T04:00:00Z')),
  'mail-events': (event) => readSesEvent(event, addressHash('daybook@example.com')),
  prove: (event) => eventSchema.parse(event),
  sweep: (event) => readSweepEvent(event, () => Date.parse('2026-11-21T04:00:00Z')),
  lake: (event) => readLakeEvent(event, Date.parse('2026-11-21T04:00:00Z')),
};

const cases = Object.entries(READERS).flatMap(([name, read]) =>
  Object.entries(sampleEvents(name)).map(([event, value]) => ({ name, event, value, read })),
);

// Done outside of the tests, because a synth on a busy machine can take longer than a test may.
const withoutEvents = (await synthesise('dev')).templates;
const besideOthers = (await synthesise('dev', ({ console }) => (console.testEvents = 'existing-registry')))
  .template;

describe('events for the console', () => {
  it('exist for every function', () => {
    const names = Object.keys({ ...FUNCTIONS, ...OPTIONAL_FUNCTIONS });
    expect(readdirSync(EVENTS).toSorted()).toEqual(names.toSorted());
  });

  it.each(cases)('are accepted: $name takes $event', ({ value, read }) => {
    expect(() => read(value)).not.toThrow();
  });

  it('are left out, or added to an existing registry, when the settings say so', () => {
    expect(withoutEvents).not.toHaveProperty('Console');
    besideOthers('Console').resourceCountIs('AWS::EventSchemas::Registry', 0);
    besideOthers('Console').resourceCountIs('AWS::EventSchemas::Schema', Object.keys(FUNCTIONS).length);
  });
});
