import { PEERS, PROOF_AND_MAIL } from './peers.ts';
import type { Case } from './compare.ts';
import { mediansOf, multiplesOf } from './ratios.ts';
import { megabytes, seconds } from '../rows/row.ts';
import type { Table } from '../fleet/table.ts';

const [DAYBOOK] = PEERS.map(({ name }) => name);

/** Every program as multiples of Daybook, one table for each page size and latency. Daybook's row has its own figures. */
export function caseTable({ perPage, latency, rounds }: Case, invoices: number): Table {
  const base = DAYBOOK ?? '';
  const there = PEERS.filter(({ name }) => rounds.every((round) => name in round));
  const own = mediansOf(rounds, base);
  return {
    title: `${invoices.toLocaleString('en')} invoices, ${perPage} a page, ${latency} ms a request`,
    head: ['program', 'time', 'processor', 'memory', 'leaves out'],
    rows: there.map(({ name, leavesOut }) => {
      if (name === base) return [name, seconds(own.wall), seconds(own.cpu), megabytes(own.peak), leavesOut];
      const { wall, cpu, peak } = multiplesOf(rounds, name, base);
      return [name, ...[wall, cpu, peak].map((ratio) => ratio.toFixed(2)), leavesOut];
    }),
    notes: [
      `Daybook's row has its own figures. The others are multiples of it: below 1 is less than Daybook. Medians of ${rounds.length} rounds.`,
      PROOF_AND_MAIL,
    ],
  };
}
