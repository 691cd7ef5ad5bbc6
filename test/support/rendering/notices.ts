import type { OpsNotice } from '#mail/notices/ops-notice.ts';

export function aNotice(changes: Partial<OpsNotice> = {}): OpsNotice {
  return {
    about: 'mail held: mail/day=2026-11-20/merchant=700001/r0001.json, round 1',
    merchants: ['700001'],
    days: ['2026-11-20'],
    happened: 'mail of a report is held',
    meaning: ['It is not known whether the mail arrived.'],
    tried: ['Daybook does not send it again by itself.'],
    toDo: ['Read the ledger.', 'Ask the recipient.'],
    headings: ['mailHeld'],
    commands: [
      { shows: 'The ledger', does: 'show object', key: 'mail/day=2026-11-20/merchant=700001/r0001.json' },
    ],
    ...changes,
  };
}

/** A notice whose texts are all that value. */
export function noticeOf(value: string): OpsNotice {
  return aNotice({
    merchants: [value],
    days: [value],
    happened: value,
    meaning: [value],
    tried: [value],
    toDo: [value],
    errors: [value],
    commands: [
      { shows: value, does: 'show object', key: value },
      { shows: value, does: 'show log', functionName: 'plan', find: value },
      { shows: value, does: 'invoke', functionName: 'plan', event: { value } },
    ],
    list: { heading: 'They', lines: [value], total: 3 },
  });
}
