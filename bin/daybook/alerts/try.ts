import * as z from 'zod';
import { againstUsualDay } from '#alerts/alert-check/read-sealed-days.ts';
import { NOTHING_BEHIND } from '#alerts/rules/behind.ts';
import { valueOf } from '#alerts/rules/measures.ts';
import { isOut } from '#alerts/rules/move-rule.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { dayFiguresSchema } from '#records/figures/history.ts';
import type { FirstReading } from '#records/figures/history.ts';
import type { ComparedDay } from '#records/figures/like-with-like.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import { alertLedgerKey, historyKey } from '#records/storage/keys.ts';
import { readRules } from '#registry/alert-rules.ts';
import type { Rule } from '#registry/alert-rules.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { whenSpoilt, readObject } from '#runtime/s3-objects.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { set } from '../merchant/set.ts';
import { entryOf } from '../registry/registry-text.ts';
import { readRegistry, registryInUse } from '../registry/stored-registry.ts';
import { assertCode, assertKnownMerchant } from '../stage/known-names.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { forEach } from '../terminal/for-each.ts';
import { counted, shown, utcMinute } from '../terminal/shown-text.ts';
import { checksOf, valueText } from './alerts.ts';

interface TryOptions {
  above?: string | undefined;
  below?: string | undefined;
  for?: string | undefined;
  days: number;
  apply?: boolean | undefined;
}

/** A time in which the rule fired, by its mails. `until`: `null` when no mail says that it came back. */
interface Ring {
  day: Day;
  since: string;
  until: string | null;
  furthest: Thousandths;
}

/** Milliseconds between two checks, by the usual schedule. */
const BETWEEN_CHECKS = 15 * 60_000;

const historySchema = z.object({ days: z.array(dayFiguresSchema) });

/** What the rule's mails say of the days from `first` on, the oldest first. */
async function ringsOf(context: CommandContext, stage: Stage, code: string, rule: Rule, first: Day) {
  const ledgers = new LedgerStore(stage.s3(), stage.bucket);
  // Names of checks begin with their time in UTC.
  const from = addDays(first, -1).replaceAll('-', '');
  const checks = (await checksOf(context, code)).filter((check) => check >= from).reverse();
  const read = await forEach(context, 'Reading the mails', checks, async (check) => {
    const unreadable = whenSpoilt((error) => context.output.warn(error.message));
    const found = await ledgers.read(alertLedgerKey(code, check)).catch(unreadable);
    return found?.ledger.says?.lines ?? [];
  });
  const rings = new Map<string, Ring>();
  for (const { since, until, course, value, day, usual, ...line } of read.flat()) {
    if (line.rule !== rule.name || line.measure !== rule.measure || line.bound.side !== rule.side) continue;
    const furthest = parseSum(course?.worst ?? value);
    rings.set(since, { day: day ?? usual?.day ?? since.slice(0, 10), since, until, furthest });
  }
  return [...rings.values()];
}

/** The figure of a sealed day. `null`: unknown, or of a measure that no page keeps. */
function figureOf(rule: Rule, page: ComparedDay, settings: MerchantSettings): Thousandths | null {
  const { day, first, ...newest } = page;
  const { counts, amounts, refunds }: Pick<FirstReading, 'amounts' | 'counts' | 'refunds'> = first ?? newest;
  if (rule.measure === 'largestRefund') return null;
  const unread = { now: 0, today: day, currency: '', expiring: null, lastSealedAt: null };
  return valueOf(rule, {
    ...unread,
    usual: { shareOfUsualDay: againstUsualDay(page, settings) },
    behind: NOTHING_BEHIND,
    counts,
    amounts: amounts && { paid: parseSum(amounts.paid), unpaid: parseSum(amounts.notPaid) },
    refunds: { count: refunds.count, total: parseSum(refunds.total), largest: 0n },
  });
}

/** @param sealed the figure of the day's page; `null`: unknown. @param rings of the day */
function triedDay(day: Day, rule: Rule, tried: Rule, sealed: Thousandths | null, rings: readonly Ring[]) {
  const known = [...rings.map(({ furthest }) => furthest), ...(sealed === null ? [] : [sealed])];
  const byDistance = known.toSorted((one, other) => (one < other === (rule.side === 'below') ? -1 : 1));
  const longer = (tried.forChecks - rule.forChecks) * BETWEEN_CHECKS;
  const isLong = ({ since, until }: Ring) =>
    until === null || Date.parse(until) - Date.parse(since) >= longer;
  return {
    day,
    /** The figure furthest out that is known of the day. */
    furthest: byDistance[0] === undefined ? null : formatAmount(byDistance[0]),
    rang: rings.map(({ since, until }) => ({ since, until })),
    rings:
      rings.some((ring) => isOut(tried, ring.furthest) && isLong(ring)) ||
      (sealed !== null && isOut(tried, sealed)),
  };
}

