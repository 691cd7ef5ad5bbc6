import { addDays, type Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { GROUP, soakMerchants } from './merchants.ts';
import { buildStage, type Stage } from './stage.ts';
import { dueStatements } from './truths/statement-mails.ts';
import { dayName, evidenceOf, type Evidence, type BrokenPromise } from './truths/evidence.ts';
import { ledgerOfTruths, type Facts } from './truths/ledger-of-truths.ts';
import { join } from 'node:path';
import type { Terminal } from '#bin/local/terminal/terminal.ts';
import { VirtualClock } from './clock.ts';
import { Draws } from './draws.ts';
import { startPool } from './environments/pool.ts';
import { RequestTally, Counts } from './tally.ts';
import { sweep } from './schedule/guards.ts';
import { LONGEST_LOOKBACK } from './service/data-changes.ts';
import { simulateDay } from './simulated-day.ts';
import { startWorld } from './world.ts';

async function gatherEvidence({ world }: Pick<Stage, 'world'>): Promise<Evidence> {
  return evidenceOf(await world.objects(), world.aws.mail.messages, world.aws.notices.messages);
}

/** Every merchant and day that was to be reported or was a lookback day. */
function everyDay({ book }: Stage, { days }: Evidence, last: Day): { merchantCode: string; day: Day }[] {
  const all = new Map<string, { merchantCode: string; day: Day }>();
  for (const { merchantCode, day } of [...days.values()].flat()) {
    all.set(dayName({ merchantCode, day }), { merchantCode, day });
  }
  for (const { account, reportFrom } of book.merchants) {
    for (let day = reportFrom; day <= last; day = addDays(day, 1)) {
      const { merchantCode } = account;
      all.set(dayName({ merchantCode, day }), { merchantCode, day });
    }
  }
  return [...all.values()];
}

/** What the service, the registry and SES know. @param last the last day that was reported */
function gatherFacts(stage: Stage, evidence: Evidence, last: Day, sweptBefore: number): Facts {
  const { world, book, feed, alerts } = stage;
  const stopped = new Set(feed.stops.map(({ hash }) => hash));
  const codes = book.merchants.map(({ account }) => account.merchantCode);
  const refunds = new Map(codes.map((code) => [code, world.allRefunds(code)]));
  return {
    days: everyDay(stage, evidence, last).map(({ merchantCode, day }) => ({
      merchantCode,
      day,
      truth: world.payments.data.truth(merchantCode, day),
      invoices: world.records('invoice', merchantCode, day),
      refunds: world.records('refund', merchantCode, day),
      allRefunds: refunds.get(merchantCode) ?? new Map(),
    })),
    readers: new Map(
      codes.map((code) => [
        code,
        {
          throughout: (from, to) => book.recipientsThroughout(code, from, to),
          ever: book.everRecipients(code),
          reportFrom: book.reportFrom(code),
          stopped,
        },
      ]),
    ),
    statements: dueStatements(book.merchants, last),
    group: {
      name: GROUP.name,
      codes: book.groupCodes(),
      recipients: GROUP.recipients,
      days: daysOf({ from: stage.firstDay, to: last }),
    },
    toldChecks: alerts.told,
    stops: feed.stops,
    sweptBefore,
  };
}

const FIRST_DAY: Day = '2026-03-02';
const HOUR = 60 * 60_000;
/** Files without a seal stay for two days. After a further day of hourly sweeps, each recent day has had its turn. */
const UNSEALED_STAY = 48 * HOUR;
const LAST_SWEEPS = 26;

export interface Settings {
  /** Simulated days with faults. */
  days: number;
  merchants: number;
  seed: string;
  /** Functions at the same time. */
  workers: number;
}

export interface SoakResult {
  counts: Counts;
  evidence: Evidence;
  facts: Facts;
  broken: BrokenPromise[];
  /** The virtual time that passed, milliseconds. */
  virtual: number;
}

/** Simulates the days, then compares the results with the facts. @param directory for everything that the run writes */
export async function soak(
  settings: Settings,
  directory: string,
  terminal: Pick<Terminal, 'line' | 'progress'>,
): Promise<SoakResult> {
  const draws = new Draws(settings.seed);
  const counts = new Counts();
  const tally = new RequestTally(counts);
  const days = Array.from({ length: settings.days + LONGEST_LOOKBACK }, (_, index) =>
    addDays(FIRST_DAY, index),
  );
  const merchants = soakMerchants(draws, settings.merchants, days.slice(0, settings.days));
  const tell = (what: string) => terminal.progress(`${what}, ${counts.invocations.total} invocations`);
  const start = Date.parse(`${addDays(FIRST_DAY, 1)}T00:00:00Z`);
  const clock = new VirtualClock(start);
  const world = await startWorld(directory, clock, merchants, tally.service);
  const { environment } = world;
  const pool = await startPool({
    workers: settings.workers,
    environment,
    clock,
    directory: join(directory, 'code'),
  });
  try {
    const stage = buildStage({ world, draws, counts, merchants, firstDay: FIRST_DAY, tell, pool });
    await stage.people.begin();
    for (const [index, day] of days.entries()) {
      if (index === settings.days) stage.weather.calmDown();
      const began = performance.now();
      await simulateDay(stage, day);
      stage.broken.push(...tally.aws(world.aws.requests.splice(0)));
      const place = index < settings.days ? `day ${index + 1} of ${settings.days}` : 'calm';
      terminal.line(dayLine(`${addDays(day, 1)}  ${place}`, stage, performance.now() - began));
    }
    const last = days.at(-1) ?? FIRST_DAY;
    const swept = await lastSweeps(stage, last);
    const evidence = await gatherEvidence(stage);
    for (const { tags } of evidence.mails) counts.mails.add(tags['kind'] ?? 'none');
    const facts = gatherFacts(stage, evidence, last, swept - UNSEALED_STAY);
    const broken = [...stage.broken, ...stage.queues.forgotten(), ...ledgerOfTruths(evidence, facts)];
    return { counts, evidence, facts, broken, virtual: clock.now() - start };
  } finally {
    await pool.close();
    await world.close();
  }
}

/** Sweeps, days later, until every recent day had its turn. @returns when the first sweep began, milliseconds UTC */
async function lastSweeps(stage: Stage, last: Day): Promise<number> {
  await stage.feed.bring(true);
  const began = Date.parse(`${addDays(last, 4)}T00:20:00Z`);
  for (let turn = 0; turn < LAST_SWEEPS; turn += 1) {
    await sweep(stage, new Date(began + turn * HOUR).toISOString());
  }
  return began;
}

function dayLine(what: string, { counts, world, broken }: Stage, took: number): string {
  const { invocations, kills, serviceFaults, awsFaults } = counts;
  const faults = serviceFaults.total + awsFaults.total;
  const promises = broken.length === 0 ? '' : `, ${broken.length} BROKEN`;
  return `${what.padEnd(30)} ${invocations.total} invocations, ${kills.total} kills, ${faults} faults, ${world.aws.mail.messages.length} mails${promises}  ${(took / 1_000).toFixed(1)} s`;
}
