import type { AlertLine } from '#domain/alerts/alert-state.ts';
import { AlertFormatter } from './alert-formatter.ts';
import { dayLine, longDay, moment } from '../formatters/day-formatter.ts';
import { fittingMail } from '../page/fitting-mail.ts';
import { LONGEST_SUBJECT } from '../page/mail-page.ts';
import type { MailPage, PageSection, RenderedMail, Tone } from '../page/mail-page.ts';
import { merchantName, nameInSubject } from '../formatters/merchant-name.ts';
import { isolated, oneLine } from '../formatters/outside-text.ts';
import type { MailedMerchant } from '../report/report-input.ts';
import { textsIn } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** The input of an alert mail. A later check has the same. */
export interface AlertInput {
  merchant: MailedMerchant;
  /** The merchant's day whose figures were checked. */
  day: string;
  /** The name of the check. */
  check: string;
  /** ISO 8601, UTC. */
  checkedAt: string;
  /** At least one. */
  lines: readonly AlertLine[];
}

/** The worst first. */
const STATES = ['firing', 'still firing', 'resolved'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;
const TONES: Record<AlertLine['says'], Tone> = { firing: 'bad', 'still firing': 'bad', resolved: 'good' };

/**
 * How many lines without a section there may be, as a multiple of the list limit. The text of a mail so names
 * every rule of a merchant.
 */
const LINES_FOR_A_SECTION = 10;

/** The lines of each state that has any, the worst state first, and in it the worst severity first. */
function byState(lines: readonly AlertLine[]): { says: AlertLine['says']; lines: AlertLine[] }[] {
  const urgency = ({ severity }: AlertLine) => SEVERITIES.indexOf(severity);
  return STATES.map((says) => ({
    says,
    lines: lines.filter((line) => line.says === says).sort((a, b) => urgency(a) - urgency(b)),
  })).filter((state) => state.lines.length > 0);
}

/** `firing (critical): Kuwait Coffee · too-many-unpaid · resolved: refunds-high` */
function subjectOf(input: AlertInput, texts: Texts): string {
  const groups = byState(input.lines).map((group, index) => {
    const [worst] = group.lines;
    const isCritical = worst?.severity === 'critical' && group.says !== 'resolved';
    const critical = isCritical ? ` (${texts.say('alerts.severities.critical')})` : '';
    const state = `${texts.say(`alerts.says.${group.says}`)}${critical}`;
    const rules = group.lines.map(({ rule }) => oneLine(rule, LONGEST_RULE)).join(texts.say('comma'));
    return index === 0 ? `${state}: ${nameInSubject(input.merchant)} · ${rules}` : `${state}: ${rules}`;
  });
  return oneLine(groups.join(' · '), LONGEST_SUBJECT);
}

/** UTF-16 units. A rule's name is not longer. */
const LONGEST_RULE = 64;

/** `too-many-unpaid: firing` */
function headingOf({ rule, says }: AlertLine, texts: Texts): string {
  return `${isolated(rule, LONGEST_RULE)}: ${texts.say(`alerts.says.${says}`)}`;
}

/** `Unpaid invoices: 57, above 50` */
function figureOf(line: AlertLine, formatter: AlertFormatter, texts: Texts): string {
  return texts.say(line.says === 'resolved' ? 'alerts.backInBounds' : 'alerts.outOfBounds', {
    measure: formatter.measure(line.measure),
    value: formatter.value(line.value, line.unit),
    bound: formatter.bound(line),
  });
}

function lineSection(
  line: AlertLine,
  { merchant, checkedAt }: AlertInput,
  formatter: AlertFormatter,
  texts: Texts,
): PageSection {
  const time = (instant: string) => moment(instant, merchant.timeZone, texts);
  const lasted = Date.parse(line.until ?? checkedAt) - Date.parse(line.since);
  const detail = (name: 'severity' | 'since' | 'until' | 'lasted', value: string) => ({
    label: texts.say(`alerts.${name}`),
    value,
  });
  return {
    heading: headingOf(line, texts),
    lines: [{ text: figureOf(line, formatter, texts), tone: TONES[line.says] }],
    details: [
      detail('severity', texts.say(`alerts.severities.${line.severity}`)),
      detail('since', time(line.since)),
      ...(line.until === null ? [] : [detail('until', time(line.until))]),
      ...(line.says === 'firing' ? [] : [detail('lasted', isolated(formatter.duration(lasted)))]),
    ],
  };
}

/** One line for each rule that has no section. */
function moreSection(lines: readonly AlertLine[], formatter: AlertFormatter, texts: Texts): PageSection {
  return {
    heading: texts.say('moreLines', { count: lines.length }),
    lines: lines.slice(0, formatter.limits.list * LINES_FOR_A_SECTION).map((line) => ({
      text: `${headingOf(line, texts)} · ${figureOf(line, formatter, texts)}`,
      tone: TONES[line.says],
    })),
  };
}

function detailsSection({ merchant, day, check, checkedAt }: AlertInput, texts: Texts): PageSection {
  const values = {
    merchant: isolated(merchant.merchantCode),
    day: longDay(day, texts),
    checkedAt: moment(checkedAt, merchant.timeZone, texts),
    check: isolated(check),
  };
  const names = ['merchant', 'day', 'checkedAt', 'check'] as const;
  return {
    heading: texts.say('alerts.details'),
    details: names.map((name) => ({ label: texts.say(`alerts.details.${name}`), value: values[name] })),
  };
}

function pageOf(input: AlertInput, formatter: AlertFormatter, texts: Texts): MailPage {
  const { merchant, day } = input;
  const groups = byState(input.lines);
  const lines = groups.flatMap((group) => group.lines);
  const own = lines.slice(0, formatter.limits.list);
  const more = lines.slice(own.length);
  const worst = groups[0]?.says ?? 'resolved';
  const counted = groups.map(
    (group) => `${texts.say(`alerts.says.${group.says}`)}: ${isolated(String(group.lines.length))}`,
  );
  const [only] = lines;
  const lead =
    lines.length === 1 && only !== undefined
      ? figureOf(only, formatter, texts)
      : counted.join(texts.say('comma'));
  return {
    texts,
    marks: [{ text: texts.say(`alerts.says.${worst}`), tone: TONES[worst] }],
    heading: isolated(merchantName(merchant), formatter.limits.text),
    subheading: dayLine(day, texts),
    lead,
    preheader: lead,
    sections: [
      ...own.map((line) => lineSection(line, input, formatter, texts)),
      ...(more.length > 0 ? [moreSection(more, formatter, texts)] : []),
      detailsSection(input, texts),
    ],
    footer: [texts.say('footer')],
  };
}

/**
 * The one mail of a check: every rule that fires, still fires or came back, the worst first. The same input
 * gives the same mail, so a check that continues after another one sends the same mail.
 */
export function renderAlert(input: AlertInput): RenderedMail {
  const texts = textsIn(input.merchant.language, input.merchant.digits);
  const contents = fittingMail((limits) =>
    pageOf(input, new AlertFormatter(texts, input.merchant, limits), texts),
  );
  return { subject: subjectOf(input, texts), ...contents };
}
