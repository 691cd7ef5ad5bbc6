import type { Table } from '../table.ts';
import type { MeasuredGroup } from './run-group.ts';

const MEBIBYTE = 1_048_576;

/** What the pages of a group needed, at the speed of the function and with the latency of AWS. */
export function groupTable(groups: readonly MeasuredGroup[]): Table {
  return {
    title: "A group's page (measured)",
    head: [
      'period',
      'merchants',
      'changed before',
      'CPU of',
      'AWS',
      'requests',
      'CPU',
      'wall',
      'peak',
      'page',
    ],
    rows: groups.map((one) => [
      one.period,
      one.merchants.toString(),
      one.corrected.toString(),
      `${one.memory} MB`,
      `${one.awsLatency} ms`,
      (one.aws.s3Get + one.aws.s3Put + one.aws.s3List).toString(),
      `${(one.cpu / 1_000).toFixed(1)} s`,
      `${(one.wall / 1_000).toFixed(1)} s`,
      `${(one.peak / MEBIBYTE).toFixed(0)} MB`,
      `${(one.bytes / MEBIBYTE).toFixed(1)} MB`,
    ]),
    notes: [],
  };
}
