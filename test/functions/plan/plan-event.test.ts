import { describe, expect, test } from 'vitest';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';

const scheduledTime = '2026-11-21T03:00:00Z';

function memberAtFault(event: unknown): string {
  try {
    readPlanEvent(event);
  } catch (error) {
    if (error instanceof InvalidEventError) {
      expect(error.message).toContain(`the event is not usable: ${error.member}: `);
      return error.member;
    }
    throw error;
  }
  return 'none';
}

test.each([
  [
    { kind: 'daily', scheduledTime },
    { is: 'tick', byHand: false },
  ],
  [
    { kind: 'daily', scheduledTime, send: true },
    { is: 'tick', byHand: false },
  ],
  [
    { kind: 'daily', scheduledTime, dryRun: true },
    { is: 'tick', byHand: true },
  ],
  [
    { kind: 'daily', scheduledTime, send: false },
    { is: 'tick', byHand: true },
  ],
  [
    { kind: 'daily', scheduledTime, merchants: ['700001'] },
    { is: 'tick', byHand: true },
  ],
  [
    { kind: 'daily', day: '2026-11-20' },
    { is: 'day', byHand: true },
  ],
  [{ kind: 'daily' }, { is: 'day', day: 'yesterday', byHand: true }],
  [
    { kind: 'daily', day: 'today', scheduledTime },
    { is: 'day', day: 'today', scheduledTime, byHand: true },
  ],
  [
    { kind: 'daily', from: '2026-11-01', to: '2026-11-01' },
    { is: 'backfill', byHand: true },
  ],
  [{ kind: 'daily', from: '2025-11-21', to: '2026-12-25' }, { is: 'backfill' }],
  [
    { kind: 'alert', scheduledTime },
    { is: 'day', day: 'today', scheduledTime, byHand: false },
  ],
  [
    { kind: 'alert', day: '2026-11-20' },
    { is: 'day', day: '2026-11-20', byHand: true },
  ],
  [
    { kind: 'statement', scheduledTime },
    { is: 'statements', scheduledTime, byHand: false },
  ],
  [{ kind: 'statement' }, { is: 'statements', scheduledTime: undefined, byHand: true }],
  [
    { kind: 'statement', scheduledTime, merchants: ['700001'] },
    { is: 'statements', merchants: ['700001'], byHand: true },
  ],
  [
    { kind: 'statement', scheduledTime, send: false },
    { is: 'statements', send: false, byHand: true },
  ],
])('the meaning of an event %j', (event, meaning) => {
  expect(readPlanEvent(event)).toMatchObject(meaning);
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
    expect(memberAtFault(event)).toBe(member);
  });

  test('and the error never repeats the value', () => {
    const secret = 'hunter2-token';
    for (const member of ['kind', 'scheduledTime', 'day', 'from', 'send', 'merchants']) {
      expect(() => readPlanEvent({ kind: 'daily', [member]: secret })).not.toThrow(secret);
    }
  });
});
