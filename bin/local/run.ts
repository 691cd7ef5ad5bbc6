import { setImmediate as breathe } from 'node:timers/promises';
import { addDays } from '#records/day/business-day.ts';
import { dayPrefix, ownerPart } from '#records/storage/keys.ts';
import { BUCKET } from './configuration.ts';
import { counted } from '../daybook/terminal/shown-text.ts';
import { runTick } from './daily-round.ts';
import type { Outcome } from './daily-round.ts';
import { demonstrate } from './demonstration.ts';
import { WATCHED, merchantDay, evolveDays, provideDay } from './merchants.ts';
import type { MerchantDay } from './merchants.ts';
import type { Sandboxes, Services } from './services.ts';
import type { Settings } from './settings.ts';
import { mailWord } from './terminal/closing-words.ts';
import type { SummaryRow } from './terminal/closing-words.ts';
import type { Terminal } from './terminal/terminal.ts';
import type { RecordedRequest } from '#sandbox/payments/index.ts';

/** Of the report of the day before, UTC: later than in the zones of the merchants. */
const MORNING = '06:00:00';

class Traffic {
  requests = 0;
  readonly #troubles = new Map<string, number>();

  add({ status }: RecordedRequest): void {
    this.requests += 1;
    if (status === 200) return;
    const trouble = status === 0 ? 'cut off' : `answered ${status}`;
    this.#troubles.set(trouble, (this.#troubles.get(trouble) ?? 0) + 1);
  }

  inWords(): string {
    const troubles = [...this.#troubles].map(([trouble, count]) => `${count} ${trouble}`);
    return [`${this.requests} requests`, ...troubles].join(', ');
  }
}

export interface Run {
  settings: Settings;
  days: readonly MerchantDay[];
  /** Milliseconds UTC. It decides which day is yesterday. */
  now: number;
}

/** Runs the functions as the schedule would. The services still run afterwards. @returns what became of each day */
export async function run(
  terminal: Terminal,
  services: Services,
  { settings, days, now }: Run,
): Promise<SummaryRow[]> {
  const { sandboxes, functions } = services;
  const traffic = new Traffic();
  let doing = '';
  services.listen((request) => {
    traffic.add(request);
    terminal.progress(`${doing}, ${traffic.requests} requests`);
  });

  /** @param ahead milliseconds by which it comes later than now */
  async function tick(day: string, merchants: readonly MerchantDay[], ahead = 0): Promise<Outcome[]> {
    let left = 0;
    const told = {
      scheduledTime: new Date(now + ahead).toISOString(),
      day,
      // The registry also contains merchants of other runs.
      merchants: merchants.map(({ merchant }) => merchant.account.merchantCode),
    };
    return runTick(
      { invoke: (name, event) => functions.invoke(name, event, Math.max(0, ahead)) },
      sandboxes.aws.mail,
      told,
      (planned) => {
        left = planned;
        terminal.step('plan', `${counted(planned, 'day')} due, one for each merchant`);
        doing = `pulling, ${left} left`;
      },
      (outcome) => {
        left -= 1;
        doing = `pulling, ${left} left`;
        terminal.step(outcome.merchantCode, sentence(outcome, terminal));
      },
    );
  }

  /** The morning after the last report: what became of that day, and the report of the next one. */
  async function nextMorning(): Promise<Outcome[]> {
    const last = days.map((day) => lastReported(sandboxes, day));
    const next = last.map(({ merchant, day }) => ({ merchant, day: addDays(day, 1) }));
    await provideDays(terminal, sandboxes, settings, next);
    const { paid, approved, visited } = evolveDays(sandboxes.payments.data, last, (day) =>
      revisions(sandboxes, day),
    );
    const changes = [`${counted(paid, 'invoice')} paid`, `${counted(approved, 'refund')} approved`];
    terminal.step('later', `${changes.join(', ')}, ${counted(visited, 'link')} visited since`);
    const outcomes: Outcome[] = [];
    // The merchants' zones may have different days.
    for (const [day, some] of Map.groupBy(next, (one) => one.day))
      outcomes.push(...(await tick(day, some, Date.parse(`${addDays(day, 1)}T${MORNING}Z`) - now)));
    return outcomes;
  }

  try {
    await provideDays(terminal, sandboxes, settings, days);
    let outcomes: Outcome[] = [];
    if (!settings.later || days.some((day) => revisions(sandboxes, day) === 0))
      outcomes = await tick(settings.day ?? 'yesterday', days);
    if (settings.later) outcomes = await nextMorning();
    terminal.step('service', traffic.inWords());
    const rows = days.flatMap(({ merchant: { account } }) =>
      outcomes
        .filter(({ merchantCode }) => merchantCode === account.merchantCode)
        .map((outcome) => ({ outcome, name: account.name })),
    );
    if (!settings.alerts) return rows;
    doing = 'alerts, watch and statements';
    const own = merchantDay(WATCHED, settings.day, now);
    const stage = { terminal, sandboxes, functions };
    const reported = rows.flatMap(({ outcome }) => ('report' in outcome ? outcome.merchantCode : []));
    await demonstrate(stage, own, { days, reported }, now + 2);
    return rows;
  } finally {
    services.listen(undefined);
  }
}

async function provideDays(
  terminal: Terminal,
  { payments }: Sandboxes,
  settings: Settings,
  days: readonly MerchantDay[],
): Promise<void> {
  const notes = new Map<string, string[]>();
  for (const merchantDay of days) {
    const { merchantCode } = merchantDay.merchant.account;
    terminal.progress(`making ${merchantDay.day} of ${merchantCode}`);
    // Writing a large day takes a while; Ctrl-C shall be heard in between.
    await breathe();
    const note = provideDay(payments.data, merchantDay, settings);
    if (note !== undefined) notes.set(note, [...(notes.get(note) ?? []), merchantCode]);
  }
  const dates = [...new Set(days.map(({ day }) => day))].sort().join(', ');
  terminal.step('service', `${counted(days.length, 'merchant')} with their invoices and refunds of ${dates}`);
  for (const [note, [first = '', ...others]] of notes) {
    const whose = others.length === 0 ? first : `${first} and ${others.length} more`;
    terminal.step('', terminal.style('yellow', `${whose}: ${note}`));
  }
}

/** The last of the days in a row that have a page: each run with `--later` adds one. */
function lastReported(sandboxes: Sandboxes, { merchant, day }: MerchantDay): MerchantDay {
  const next = { merchant, day: addDays(day, 1) };
  return revisions(sandboxes, next) === 0 ? { merchant, day } : lastReported(sandboxes, next);
}

function revisions({ aws }: Sandboxes, { merchant, day }: MerchantDay): number {
  return aws.s3.list(BUCKET, `${dayPrefix(day)}${ownerPart(merchant.account)}/`).length;
}

function sentence(outcome: Outcome, terminal: Terminal): string {
  const took = terminal.style('dim', `${(outcome.took / 1_000).toFixed(1)} s`);
  if (!('report' in outcome)) return `${terminal.style('red', 'failed')}  ${took}`;
  const { revision, unchanged } = outcome.report;
  const sealed = `${unchanged ? 'unchanged since' : 'sealed as'} revision ${String(revision)}`;
  const word = mailWord(outcome);
  const mail = outcome.report.mail.status === 'sent' ? `${word} mailed` : `mail ${word}`;
  return `pulled, ${sealed}, ${mail}  ${took}`;
}