/** The rule as it is and as it is tried, and all rules of the merchant's own entry with the tried one in it. */
function rulesOf(given: readonly unknown[], name: string, options: TryOptions) {
  const written = given.find((one) => isMembers(one) && one.name === name);
  const [rule] = readRules([written]).rules;
  if (!isMembers(written) || rule === undefined) {
    const names = readRules(given).rules.map((one) => one.name);
    throw new CommandError(
      `there is no rule "${shown(name)}" that can be used: ${names.length === 0 ? 'the merchant has none' : `the rules are ${names.join(', ')}`}`,
    );
  }
  const { above, below, for: checks } = options;
  if ((rule.side === 'above' ? below : above) !== undefined)
    throw new UsageError(`${name} rings ${rule.side} its bound: give --${rule.side}`);
  const bound = above ?? below;
  const member = {
    ...(bound !== undefined && { [rule.side]: rule.unit === 'amount' ? bound : Number(bound) }),
    ...(checks !== undefined && { forChecks: Number(checks) }),
  };
  const changed = { ...written, ...member };
  const read = readRules([changed]);
  const [tried] = read.rules;
  if (tried === undefined) {
    const problem = read.problems[0];
    throw new UsageError(`${String(problem?.at.at(-1))}: ${problem?.reason ?? 'is not what it must be'}`);
  }
  return { rule, tried, all: given.map((one) => (one === written ? changed : one)) };
}

function lasted({ since, until }: Pick<Ring, 'since' | 'until'>): string {
  if (until === null) return `${utcMinute(since).slice(11)} to the end of the day`;
  const minutes = Math.round((Date.parse(until) - Date.parse(since)) / 60_000);
  return `${utcMinute(since).slice(11)}, ${minutes} minutes`;
}

/**
 * Does `daybook alerts try`: replays a rule with another bound over the sealed days and its mails. What a check saw is kept
 * only where it was mailed.
 *
 * @throws {UsageError} when the tried rule cannot be one
 */
export async function tryRule(
  context: CommandContext,
  merchantCode: string,
  name: string,
  options: TryOptions,
): Promise<ExitStatus> {
  const { output } = context;
  assertCode(merchantCode);
  const count = options.days;
  const stage = await context.stage();
  const registry = await registryInUse(output, stage);
  assertKnownMerchant(registry, merchantCode, stage.lines);
  const settings = merchantSettings(registry, merchantCode);
  const { rule, tried } = rulesOf(settings.alerts, name, options);
  const today = dayAt(context.now(), settings.timeZone);
  const first = addDays(today, 1 - count);
  const [rings, history] = await Promise.all([
    ringsOf(context, stage, merchantCode, rule, first),
    readObject(stage.s3(), stage.bucket, historyKey(merchantCode), historySchema),
  ]);
  const sealed = new Map(
    history?.value.days.map((one) => [
      one.day,
      figureOf(rule, { ...one, history: history.value.days }, settings),
    ]),
  );
  const days = Array.from({ length: count }, (_, before) => addDays(today, -before))
    .map((day) => {
      const own = rings.filter((ring) => ring.day === day);
      return triedDay(day, rule, tried, sealed.get(day) ?? null, own);
    })
    .filter(({ furthest }) => furthest !== null);
  const counts = {
    days: days.length,
    asItIs: days.filter(({ rang }) => rang.length > 0).length,
    tried: days.filter(({ rings }) => rings).length,
  };
  const show = () => {
    const bound = (one: Rule) =>
      `${one.side} ${valueText(formatAmount(one.bound), one.unit)} for ${one.forChecks}`;
    output.table(
      ['Day', 'Furthest', `As it is: ${bound(rule)} (UTC)`, `Tried: ${bound(tried)}`],
      days.map(({ day, furthest, rang, rings }) => [
        day,
        { text: valueText(furthest, rule.unit), side: 'right' },
        rang.map(lasted).join('; ') || '-',
        rings ? { text: 'rings', style: 'yellow' } : '-',
      ]),
    );
    output.line(
      `Of ${counted(counts.days, 'day')} with figures it rang on ${counts.asItIs}. As tried, it rings on ${counts.tried}.`,
    );
  };
  if (options.apply === true) {
    const { alerts } = entryOf((await readRegistry(stage)).text, merchantCode);
    if (!Array.isArray(alerts))
      throw new CommandError(`${name} is a rule of the defaults: change it there, it is every merchant's`);
    if (!output.isJson) show();
    const { all } = rulesOf(alerts, name, options);
    return set(context, merchantCode, [`alerts=${JSON.stringify(all)}`]);
  }
  output.result({ stage: stage.name, merchantCode, rule: name, counts, days }, () => {
    show();
    output.note(
      'A figure is that of the first reading, or the furthest that a mail names. "--apply" sets the rule.',
    );
  });
  return 0;
}
