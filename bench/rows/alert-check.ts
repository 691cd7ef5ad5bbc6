import { median } from 'simple-statistics';
import { withService } from '../measure.ts';
import { milliseconds } from '../table.ts';
import type { Row } from '../table.ts';

const TURNS = 3;
const LATENCY = 20;

/** A check of rules on counts, compared with the least that it needs: a login, and a page of each type. */
export async function alertCheck(): Promise<Row[]> {
  const options = {
    invoices: 6_000,
    perPage: 15,
    latency: LATENCY,
  };
  return withService(options, async (service) => {
    const turns: { check: number; bare: number; requests: number }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const bare = await service.measure('bareChecks');
      await service.requests();
      const checks = await service.measure('alertChecks');
      turns.push({
        check: checks.milliseconds / checks.rows,
        bare: bare.milliseconds / bare.rows,
        requests: (await service.requests()) / checks.rows,
      });
    }
    const of = (pick: (turn: (typeof turns)[number]) => number) => median(turns.map(pick));
    const requests = of((turn) => turn.requests);
    return [
      {
        measured: 'requests of an alert check on counts, including its login',
        ratio: requests,
        bound: { atMost: 5 },
        detail: 'one page of each of 4 types, however many there are',
      },
      {
        measured: `an alert check against a bare login and page a type, ${LATENCY} ms a request`,
        ratio: of(({ check, bare }) => check / bare),
        bound: { atMost: 2 },
        detail: `${milliseconds(of(({ check }) => check))} and ${milliseconds(of(({ bare }) => bare))}`,
      },
    ];
  });
}
