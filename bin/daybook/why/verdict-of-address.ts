import { hadNothingToSend, isReceived, decisiveEntries } from '#records/ledger/ledger-outcome.ts';
import type { LedgerEntry } from '#records/ledger/ledger.ts';
import { addressHash } from '#records/storage/keys.ts';
import { nearestText } from '../stage/known-names.ts';
import { triesOf } from '../stage/failed-pull.ts';
import type { AskedAddress, StopFacts, WhyFacts, Verdict } from './verdict.ts';
import { makeAgain, noEventYet, timeIn, verdictOf } from './verdict.ts';
import { verdictOfPage } from './verdict-of-page.ts';

function again(facts: WhyFacts, { address }: AskedAddress): string[] {
  return [...makeAgain(facts), '--resend', '--only', address];
}

function stopped(facts: WhyFacts, asked: AskedAddress, stop: StopFacts, before: string): Verdict {
  const { reason, byReader, at } = stop;
  const since = at === null ? '' : ` since ${timeIn(facts, at)}`;
  if (byReader) {
    return verdictOf({
      ending: 'stopped by its readers',
      sentence: `${before}Its reader stopped these mails with one click${at === null ? '' : ` at ${timeIn(facts, at)}`}.`,
      toDo: 'The reader can undo it with the link of any earlier mail. If the reader asks you to, lift the stop and send the mail again.',
      readOn: 'docs/operations.md, "An address is stopped"',
      commands: [['suppression', 'remove', asked.address, '--reader'], again(facts, asked)],
    });
  }
  return verdictOf({
    ending: 'stopped',
    sentence: `${before}Mail to this address is stopped${since}: ${reason}.`,
    toDo: 'If the address works and its owner wants the mail, remove the stop and send the mail again.',
    readOn: 'docs/operations.md, "An address is stopped"',
    commands: [['suppression', 'remove', asked.address], again(facts, asked)],
  });
}

/**
 * The command with which the recipients are changed. `merchant set` replaces the whole list, so the line has all of it. A
 * group's are in the registry.
 */
function withRecipients({ page: { owner } }: WhyFacts, recipients: readonly string[]): string[] {
  return owner.group === undefined
    ? ['merchant', 'set', owner.merchantCode, `recipients=${recipients.join(',')}`]
    : ['registry', 'pull'];
}

function whose({ page: { owner } }: WhyFacts): 'merchant' | 'group' {
  return owner.group === undefined ? 'merchant' : 'group';
}

function because({ reason }: LedgerEntry): string {
  return reason === null ? '' : `: ${reason}`;
}

function notReceived(facts: WhyFacts, asked: AskedAddress, entry: LedgerEntry): Verdict {
  const at = timeIn(facts, entry.at);
  const stop = facts.stops.get(asked.hash);
  switch (entry.status) {
    case 'bounced': {
      const sentence = `The mail to this address came back at ${at}${because(entry)}. `;
      if (stop !== undefined) return stopped(facts, asked, stop, sentence);
      return verdictOf({
        ending: 'bounced',
        sentence: sentence.trim(),
        toDo: `Ask the ${whose(facts)} whether the address works. Then send the mail again.`,
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands: [again(facts, asked)],
      });
    }
    case 'complained': {
      const others = facts.page.recipients.filter((address) => addressHash(address) !== asked.hash);
      return verdictOf({
        ending: 'complained',
        sentence: `The owner of this address marked the mail as unwanted at ${at}. Daybook sends no more mail there.`,
        toDo: `Ask the ${whose(facts)} who should get the mails. To take this address out of the recipients:`,
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands: [withRecipients(facts, others)],
      });
    }
    case 'failed':
      return verdictOf({
        ending: 'mail refused',
        sentence: `The mail to this address was not taken by the mail service, or not given to it${because(entry)}.${entry.tries === undefined ? '' : ` It was ${triesOf({ tries: entry.tries })}.`}`,
        toDo: 'Correct the cause. Then send the mail again.',
        readOn: 'docs/runbook.md, "A mail was not sent"',
        commands: [again(facts, asked)],
      });
    case 'skipped':
      if (stop !== undefined) return stopped(facts, asked, stop, 'The mail was skipped. ');
      return verdictOf({
        ending: 'not written to',
        sentence: `The mail to this address was skipped at ${at}${because(entry)}.`,
        toDo: 'If the reason has gone, send the mail again.',
        commands: [again(facts, asked)],
      });
    case 'held':
    case 'intended':
    case 'accepted':
    case 'delivered':
      return verdictOf({
        ending: 'held',
        sentence: `It is not known whether the mail reached this address${because(entry)}.`,
        toDo: 'Ask the recipient. If the mail did not arrive, send it again.',
        readOn: 'docs/runbook.md, "A mail is held"',
        commands: [again(facts, asked)],
      });
  }
}

function isUnderWay({ mail, now }: WhyFacts): boolean {
  return mail?.status === 'intended' && now < Date.parse(mail.until);
}

/** Why there is a mail to one address or none, and what to do. */
export function verdictOfAddress(facts: WhyFacts, asked: AskedAddress): Verdict {
  const { page, mail, delivery, stops } = facts;
  const { recipients } = page;
  const entry = mail && decisiveEntries(mail).get(asked.hash);
  const isRecipient = recipients.some((address) => addressHash(address) === asked.hash);
  if (entry !== undefined && isReceived(entry.status)) {
    const at = timeIn(facts, entry.at);
    return entry.status === 'delivered'
      ? verdictOf({ ending: 'delivered', sentence: `The mail was delivered to this address at ${at}.` })
      : verdictOf({
          ending: 'mailed',
          sentence: `The mail service took the mail to this address at ${at}. ${noEventYet(facts, entry.at)}`,
        });
  }
  if (entry !== undefined && !isUnderWay(facts)) return notReceived(facts, asked, entry);
  if (!isRecipient && entry === undefined && page.entry === 'usable') {
    const meant = nearestText(asked.address, recipients);
    return verdictOf({
      ending: 'not a recipient',
      sentence: `This address is not a recipient of the ${whose(facts)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      toDo: 'If it should get the mails, add it to the recipients.',
      commands: [withRecipients(facts, [...recipients, asked.address])],
    });
  }
  const stop = stops.get(asked.hash);
  const wholePage = verdictOfPage(facts);
  // Without a mail of the page, that is the first reason.
  const hasMail = mail !== undefined && !hadNothingToSend(mail) && delivery.mail !== null;
  if (!hasMail || isUnderWay(facts)) return wholePage;
  if (stop !== undefined) return stopped(facts, asked, stop, '');
  return verdictOf({
    ending: 'not written to',
    sentence:
      'The mail was not written to this address: it became a recipient later, or the run died before.',
    toDo: 'Send it to this address.',
    commands: [again(facts, asked)],
  });
}
