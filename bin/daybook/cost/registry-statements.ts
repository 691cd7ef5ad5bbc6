import { membersOf } from '#domain/registry/group-members.ts';
import { allGroups } from '#domain/registry/groups.ts';
import type { GroupSettings } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { StatementTimes } from '#domain/period/due.ts';
import type { GroupPages, LookClock, MerchantStatements, StatementCounts } from './model/statement-counts.ts';

type Times = Pick<StatementTimes, 'weekly' | 'monthly' | 'waitFor' | 'correctFor'> & { timeZone: string };

/** Looks and due moments, each counted once however many merchants share it. */
class Clocks {
  readonly #looks = new Map<string, LookClock>();
  readonly #due = { days: new Set<string>(), weeks: new Set<string>(), months: new Set<string>() };

  add(whose: 'merchant' | 'group', { timeZone, weekly, monthly, waitFor, correctFor }: Times): void {
    if (weekly) {
      this.#look(`${timeZone} ${weekly.at}`, { kind: 'week', waitFor, correctFor });
      this.#due.weeks.add([whose, timeZone, weekly.on, weekly.at].join(' '));
    }
    if (monthly) {
      this.#look(`${timeZone} ${monthly.at}`, { kind: 'month', waitFor, correctFor });
      this.#due.months.add([whose, timeZone, monthly.onDay, monthly.at].join(' '));
    }
  }

  /** The page of a day comes with the last report of the group's merchants. */
  addDays(waitFor: number, members: readonly MerchantSettings[]): void {
    const clocks = [...new Set(members.map(({ timeZone, reportAt }) => `${timeZone} ${reportAt}`))].sort();
    this.#look('', { kind: 'day', waitFor, correctFor: 0 });
    this.#due.days.add(clocks.join());
  }

  #look(at: string, { kind, waitFor, correctFor }: LookClock): void {
    const name = `${kind} ${at}`;
    const known = this.#looks.get(name) ?? { waitFor: 0, correctFor: 0 };
    this.#looks.set(name, {
      kind,
      waitFor: Math.max(waitFor, known.waitFor),
      correctFor: Math.max(correctFor, known.correctFor),
    });
  }

  counted(): Pick<StatementCounts, 'clocks' | 'due'> {
    const { days, weeks, months } = this.#due;
    const due = { days: days.size, weeks: weeks.size, months: months.size };
    return { clocks: [...this.#looks.values()], due };
  }
}

function statementsOf(
  kind: 'weekly' | 'monthly',
  merchants: readonly MerchantSettings[],
  forGroups: ReadonlySet<string>,
): MerchantStatements {
  const own = merchants.filter(({ statements }) => statements?.[kind] !== undefined);
  const sum = (those: readonly MerchantSettings[]) =>
    those.reduce((total, { recipients }) => total + recipients.length, 0);
  return {
    // What a merchant gets only because a group adds it up is made, and not mailed.
    statements: new Set([...own.map(({ merchantCode }) => merchantCode), ...forGroups]).size,
    mails: sum(own),
    mailsWithWorkbook: sum(own.filter(({ attachXlsx }) => attachXlsx)),
  };
}

function pageOf({ recipients, attachXlsx }: GroupSettings, merchants: number): GroupPages {
  return { merchants, mails: recipients.length, hasWorkbook: attachXlsx };
}

/** Counts the statements and pages of a registry. @returns `undefined` when it asks for none */
export function registryStatements(registry: Registry): StatementCounts | undefined {
  const { merchants } = allMerchants(registry);
  const usable = new Map(merchants.map((merchant) => [merchant.merchantCode, merchant]));
  const clocks = new Clocks();
  const pages: StatementCounts['pages'] = { days: [], weeks: [], months: [] };
  const forGroups = { weekly: new Set<string>(), monthly: new Set<string>() };
  for (const { timeZone, statements } of merchants) {
    if (statements !== undefined) clocks.add('merchant', { timeZone, ...statements });
  }
  for (const group of allGroups(registry).groups) {
    const members = membersOf(group, registry).codes.flatMap((code) => usable.get(code) ?? []);
    // Nobody can make the page of a group without merchants.
    if (members.length === 0) continue;
    const page = pageOf(group, members.length);
    clocks.add('group', group);
    if (group.daily) {
      pages.days.push(page);
      clocks.addDays(group.waitFor, members);
    }
    for (const [kind, of] of [
      ['weekly', pages.weeks],
      ['monthly', pages.months],
    ] as const) {
      if (group[kind] === undefined) continue;
      of.push(page);
      for (const { merchantCode } of members) forGroups[kind].add(merchantCode);
    }
  }
  const weeks = statementsOf('weekly', merchants, forGroups.weekly);
  const months = statementsOf('monthly', merchants, forGroups.monthly);
  if (weeks.statements + months.statements + pages.days.length === 0) return undefined;
  return { weeks, months, pages, ...clocks.counted() };
}
