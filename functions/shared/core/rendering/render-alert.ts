import type { AlertLine } from '../alerts/alert-state.ts';
import { AlertWords } from './alert-words.ts';
import { longDay, moment } from './day-words.ts';
import { toHtml } from './html.ts';
import { LONGEST_SUBJECT } from './mail-page.ts';
import type { MailPage, PageSection, RenderedMail, Tone } from './mail-page.ts';
import { merchantName, nameInSubject } from './merchant-name.ts';
import { isolated, oneLine } from './outside-text.ts';
import { toPlainText } from './plain-text.ts';
import type { MailedMerchant } from './report-input.ts';
import { textsIn } from './texts/texts.ts';
import type { Texts } from './texts/texts.ts';

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

/** So many rules have a section of their own; the others are a line each, so that a mail never leaves one unsaid. */
const MOST_SECTIONS = 50;

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
    const rules = group.lines.map(({ rule }) => oneLine(rule, 64)).join(texts.say('comma'));
    return index === 0 ? `${state}: ${nameInSubject(input.merchant)} · ${rules}` : `${state}: ${rules}`;
  });
  return oneLine(groups.join(' · '), LONGEST_SUBJECT);
}

/** `too-many-unpaid: firing` */
function headingOf({ rule, says }: AlertLine, texts: Texts): string {
  return `${isolated(rule)}: ${texts.say(`alerts.says.${says}`)}`;
}

/** `Unpaid invoices: 57, above 50` */
function figureOf(line: AlertLine, words: AlertWords, texts: Texts): string {
  return texts.say(line.says === 'resolved' ? 'alerts.backInBounds' : 'alerts.outOfBounds', {
    measure: words.measure(line.measure),
    value: words.value(line.value, line.unit),
    bound: words.bound(line),
  });
}

function lineSection(line: AlertLine, { merchant, checkedAt }: AlertInput, texts: Texts): PageSection {
  const words = new AlertWords(texts, merchant);
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

function moreSection(lines: readonly AlertLine[], { merchant }: AlertInput, texts: Texts): PageSection {
  const words = new AlertWords(texts, merchant);
  return {
    heading: texts.say('moreLines', { count: lines.length }),
    lines: lines.map((line) => ({
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

/**
 * The one mail of a check: every rule that fires, still fires or came back, the worst first. The same input gives the
 * same mail, so a check that goes on where another stopped sends what that one would have sent.
 */
export function renderAlert(input: AlertInput): RenderedMail {
  const { merchant, day } = input;
  const texts = textsIn(merchant.language);
  const groups = byState(input.lines);
  const lines = groups.flatMap((group) => group.lines);
  const more = lines.slice(MOST_SECTIONS);
  const worst = groups[0]?.says ?? 'resolved';
  const counted = groups.map(
    (group) => `${texts.say(`alerts.says.${group.says}`)}: ${isolated(String(group.lines.length))}`,
  );
  const [only] = lines;
  const lead =
    lines.length === 1 && only !== undefined
      ? figureOf(only, new AlertWords(texts, merchant), texts)
      : counted.join(texts.say('comma'));
  const page: MailPage = {
    texts,
    marks: [{ text: texts.say(`alerts.says.${worst}`), tone: TONES[worst] }],
    heading: isolated(merchantName(merchant)),
    subheading: longDay(day, texts),
    lead,
    preheader: lead,
    sections: [
      ...lines.slice(0, MOST_SECTIONS).map((line) => lineSection(line, input, texts)),
      ...(more.length > 0 ? [moreSection(more, input, texts)] : []),
      detailsSection(input, texts),
    ],
    footer: texts.say('footer'),
  };
  return { subject: subjectOf(input, texts), text: toPlainText(page), html: toHtml(page) };
}
