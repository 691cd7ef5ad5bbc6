import type { NoticeList, OpsNotice } from './ops-notice.ts';
import { HEADINGS, headingOfError, placeOf } from './runbook.ts';
import { toHtml } from '../template/mail-view.ts';
import { LONGEST_SUBJECT } from '../template/mail-layout.ts';
import type { MailPage, RenderedMail } from '../template/mail-layout.ts';
import { bounded, isolated, oneLine } from '../formatters/outside-text.ts';
import { commandLine } from './ops-command.ts';
import type { NoticePlace } from './ops-command.ts';
import { textsIn } from '../texts/texts.ts';
import { opsNoticeKey } from '#records/storage/keys.ts';
import { daybookHeaders } from '../message/mail-head.ts';
import { composeMail } from '../message/mime.ts';
import type { MailParts } from '../message/mime.ts';

/** UTF-16 units. This is enough for every notice and within the limit of SNS. */
const LONGEST_TEXT = 16_000;
/** UTF-16 units. */
const LONGEST_LINE = 2_000;
const MOST_IN_HEAD = 5;

interface Part {
  heading: string;
  lines: readonly string[];
}

function oneOrCount(values: readonly string[], one: string, many: string): string | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  return values.length === 1 ? `${one}${first}` : `${values.length} ${many}`;
}

function whatHappened({ merchants, groups = [], days, periods = [], happened }: OpsNotice): string {
  const parts = [
    oneOrCount(merchants, merchants[0]?.startsWith('merchants[') === true ? '' : 'Merchant ', 'merchants'),
    oneOrCount(groups, 'Group ', 'groups'),
    oneOrCount(days, '', 'days'),
    oneOrCount(periods, '', 'periods'),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return happened.charAt(0).toUpperCase() + happened.slice(1);
  return `${parts.join(', ')}: ${happened}`;
}

function headLine(one: string, values: readonly string[]): string[] {
  if (values.length === 0) return [];
  const named = values.slice(0, MOST_IN_HEAD).join(', ');
  const more = values.length - MOST_IN_HEAD;
  return [`${one}${values.length === 1 ? '' : 's'}: ${named}${more > 0 ? ` and ${more} more` : ''}`];
}

function readMore({ headings, errors = [] }: OpsNotice, { runbook }: NoticePlace): string[] {
  const sections = headings.map((name) => `"${HEADINGS[name].heading}": ${placeOf(name, runbook)}`);
  const explained = errors.map((name) => `${name}: ${placeOf(headingOfError(name), runbook)}`);
  return [...new Set([...sections, ...explained])];
}

function partsOf(notice: OpsNotice, place: NoticePlace): Part[] {
  const { meaning, tried, toDo, commands } = notice;
  const parts = [
    { heading: 'What it means', lines: meaning },
    { heading: 'What Daybook did', lines: tried },
    { heading: 'What to do', lines: toDo.map((step, index) => `${index + 1}. ${step}`) },
    { heading: 'Read more', lines: readMore(notice, place) },
    {
      heading: 'Look closer',
      lines: commands.flatMap((command) => [`${command.shows}:`, commandLine(command, place)]),
    },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** As much of the list as fits. The last line counts the others. */
function fittingList({ heading, lines, total, others }: NoticeList, room: number): Part {
  const where = others === undefined ? '' : `, ${others}`;
  const rest = (shown: number) => `… and ${total - shown} more${where}`;
  const listed: string[] = [];
  let left = room - heading.length - rest(0).length - 10;
  for (const line of lines) {
    const shown = oneLine(line, LONGEST_LINE);
    left -= shown.length + 1;
    if (left < 0) break;
    listed.push(shown);
  }
  return { heading, lines: listed.length < total ? [...listed, rest(listed.length)] : listed };
}

function textOf(head: readonly string[], parts: readonly Part[]): string {
  const blocks = [
    ...(head.length === 0 ? [] : [head]),
    ...parts.map(({ heading, lines }) => [heading, ...lines]),
  ];
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function safe(lines: readonly string[]): string[] {
  return lines.map((line) => oneLine(line, LONGEST_LINE)).filter((line) => line !== '');
}

/** A mail to ops. Each command is alone on its line; the list comes last, so that a long one hides nothing. */
export function renderOpsNotice(notice: OpsNotice, place: NoticePlace): RenderedMail {
  const { stage } = place;
  const { merchants, groups = [], days, periods = [], list } = notice;
  const head = safe([
    ...(stage === undefined ? [] : [`Stage: ${stage}`]),
    ...headLine('Merchant', merchants),
    ...headLine('Group', groups),
    ...headLine('Day', days),
    ...headLine('Period', periods),
  ]);
  const fixed = partsOf(notice, place).map(({ heading, lines }) => ({ heading, lines: safe(lines) }));
  const room = LONGEST_TEXT - textOf(head, fixed).length;
  const parts = list === undefined ? fixed : [...fixed, fittingList(list, room)];
  const what = whatHappened(notice);
  const page: MailPage = {
    texts: textsIn('en'),
    marks: [],
    heading: isolated(what),
    preheader: safe(notice.meaning)[0] ?? '',
    sections: [
      ...(head.length === 0 ? [] : [{ lines: head.map((text) => ({ text, tone: 'plain' as const })) }]),
      ...parts.map(({ heading, lines }) => ({
        heading,
        lines: lines.map((text) => ({ text, tone: 'plain' as const })),
      })),
    ],
    footer: [],
  };
  return {
    subject: oneLine(`[Daybook${stage === undefined ? '' : ` ${stage}`}] ${what}`, LONGEST_SUBJECT),
    text: bounded(textOf(head, parts), LONGEST_TEXT + 1),
    html: toHtml(page),
  };
}

/** SNS accepts a subject of printable ASCII with less than 100 characters. */
const LONGEST_TOPIC_SUBJECT = 99;

function topicSubject(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, LONGEST_TOPIC_SUBJECT);
}

export function composeOpsMail(
  notice: OpsNotice,
  place: NoticePlace,
  head: Pick<MailParts, 'from' | 'replyTo' | 'to' | 'at'>,
): Promise<Uint8Array> {
  const headers = daybookHeaders({ kind: 'ops', reference: [opsNoticeKey(notice.about)] });
  return composeMail({ ...head, headers, ...renderOpsNotice(notice, place) });
}

export function topicMessage(notice: OpsNotice, place: NoticePlace): { Subject: string; Message: string } {
  const { subject, text } = renderOpsNotice(notice, place);
  // The subject is repeated in the message, because the SNS subject loses all that is not ASCII.
  return { Subject: topicSubject(subject), Message: `${subject}\n\n${text}` };
}
