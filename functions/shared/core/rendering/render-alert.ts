import type { AlertLine } from '../alerts/alert-state.ts';
import { localTime } from '../business-day.ts';
import { AlertWords } from './alert-words.ts';
import { toHtml } from './html.ts';
import { LONGEST_SUBJECT } from './mail-page.ts';
import type { MailPage, PageRow, PageSection, RenderedMail, Tone } from './mail-page.ts';
import { merchantName, nameInSubject } from './merchant-name.ts';
import { isolated, oneLine } from './outside-text.ts';
import { toPlainText } from './plain-text.ts';
import type { MailedMerchant } from './report-input.ts';
import { textsIn } from './texts/catalogue.ts';
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
  const { says, severities } = texts.alerts;
  const groups = byState(input.lines).map((group, index) => {
    const [worst] = group.lines;
    const isCritical = worst?.severity === 'critical' && group.says !== 'resolved';
    const state = `${says[group.says]}${isCritical ? ` (${severities.critical})` : ''}`;
    const rules = group.lines.map(({ rule }) => oneLine(rule, 64)).join(texts.comma);
    return index === 0 ? `${state}: ${nameInSubject(input.merchant)} · ${rules}` : `${state}: ${rules}`;
  });
  return oneLine(groups.join(' · '), LONGEST_SUBJECT);
}

/** `too-many-unpaid: firing` */
function headingOf({ rule, says }: AlertLine, texts: Texts): string {
  return `${isolated(rule)}: ${texts.alerts.says[says]}`;
}

/** `Unpaid invoices: 57, above 50` */
function figureOf(line: AlertLine, words: AlertWords, { alerts }: Texts): string {
  const said = line.says === 'resolved' ? alerts.backInBounds : alerts.outOfBounds;
  return said(words.measure(line.measure), words.value(line.value, line.unit), words.bound(line));
}

function lineSection(line: AlertLine, { merchant, checkedAt }: AlertInput, texts: Texts): PageSection {
  const words = new AlertWords(texts, merchant);
  const { severities, ...labels } = texts.alerts;
  const time = (instant: string) =>
    isolated(`${localTime(instant, merchant.timeZone)} (${merchant.timeZone})`);
  const lasted = Date.parse(line.until ?? checkedAt) - Date.parse(line.since);
  const row = (label: string, value: string): PageRow => ({ label, values: [value] });
  const rows = [
    row(labels.severity, severities[line.severity]),
    row(labels.since, time(line.since)),
    ...(line.until === null ? [] : [row(labels.until, time(line.until))]),
    ...(line.says === 'firing' ? [] : [row(labels.lasted, isolated(words.duration(lasted)))]),
  ];
  return {
    heading: headingOf(line, texts),
    lines: [{ text: figureOf(line, words, texts), tone: TONES[line.says] }],
    table: { columns: [], rows },
  };
}

function moreSection(lines: readonly AlertLine[], { merchant }: AlertInput, texts: Texts): PageSection {
  const words = new AlertWords(texts, merchant);
  return {
    heading: texts.moreLines(isolated(String(lines.length))),
    lines: lines.map((line) => ({
      text: `${headingOf(line, texts)} · ${figureOf(line, words, texts)}`,
      tone: TONES[line.says],
    })),
  };
}

function detailsSection({ merchant, day, check, checkedAt }: AlertInput, texts: Texts): PageSection {
  const { heading, ...labels } = texts.alerts.details;
  const values: Record<keyof typeof labels, string> = {
    merchant: merchant.merchantCode,
    day,
    checkedAt: `${localTime(checkedAt, merchant.timeZone)} (${merchant.timeZone})`,
    check,
  };
  const names = ['merchant', 'day', 'checkedAt', 'check'] as const;
  const rows = names.map((name) => ({ label: labels[name], values: [isolated(values[name])] }));
  return { heading, table: { columns: [], rows } };
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
    (group) => `${texts.alerts.says[group.says]}: ${isolated(String(group.lines.length))}`,
  );
  const page: MailPage = {
    texts,
    marks: [{ text: texts.alerts.says[worst], tone: TONES[worst] }],
    heading: isolated(merchantName(merchant)),
    subheading: isolated(day),
    lead: counted.join(texts.comma),
    sections: [
      ...lines.slice(0, MOST_SECTIONS).map((line) => lineSection(line, input, texts)),
      ...(more.length > 0 ? [moreSection(more, input, texts)] : []),
      detailsSection(input, texts),
    ],
    footer: texts.footer,
  };
  return { subject: subjectOf(input, texts), text: toPlainText(page), html: toHtml(page) };
}
