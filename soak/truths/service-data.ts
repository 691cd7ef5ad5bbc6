import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { dataFile, type Manifest, type Table } from '#records/revision/manifest.ts';
import type { DayTruth } from '#sandbox/payments/index.ts';
import type { ServiceRecord } from '../world.ts';
import { linesOf, type BrokenPromise, type Evidence } from './evidence.ts';

export interface ServiceDay {
  merchantCode: string;
  day: string;
  truth: DayTruth;
  invoices: readonly ServiceRecord[];
  refunds: readonly ServiceRecord[];
  /** The merchant's refunds of all dates, by id. */
  allRefunds: ReadonlyMap<number, ServiceRecord>;
}

const rowSchema = z.looseObject({
  id: z.int(),
  _merchant_code: z.string(),
  _day: z.string(),
  _query_type: z.unknown(),
});

/** A day's sealed rows, without Daybook's own members. */
function rowsOf(
  evidence: Pick<Evidence, 'objects'>,
  manifest: Manifest,
  table: Table,
): Map<number, ServiceRecord> {
  const lines = linesOf(evidence, dataFile(manifest, table, 'json').key);
  return new Map(
    lines.map((line) => {
      const { _merchant_code, _day, _query_type, ...row } = rowSchema.parse(JSON.parse(line));
      return [row.id, row];
    }),
  );
}

function differences(what: string, sealed: unknown, service: unknown): string[] {
  if (isDeepStrictEqual(sealed, service)) return [];
  return [`${what}: sealed ${JSON.stringify(sealed)}, the service has ${JSON.stringify(service)}`];
}

function rowFaults(
  name: string,
  sealed: ReadonlyMap<number, ServiceRecord>,
  records: readonly ServiceRecord[],
): string[] {
  return records.flatMap((record) => {
    const row = sealed.get(record.id);
    if (row === undefined) return [`${name} ${record.id} of the service is not sealed`];
    return isDeepStrictEqual(row, record)
      ? []
      : [`${name} ${record.id} is not sealed with its current content`];
  });
}

const STATES = { paid: '1', notPaid: '0', cancelled: '3' } as const;
const REFUND_STATUSES = { pending: '0', approved: '1', rejected: '2' } as const;
const NOTHING = { count: 0, total: '0.000' };

function figureFaults({ counts, amounts, refunds }: Manifest, { truth }: ServiceDay): string[] {
  const { invoices, refunds: refunded } = truth;
  const states = Object.entries(STATES).map(
    ([name, status]) => [name, invoices.byStatus[status] ?? NOTHING] as const,
  );
  const statuses = Object.entries(REFUND_STATUSES).map(
    ([name, status]) => [name, refunded.byStatus[status] ?? NOTHING] as const,
  );
  return [
    ...differences('counts', counts, {
      total: invoices.count,
      ...Object.fromEntries(states.map(([name, { count }]) => [name, count])),
      other: 0,
    }),
    ...differences('amounts', amounts, {
      ...Object.fromEntries(states.map(([name, { total }]) => [name, total])),
      other: '0.000',
    }),
    ...differences(
      'refunds',
      { ...refunds, saleBasis: undefined },
      {
        count: refunded.count,
        total: refunded.total,
        byStatus: Object.fromEntries(statuses),
        saleBasis: undefined,
      },
    ),
  ];
}

/** A sealed refund that the service no longer has is a difference. The manifest must name it. */
function balanceFaults({ balanced, differences: spelt }: Manifest, { allRefunds }: ServiceDay): string[] {
  const unfounded = spelt.filter(({ what, service }) => {
    const id = /^refund (\d+)$/.exec(what)?.[1];
    return id === undefined || service !== 'not found' || allRefunds.has(Number(id));
  });
  return [
    ...differences('differences', unfounded, []),
    ...differences('balanced', balanced, spelt.length === 0),
  ];
}

/** The newest sealed revision contains the service's own rows with their current content, and the service's figures. */
export function serviceData(
  evidence: Pick<Evidence, 'objects'>,
  newest: Manifest | undefined,
  service: ServiceDay,
): BrokenPromise[] {
  const { merchantCode, day } = service;
  if (newest === undefined) return [{ merchantCode, day, what: 'no revision is sealed' }];
  const invoices = rowsOf(evidence, newest, 'invoices');
  const refunds = rowsOf(evidence, newest, 'refunds');
  const known = new Set(service.invoices.map(({ id }) => id));
  const gone = [...invoices.keys()].filter((id) => !known.has(id));
  // Refunds of other dates stay in the snapshot, but do not count any more.
  const others = [...refunds.values()].filter(
    ({ id }) => !service.refunds.some((record) => record.id === id),
  );
  const faults = [
    ...rowFaults('invoice', invoices, service.invoices),
    ...gone.map((id) => `invoice ${id} is sealed, but the service no longer has it`),
    ...rowFaults('refund', refunds, service.refunds),
    ...others
      .filter((row) => !isDeepStrictEqual(row, service.allRefunds.get(row.id)))
      .map(({ id }) => `refund ${id} is sealed, but differs from the service's`),
    ...figureFaults(newest, service),
    ...balanceFaults(newest, service),
  ];
  return faults.map((what) => ({ merchantCode, day, what: `revision ${newest.revision}: ${what}` }));
}
