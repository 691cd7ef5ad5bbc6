import { isSameJson } from '#records/json/same-json.ts';
import { groupSchema } from '#registry/group.ts';
import { counted } from '../../terminal/words.ts';
import { shown } from '../../terminal/shown-text.ts';
import {
  changedDurations,
  changedTimes,
  timesInWords,
  named,
  changedAddresses,
  valueChange,
} from './settings-phrases.ts';
import type { GroupDifference, GroupWithMembers, UsedSettings } from './differences.ts';
import type { Telling } from './settings-phrases.ts';

type Groups = UsedSettings<GroupWithMembers>;

const CHECK = 'the command check says why';

/** Members with sentences of their own. */
const SAID = ['merchants', 'codes', 'recipients', 'daily', 'weekly', 'monthly', 'waitFor', 'correctFor'];

function newGroup({ name, recipients, codes, daily, timeZone, ...times }: GroupWithMembers): string {
  const { week, month } = timesInWords(times);
  const pages = [
    ...(daily ? ['a page of each day'] : []),
    ...(week === undefined ? [] : [`a page of each week ${week}`]),
    ...(month === undefined ? [] : [`a page of each month ${month}`]),
  ];
  const sees = recipients.length === 1 ? 'sees' : 'see';
  const who = `${counted(recipients.length, 'recipient')} ${sees} the figures of ${counted(codes.length, 'merchant')}`;
  const gets =
    pages.length === 0 ? 'No page of it comes by itself' : `It gets ${pages.join(', ')} (${timeZone})`;
  return `Group ${name} is added: ${who}. ${gets}.`;
}

function changedMerchants(before: GroupWithMembers, after: GroupWithMembers, isWritten: boolean): string[] {
  const [was, is] = [new Set(before.codes), new Set(after.codes)];
  // Every merchant that comes or goes changes such a group, and has a sentence of its own.
  if (before.merchants === 'all' && after.merchants === 'all') return [];
  const changes = [
    ...changedCodes([...is.difference(was)], 'added'),
    ...changedCodes([...was.difference(is)], 'removed'),
  ];
  if (changes.length > 0) {
    const merchants = `${counted(is.size, 'merchant')} instead of ${was.size.toLocaleString('en')}`;
    return [`The recipients of group ${after.name} see ${merchants}: ${changes.join(', ')}.`];
  }
  return isWritten
    ? [`merchants of group ${after.name} is written anew. The group has the same merchants.`]
    : [];
}

function changedCodes(codes: string[], verb: string): string[] {
  return codes.length === 0 ? [] : [`${named(codes)} ${codes.length === 1 ? 'is' : 'are'} ${verb}`];
}

function changedRecipients(
  { recipients: before }: GroupWithMembers,
  { name, recipients: after }: GroupWithMembers,
  { showAddresses }: Telling,
): string[] {
  const [was, is] = [new Set(before), new Set(after)];
  const changes = [
    ...changedAddresses([...is.difference(was)], 'added', showAddresses),
    ...changedAddresses([...was.difference(is)], 'removed', showAddresses),
  ];
  if (changes.length === 0) {
    return isSameJson(before, after) ? [] : [`The order of the recipients of group ${name} changes.`];
  }
  if (is.size === 0) {
    return [`Group ${name} has no recipients any more: its pages are sealed, and no mail is sent.`];
  }
  return [
    `Group ${name} has ${counted(is.size, 'recipient')} instead of ${was.size}: ${changes.join(', ')}.`,
  ];
}

function changedPages(before: GroupWithMembers, after: GroupWithMembers): string[] {
  const { name, daily, timeZone } = after;
  const { waitFor, correctFor } = changedDurations(before, after);
  return [
    ...(before.daily === daily
      ? []
      : [`Group ${name} gets ${daily ? 'a page of each day' : 'no pages of days any more'}.`]),
    ...changedTimes(before, after, timeZone).map(({ period, when }) =>
      when === undefined
        ? `Group ${name} gets no pages of ${period}s any more.`
        : `Group ${name} gets a page of each ${period}, ${when}.`,
    ),
    ...(waitFor === undefined
      ? []
      : [`Pages of group ${name} wait ${waitFor[0]} for what is missing, instead of ${waitFor[1]}.`]),
    ...(correctFor === undefined
      ? []
      : [
          `Pages of group ${name} follow corrections for ${correctFor[0]} after their period, instead of ${correctFor[1]}.`,
        ]),
  ];
}

/** What of a group changes, and which members the sentences are about. */
function changedGroup(
  before: GroupWithMembers,
  after: GroupWithMembers,
  written: readonly string[],
  telling: Telling,
): string[] {
  const values = { before: new Map(Object.entries(before)), after: new Map(Object.entries(after)) };
  const changed = [...new Set([...values.before.keys(), ...values.after.keys()])].filter(
    (name) => !isSameJson(values.before.get(name), values.after.get(name)),
  );
  const owner = `group ${after.name}`;
  const known = groupSchema.unwrap().shape;
  return [
    ...changedMerchants(before, after, written.includes('merchants')),
    ...changedRecipients(before, after, telling),
    ...changedPages(before, after),
    ...changed
      .filter((name) => !SAID.includes(name))
      .map((name) => `${valueChange(name, owner, values.before.get(name), values.after.get(name))}.`),
    ...written
      .filter((name) => !changed.includes(name) && name !== 'merchants')
      .map((name) =>
        Object.hasOwn(known, name)
          ? `${name} of ${owner} is written anew, with the same effect.`
          : `${shown(name, 80)} of ${owner} changes. Daybook does not know this member.`,
      ),
  ];
}

/** What changes for groups, in sentences. */
export function groupsInWords(
  { settings: was, unusable: wasUnusable }: Groups,
  { settings: is, unusable }: Groups,
  differences: readonly GroupDifference[],
  telling: Telling,
): string[] {
  const written = new Map(differences.map((difference) => [difference.name, difference]));
  const removed = differences.filter(({ change }) => change === 'removed');
  const sentences = removed.map(({ name }) => `Group ${name} is removed. No page of it is made any more.`);
  for (const name of unusable) {
    if (wasUnusable.has(name)) continue;
    const isNew = written.get(name)?.change === 'added';
    sentences.push(
      isNew
        ? `Group ${name} is added. It cannot be used: ${CHECK}.`
        : `Group ${name} cannot be used${was.has(name) ? ' any more' : ''}: ${CHECK}.`,
    );
  }
  for (const [name, group] of is) {
    const difference = written.get(name);
    const earlier = was.get(name);
    if (difference?.change === 'added') sentences.push(newGroup(group));
    else if (earlier === undefined) sentences.push(`Group ${name} can be used again.`);
    else sentences.push(...changedGroup(earlier, group, difference?.members ?? [], telling));
  }
  return sentences;
}
