import type { AlertLine } from '#domain/alerts/alert-state.ts';
import { AlertWords } from './alert-formatter.ts';
import { longDay, moment } from '../formatters/day-formatter.ts';
import { fittingMail } from '../page/fitting-mail.ts';
import { LONGEST_SUBJECT } from '../page/mail-page.ts';
import type { MailPage, PageSection, RenderedMail, Tone } from '../page/mail-page.ts';
import { merchantName, nameInSubject } from '../formatters/merchant-name.ts';
import { isolated, oneLine } from '../formatters/outside-text.ts';
import type { MailedMerchant } from '../report/report-input.ts';
import { textsIn } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** What an alert mail is made of: nothing that a later check would not have. */
export interface AlertInput {
  merchant: MailedMerchant;
  /** The merchant's day whose figures were checked. */
  day: string;
  /** Names the check. */
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

/** So many times as there are sections: the text of a mail leaves no rule of a merchant unsaid. */
const LINES_FOR_A_SECTION = 10;

/** The lines of each state that has any, the worst state and in it the worst severity first. */
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

/** UTF-16 units; a rule's name has no more. */
const LONGEST_RULE = 64;

/** `too-many-unpaid: firing` */
function headingOf({ rule, says }: AlertLine, texts: Texts): string {
  return `${isolated(rule, LONGEST_RULE)}: ${texts.say(`alerts.says.${says}`)}`;
}

/** `Unpaid invoices: 57, above 50` */
function figureOf(line: AlertLine, words: AlertWords, texts: Texts): string {
  return texts.say(line.says === 'resolved' ? 'alerts.backInBounds' : 'alerts.outOfBounds', {
    measure: words.measure(line.measure),
    value: words.value(line.value, line.unit),
    bound: words.bound(line),
  });
}

function lineSection(
  line: AlertLine,
  { merchant, checkedAt }: AlertInput,
  words: AlertWords,
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
    lines: [{ text: figureOf(line, words, texts), tone: TONES[line.says] }],
    details: [
      detail('severity', texts.say(`alerts.severities.${line.severity}`)),
      detail('since', time(line.since)),
      ...(line.until === null ? [] : [detail('until', time(line.until))]),
      ...(line.says === 'firing' ? [] : [detail('lasted', isolated(words.duration(lasted)))]),
    ],
  };
}

/** A line each for the rules that have no section of their own. */
function moreSection(lines: readonly AlertLine[], words: AlertWords, texts: Texts): PageSection {
  return {
    heading: texts.say('moreLines', { count: lines.length }),
    lines: lines.slice(0, words.limits.list * LINES_FOR_A_SECTION).map((line) => ({
      text: `${headingOf(line, texts)} · ${figureOf(line, words, texts)}`,
      tone: TONES[line.says],
    })),
  };
}

function detailsSection({ merchant, day, check, checkedAt }: AlertInput, texts: Texts): PageSection {
  const values = {
    merchant: isolated(merchant.merchantCode),
    day: isolated(longDay(day, texts)),
    checkedAt: moment(checkedAt, merchant.timeZone, texts),
    check: isolated(check),
  };
  const names = ['merchant', 'day', 'checkedAt', 'check'] as const;
  return {
    heading: texts.say('alerts.details'),
    details: names.map((name) => ({ label: texts.say(`alerts.details.${name}`), value: values[name] })),
  };
}

function pageOf(input: AlertInput, words: AlertWords, texts: Texts): MailPage {
  const { merchant, day } = input;
  const groups = byState(input.lines);
  const lines = groups.flatMap((group) => group.lines);
  const own = lines.slice(0, words.limits.list);
  const more = lines.slice(own.length);
  const worst = groups[0]?.says ?? 'resolved';
  const counted = groups.map(
    (group) => `${texts.say(`alerts.says.${group.says}`)}: ${isolated(String(group.lines.length))}`,
  );
  const [only] = lines;
  const lead =
    lines.length === 1 && only !== undefined
      ? figureOf(only, words, texts)
      : counted.join(texts.say('comma'));
  return {
    texts,
    marks: [{ text: texts.say(`alerts.says.${worst}`), tone: TONES[worst] }],
    heading: isolated(merchantName(merchant), words.limits.text),
    subheading: longDay(day, texts),
    lead,
    preheader: lead,
    sections: [
      ...own.map((line) => lineSection(line, input, words, texts)),
      ...(more.length > 0 ? [moreSection(more, words, texts)] : []),
      detailsSection(input, texts),
    ],
    footer: texts.say('footer'),
  };
}

/**
 * The one mail of a check: every rule that fires, still fires or came back, the worst first. The same input gives the
 * same mail, so a check that goes on where another stopped sends what that one would have sent.
 */
export function renderAlert(input: AlertInput): RenderedMail {
  const texts = textsIn(input.merchant.language);
  const contents = fittingMail((limits) =>
    pageOf(input, new AlertWords(texts, input.merchant, limits), texts),
  );
  return { subject: subjectOf(input, texts), ...contents };
}
