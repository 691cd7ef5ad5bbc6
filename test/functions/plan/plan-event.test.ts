import { describe, expect, test } from 'vitest';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { textWith } from '#support/assertions/text-with.ts';

const scheduledTime = '2026-11-21T03:00:00Z';

const merchants = ['700001'];
test.each<{ daily?: object; alert?: object; statement?: object; means: object }>([
  { daily: { scheduledTime }, means: { is: 'tick', byHand: false } },
  { daily: { scheduledTime, send: true }, means: { is: 'tick', byHand: false } },
  { daily: { scheduledTime, dryRun: true }, means: { is: 'tick', byHand: true } },
  { daily: { scheduledTime, send: false }, means: { is: 'tick', byHand: true } },
  { daily: { scheduledTime, merchants }, means: { is: 'tick', byHand: true } },
  { daily: { day: '2026-11-20' }, means: { is: 'day', byHand: true } },
  { daily: {}, means: { is: 'day', day: 'yesterday', byHand: true } },
  { daily: { day: 'today', scheduledTime }, means: { is: 'day', day: 'today', scheduledTime, byHand: true } },
  { daily: { from: '2026-11-01', to: '2026-11-01' }, means: { is: 'backfill', byHand: true } },
  { daily: { from: '2025-11-21', to: '2026-12-25' }, means: { is: 'backfill' } },
  { alert: { scheduledTime }, means: { is: 'day', day: 'today', scheduledTime, byHand: false } },
  { alert: { day: '2026-11-20' }, means: { is: 'day', day: '2026-11-20', byHand: true } },
  { statement: { scheduledTime }, means: { is: 'statements', scheduledTime, byHand: false } },
  { statement: {}, means: { is: 'statements', scheduledTime: undefined, byHand: true } },
  { statement: { scheduledTime, merchants }, means: { is: 'statements', merchants, byHand: true } },
  { statement: { scheduledTime, send: false }, means: { is: 'statements', send: false, byHand: true } },
])('the meaning of an event: %j', ({ means, ...event }) => {
  for (const [kind, members] of Object.entries(event))
    expect(readPlanEvent({ kind, ...members })).toMatchObject(means);
});

describe('an unusable event causes an error that names the member', () => {
  test.each([
    [undefined, '(root)'],
    [[], '(root)'],
    [{}, 'kind'],
    [{ kind: 'hourly' }, 'kind'],
    [{ kind: 'daily', scheduledTime: '2026-11-21' }, 'scheduledTime'],
    [{ kind: 'daily', scheduledTime: '2026-11-21T03:00:00+03:00' }, 'scheduledTime'],
    [{ kind: 'daily', merchants: [] }, 'merchants'],
    [{ kind: 'daily', merchants: ['700001', '../x'] }, 'merchants[1]'],
    [{ kind: 'daily', day: '2026-02-30' }, 'day'],
    [{ kind: 'daily', day: 'tomorrow' }, 'day'],
    [{ kind: 'daily', from: '2026-11-01' }, 'to'],
    [{ kind: 'daily', to: '2026-11-01' }, 'from'],
    [{ kind: 'daily', from: 'x', to: '2026-11-01' }, 'from'],
    [{ kind: 'daily', from: '2026-11-02', to: '2026-11-01' }, 'to'],
    [{ kind: 'daily', from: '2025-11-20', to: '2026-12-25' }, 'to'],
    [{ kind: 'daily', from: '2026-11-01', to: '2026-11-02', day: 'today' }, 'day'],
    [{ kind: 'alert', from: '2026-11-01', to: '2026-11-02' }, 'from'],
    [{ kind: 'daily', send: 'false' }, 'send'],
    [{ kind: 'alert', send: false }, 'send'],
    [{ kind: 'daily', form: '2026-11-01' }, 'form'],
    [{ kind: 'statement', day: 'today' }, 'day'],
    [{ kind: 'statement', from: '2026-11-01', to: '2026-11-02' }, 'from'],
    [{ kind: 'daily', scheduledTime, remember: true }, 'remember'],
    [{ kind: 'daily', dryRun: 'yes' }, 'dryRun'],
  ])('%j', (event, member) => {
    const message = textWith(`the event is not usable: ${member}: `);
    expect(() => readPlanEvent(event)).toThrow(
      expect.objectContaining({ name: 'InvalidEventError', member, message }),
    );
  });

  test('and the error never repeats the value', () => {
    const secret = 'hunter2-token';
    for (const member of ['kind', 'scheduledTime', 'day', 'from', 'send', 'merchants']) {
      expect(() => readPlanEvent({ kind: 'daily', [member]: secret })).not.toThrow(secret);
    }
  });
});
