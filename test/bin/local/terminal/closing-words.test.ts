import { PassThrough } from 'node:stream';
import { printFailures, printRemarks } from '#bin/local/terminal/closing-words.ts';
import { terminalOn } from '#bin/local/terminal/terminal.ts';

const nothing = { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' };
const REPORT = {
  ...{ merchantCode: '700001', day: '2025-03-14', revision: 1, unchanged: false, balanced: false },
  counts: { total: 3, paid: 1, notPaid: 2, cancelled: 0, other: 0 },
  amounts: nothing,
  refunds: { count: 0, total: null, byStatus: {}, saleBasis: { count: 0, total: null, byStatus: {} } },
  differences: [
    { what: 'pagination.total of invoiceType 1', service: 4, rows: 3 },
    { what: 'stats.invoice_paid', service: null, rows: 1 },
  ],
  notCompared: [],
  manifestKey: null,
  mail: { status: 'skipped', reason: 'the day is empty', messageIds: [] },
};

it('what does not balance, was not mailed or failed is named after the tables', () => {
  const [out, complaints] = [new PassThrough(), new PassThrough()];
  const terminal = terminalOn(Object.assign(out, { isTTY: false, columns: 80 }), complaints);
  const day = { merchantCode: '700001', day: '2025-03-14', took: 1 };
  const rows = [
    { name: 'One', outcome: { ...day, report: REPORT, mailKind: undefined } },
    { name: 'Two', outcome: { ...day, merchantCode: '700002', failure: 'ServerError: HTTP 503' } },
  ];
  printRemarks(terminal, rows);
  printFailures(terminal, rows);
  expect(String(out.read())).toBe(`
700001 2025-03-14: pagination.total of invoiceType 1: the service says 4, its rows 3 (and 1 more)
700001 2025-03-14: no mail: the day is empty
`);
  expect(String(complaints.read())).toBe('700002 2025-03-14 failed: ServerError: HTTP 503\n');
});
