import { hadNothingToSend, isReceived, decisiveEntries } from '#records/ledger/ledger-rounds.ts';
import type { LedgerEntry } from '#records/ledger/ledger.ts';
import { addressHash } from '#records/storage/keys.ts';
import { nearestText } from '../stage/known-names.ts';
import { triesOf } from '../stage/failed-pull.ts';
import type { StopFacts, WhyFacts, Verdict } from './verdict.ts';
import { isUnderWay, makeAgain, noEventYet, timeIn, verdict } from './verdict.ts';
import { verdictOfPage } from './verdict-of-page.ts';

function again(facts: WhyFacts, address: string): string[] {
  return [...makeAgain(facts), '--resend', '--only', address];
}

function stopped(facts: WhyFacts, address: string, stop: StopFacts, before: string): Verdict {
  const { reason, byReader, at } = stop;
  const readOn = 'docs/operations.md, "An address is stopped"';
  const remove = ['suppression', 'remove', address];
  const time = at === null ? '' : timeIn(facts, at);
  if (byReader)
    return verdict(
      'stopped by its readers',
      `${before}Its reader stopped these mails with one click${time && ` at ${time}`}.`,
      {
        toDo: 'The reader can undo it with the link of any earlier mail. If the reader asks you to, lift the stop and send the mail again.',
        readOn,
        commands: [[...remove, '--reader'], again(facts, address)],
      },
    );
  const sentence = `${before}Mail to this address is stopped${time && ` since ${time}`}: ${reason}.`;
  return verdict('stopped', sentence, {
    toDo: 'If the address works and its owner wants the mail, remove the stop and send the mail again.',
    readOn,
    commands: [remove, again(facts, address)],
  });
}

/** `merchant set` replaces the whole list, so the line has all of it. A group's are in the registry. */
function withRecipients({ page: { owner } }: WhyFacts, recipients: readonly string[]): string[] {
  return owner.group === undefined
    ? ['merchant', 'set', owner.merchantCode, `recipients=${recipients.join(',')}`]
    : ['registry', 'pull'];
}

function notReceived(facts: WhyFacts, address: string, entry: LedgerEntry): Verdict {
  const at = timeIn(facts, entry.at);
  const stop = facts.stops.get(addressHash(address));
  const because = entry.reason === null ? '' : `: ${entry.reason}`;
  const owner = facts.page.owner.group === undefined ? 'merchant' : 'group';
  const commands = [again(facts, address)];
  switch (entry.status) {
    case 'bounced': {
      const sentence = `The mail to this address came back at ${at}${because}.`;
      if (stop !== undefined) return stopped(facts, address, stop, `${sentence} `);
      return verdict('bounced', sentence, {
        toDo: `Ask the ${owner} whether the address works. Then send the mail again.`,
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands,
      });
    }
    case 'complained': {
      const others = facts.page.recipients.filter((one) => addressHash(one) !== addressHash(address));
      const sentence = `The owner of this address marked the mail as unwanted at ${at}. Daybook sends no more mail there.`;
      return verdict('complained', sentence, {
        toDo: `Ask the ${owner} who should get the mails. To take this address out of the recipients:`,
        readOn: 'docs/runbook.md, "Mails bounce or are complained about"',
        commands: [withRecipients(facts, others)],
      });
    }
    case 'failed': {
      const tried = entry.tries === undefined ? '' : ` It was ${triesOf({ tries: entry.tries })}.`;
      const sentence = `The mail to this address was not taken by the mail service, or not given to it${because}.${tried}`;
      return verdict('mail refused', sentence, {
        toDo: 'Correct the cause. Then send the mail again.',
        readOn: 'docs/runbook.md, "A mail was not sent"',
        commands,
      });
    }
    case 'skipped':
      if (stop !== undefined) return stopped(facts, address, stop, 'The mail was skipped. ');
      return verdict('not written to', `The mail to this address was skipped at ${at}${because}.`, {
        toDo: 'If the reason has gone, send the mail again.',
        commands,
      });
    case 'held':
    case 'intended':
    case 'accepted':
    case 'delivered':
      return verdict('held', `It is not known whether the mail reached this address${because}.`, {
        toDo: 'Ask the recipient. If the mail did not arrive, send it again.',
        readOn: 'docs/runbook.md, "A mail is held"',
        commands,
      });
  }
}

/** Why there is a mail to one address or none, and what to do. */
export function verdictOfAddress(facts: WhyFacts, address: string): Verdict {
  const hash = addressHash(address);
  const { page, mail, delivery, stops } = facts;
  const { recipients, owner } = page;
  const entry = mail && decisiveEntries(mail).get(hash);
  const isRecipient = recipients.some((one) => addressHash(one) === hash);
  if (entry !== undefined && isReceived(entry.status)) {
    const at = timeIn(facts, entry.at);
    if (entry.status === 'delivered')
      return verdict('delivered', `The mail was delivered to this address at ${at}.`);
    const event = noEventYet(facts, entry.at);
    return verdict('mailed', `The mail service took the mail to this address at ${at}. ${event}`);
  }
  if (entry !== undefined && !isUnderWay(facts)) return notReceived(facts, address, entry);
  if (!isRecipient && entry === undefined && page.entry === 'usable') {
    const meant = nearestText(address, recipients);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const whose = owner.group === undefined ? 'merchant' : 'group';
    return verdict('not a recipient', `This address is not a recipient of the ${whose}.${hint}`, {
      toDo: 'If it should get the mails, add it to the recipients.',
      commands: [withRecipients(facts, [...recipients, address])],
    });
  }
  // Without a mail of the page, that is the first reason.
  const hasMail = mail !== undefined && !hadNothingToSend(mail) && delivery.mail !== null;
  if (!hasMail || isUnderWay(facts)) return verdictOfPage(facts);
  const stop = stops.get(hash);
  if (stop !== undefined) return stopped(facts, address, stop, '');
  const sentence =
    'The mail was not written to this address: it became a recipient later, or the run died before.';
  const commands = [again(facts, address)];
  return verdict('not written to', sentence, { toDo: 'Send it to this address.', commands });
}
