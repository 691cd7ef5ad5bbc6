import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { soFarUntil, figuresOf, type Manifest } from '#records/revision/manifest.ts';
import { decideChangedDay, decideMail, isCorrected, type PageDecision } from '#page/mail-decision.ts';
import { keptDays, type HistoryStore, type KnownHistory } from '#page/history-store.ts';
import { stillTells, toldLast, type ToldPorts } from '#page/told-days.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { pageSettings, type PageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';
import type { SenderProfile } from '#mail/message/mail-head.ts';
import type { LastMailed, MailedPage } from '#page/send-page.ts';
import type { DayStore } from '#page/day-store.ts';

// With it in one chunk: a run that mails loads one file.
export { mailAsAsked } from '#page/send-page.ts';

export interface DayPagePorts extends Pick<ToldPorts, 'ledgers'> {
  snapshots: DayStore;
  senderProfile: SenderProfile;
  history: Pick<HistoryStore, 'read'>;
  clock: Pick<Clock, 'now'>;
}

/** Days at the end of the history that a report may find gone. */
const LEAVING_SOON = 14;

/** Whether reports tell what changes on the day: days of the history. An older one has a mail of its own. */
function isToldInReports({ corrections, followFor }: MerchantSettings, day: Day, today: Day): boolean {
  return corrections === 'morning' && day >= addDays(today, LEAVING_SOON - keptDays(followFor));
}

async function decideChange(
  ports: DayPagePorts,
  settings: PageSettings,
  manifest: Manifest,
  history: KnownHistory,
  { revision: own, figures }: LastMailed,
): Promise<PageDecision> {
  const { snapshots, clock } = ports;
  const { merchantCode, day } = manifest;
  const told = await toldLast(ports, settings, { day, own, history, now: clock.now() });
  const place = { ...merchantDay(merchantCode, day), revision: told };
  const earlier = await unlessSpoilt(() => snapshots.revision(place));
  const is = { figures: figuresOf(manifest), received: manifest.received };
  if (earlier === undefined) {
    const was = { figures: figures ?? is.figures, received: null };
    return decideChangedDay({ told, was, is, rows: null });
  }
  const { changedRows } = await import('./compared-revisions.ts');
  const rows = await changedRows(snapshots, settings, earlier, manifest);
  const was = { figures: figuresOf(earlier), received: earlier.received };
  return decideChangedDay({ told, was, is, rows });
}

/** A day's revision, for the mailing. @param history the merchant's, if it was read */
export function dayPage(
  ports: DayPagePorts,
  registered: MerchantSettings,
  manifest: Manifest,
  history?: KnownHistory,
): MailedPage {
  const settings = pageSettings(manifest, registered);
  const { snapshots, senderProfile, clock } = ports;
  const { merchantCode, day, revision, told, older } = manifest;
  const { timeZone, followFor } = settings;
  const isSoFar = (sealed: Manifest) => soFarUntil(sealed, timeZone) !== null;
  const soFar = isSoFar(manifest);
  const id = merchantDay(merchantCode, day);
  const today = dayAt(clock.now(), timeZone);
  let reading = history && Promise.resolve(history);
  const readHistory = () =>
    (reading ??= ports.history.read(merchantCode, day, { today, timeZone, followFor }));
  // Asked several times: rows are compared once.
  const decided = new Map<number, Promise<PageDecision>>();
  const decideOnce = (before: LastMailed) => {
    const decision =
      decided.get(before.revision) ??
      readHistory().then((known) => decideChange(ports, settings, manifest, known, before));
    decided.set(before.revision, decision);
    return decision;
  };
  return {
    id,
    revision,
    figures: figuresOf(manifest),
    soFar,
    readAt: manifest.pulledAt,
    readBy: manifest.pull,
    firstKind: 'report',
    recipients: settings.recipients,
    sealed: async (number) => {
      const sealed = await unlessSpoilt(() => snapshots.revision({ ...id, revision: number }));
      return sealed && { figures: figuresOf(sealed), soFar: isSoFar(sealed) };
    },
    decide: (before) =>
      before !== null && isCorrected(before) && isToldInReports(settings, day, today)
        ? decideOnce(before)
        : decideMail(manifest, before, { ...settings, soFar }),
    tells: async () => {
      if (told.length === 0 && older === null) return true;
      const { days } = await readHistory();
      return stillTells(ports, settings, manifest, { days, now: clock.now() });
    },
    // The code that renders and writes mails is loaded only when there is a mail to write.
    compose: async ({ corrects, tells }) => {
      const { composeCorrection, composeReport } = await import('./composers.ts');
      const now = clock.now();
      if (corrects === null || corrects.figures === null)
        return composeReport(settings, senderProfile, snapshots, { manifest, preview: false, tells, now });
      const before = { revision: corrects.revision, figures: corrects.figures };
      return composeCorrection(settings, senderProfile, snapshots, { manifest, before, now });
    },
    earlier: async (number) => {
      const earlier = await snapshots.revision({ ...id, revision: number });
      return earlier && dayPage(ports, registered, earlier, history);
    },
  };
}
