import { hadNothingToSend, isReceived, decisiveEntries } from '#domain/ledger/ledger-outcome.ts';
import type { LedgerEntry } from '#domain/ledger/ledger.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { nearestText } from '../stage/nearest-text.ts';
import type { AskedAddress, StopFacts, WhyFacts } from './facts.ts';
import { verdictOfReport } from './verdict-of-report.ts';
import { runAgain, timeIn, verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

function again(facts: WhyFacts, { address }: AskedAddress): string[] {
  return [...runAgain(facts), '--resend', '--only', address];
}

function stopped(facts: WhyFacts, asked: AskedAddress, { reason, at }: StopFacts, before: string): Verdict {
  const since = at === null ? '' : ` since ${timeIn(facts, at)}`;
  return verdictOf({
    ending: 'stopped',
    sentence: `${before}Mail to this address is stopped${since}: ${reason}.`,
    toDo: 'If the address works and its owner wants the mail, remove the stop and send the report again.',
    readOn: 'docs/operations.md, "An address is stopped"',
    commands: [['suppression', 'remove', asked.address], again(facts, asked)],
  });
}

function recipientsOf({ entry }: WhyFacts): readonly string[] {
  return entry.is === 'usable' ? entry.recipients : [];
}

function othersThan(facts: WhyFacts, { hash }: AskedAddress): string[] {
  return recipientsOf(facts).filter((address) => addressHash(address) !== hash);
}

/** `merchant set` replaces the whole list, so the line has all of it. */
function withRecipients({ merchantCode }: WhyFacts, recipients: readonly string[]): string[] {
  return ['merchant', 'set', merchantCode, `recipients=${recipients.join(',')}`];
}

function because({ reason }: LedgerEntry): string {
  return reason === null ? '' : `: ${reason}`;
}

/** The verdict about an entry of the ledger that shows no mail. */
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
        toDo: 'Ask the merchant whether the address works. Then send the report again.',
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands: [again(facts, asked)],
      });
    }
    case 'complained':
      return verdictOf({
        ending: 'complained',
        sentence: `The owner of this address marked the mail as unwanted at ${at}. Daybook sends no more mail there.`,
        toDo: 'Ask the merchant who should get the reports. To take this address out of the recipients:',
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands: [withRecipients(facts, othersThan(facts, asked))],
      });
    case 'failed':
      return verdictOf({
        ending: 'mail refused',
        sentence: `The mail to this address was not taken by the mail service, or not given to it${because(entry)}.`,
        toDo: 'Correct the cause. Then send the report again.',
        readOn: 'docs/runbook.md, "A mail was not sent"',
        commands: [again(facts, asked)],
      });
    case 'skipped':
      if (stop !== undefined) return stopped(facts, asked, stop, 'The mail was skipped. ');
      return verdictOf({
        ending: 'not written to',
        sentence: `The mail to this address was skipped at ${at}${because(entry)}.`,
        toDo: 'If the reason has gone, send the report again.',
        commands: [again(facts, asked)],
      });
    case 'held':
    case 'intended':
    case 'accepted':
    case 'delivered':
      return verdictOf({
        ending: 'held',
        sentence: `It is not known whether the mail reached this address${because(entry)}.`,
        toDo: 'Ask the recipient. If the mail did not arrive, send the report again.',
        readOn: 'docs/runbook.md, "A mail is held"',
        commands: [again(facts, asked)],
      });
  }
}

/** Whether a run may be sending the mail at this moment. */
function isUnderWay({ mail, now }: WhyFacts): boolean {
  return mail?.status === 'intended' && now < Date.parse(mail.until);
}

/** Why there is a mail to one address or none, and what to do. */
export function verdictOfAddress(facts: WhyFacts, asked: AskedAddress): Verdict {
  const { entry: registered, mail, delivery, stops } = facts;
  const recipients = recipientsOf(facts);
  const entry = mail && decisiveEntries(mail).get(asked.hash);
  const isRecipient = recipients.some((address) => addressHash(address) === asked.hash);
  if (entry !== undefined && isReceived(entry.status)) {
    const at = timeIn(facts, entry.at);
    return entry.status === 'delivered'
      ? verdictOf({ ending: 'delivered', sentence: `The mail was delivered to this address at ${at}.` })
      : verdictOf({
          ending: 'mailed',
          sentence: `The mail service took the mail to this address at ${at}. No event says yet that it was delivered.`,
        });
  }
  if (entry !== undefined && !isUnderWay(facts)) return notReceived(facts, asked, entry);
  if (!isRecipient && entry === undefined && registered.is === 'usable') {
    const meant = nearestText(asked.address, recipients);
    return verdictOf({
      ending: 'not a recipient',
      sentence: `This address is not a recipient of the merchant.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      toDo: 'If it should get the reports, add it to the recipients.',
      commands: [withRecipients(facts, [...recipients, asked.address])],
    });
  }
  const stop = stops.get(asked.hash);
  const wholeDay = verdictOfReport(facts);
  // Without a mail of the day, that is the first reason.
  const hasMail = mail !== undefined && !hadNothingToSend(mail) && delivery.mail !== null;
  if (!hasMail || isUnderWay(facts)) return wholeDay;
  if (stop !== undefined) return stopped(facts, asked, stop, '');
  return verdictOf({
    ending: 'not written to',
    sentence:
      'The mail of the day was not written to this address: it became a recipient later, or the run died before.',
    toDo: 'Send it to this address.',
    commands: [again(facts, asked)],
  });
}
