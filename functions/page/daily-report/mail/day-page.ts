import { addDays, dayAt } from '#records/day/business-day.ts';
import { soFarUntil, figuresOf } from '#records/revision/manifest.ts';
import { decideChangedDay, decideMail, isCorrected } from '#page/mail-decision.ts';
import type { PageDecision } from '#page/mail-decision.ts';
import type { HistoryStore, KnownHistory } from '#page/history-store.ts';
import { keptDays } from '#page/history-store.ts';
import { stillTells, toldLast } from '#page/told-days.ts';
import type { ToldPorts } from '#page/told-days.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import type { LastMailed, MailedPage } from '#page/send-page.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';

// With it in one chunk: a run that mails loads one file.
export { mailAsAsked } from '#page/send-page.ts';

export interface DayPagePorts extends Pick<ToldPorts, 'ledgers'> {
  snapshots: SnapshotStore;
  senderProfile: SenderProfile;
  history: Pick<HistoryStore, 'read'>;
  clock: Pick<Clock, 'now'>;
}

/** Days at the end of the history that a report may find gone. */
const LEAVING_SOON = 14;

/** What is told of a mailed day whose rows have changed. */
class ChangedDay {
  readonly #ports: DayPagePorts;
  readonly #settings: MerchantSettings;
  readonly #manifest: Manifest;
  readonly #today: string;
  readonly #history: () => Promise<KnownHistory>;
  readonly #decided = new Map<number, Promise<PageDecision>>();

  /** @param history if it was read */
  constructor(
    ports: DayPagePorts,
    settings: MerchantSettings,
    manifest: Manifest,
    history: KnownHistory | undefined,
  ) {
    const { timeZone, followFor, merchantCode } = settings;
    this.#ports = ports;
    this.#settings = settings;
    this.#manifest = manifest;
    this.#today = dayAt(ports.clock.now(), timeZone);
    const at = { today: this.#today, timeZone, followFor };
    let reading = history && Promise.resolve(history);
    this.#history = () => (reading ??= ports.history.read(merchantCode, manifest.day, at));
  }

  /** A report tells days of the history. An older one has a mail of its own. */
  get isToldInReports(): boolean {
    const { corrections, followFor } = this.#settings;
    const first = addDays(this.#today, LEAVING_SOON - keptDays(followFor));
    return corrections === 'morning' && this.#manifest.day >= first;
  }

  /** Asked several times: rows are compared once. */
  decide(before: LastMailed): Promise<PageDecision> {
    const decided = this.#decided.get(before.revision) ?? this.#decide(before);
    this.#decided.set(before.revision, decided);
    return decided;
  }

  async #decide({ revision: own, figures }: LastMailed): Promise<PageDecision> {
    const { snapshots } = this.#ports;
    const manifest = this.#manifest;
    const { merchantCode, day } = manifest;
    const history = await this.#history();
    const page = { day, own, history, now: this.#now() };
    const told = await toldLast(this.#ports, this.#settings, page);
    const place = { ...merchantDay(merchantCode, day), revision: told };
    const earlier = await unlessSpoilt(() => snapshots.revision(place));
    const is = { figures: figuresOf(manifest), received: manifest.received };
    if (earlier === undefined) {
      const was = { figures: figures ?? is.figures, received: null };
      return decideChangedDay({ told, was, is, rows: null });
    }
    const { changedRows } = await import('./compared-revisions.ts');
    const rows = await changedRows(snapshots, pageSettings(manifest, this.#settings), earlier, manifest);
    const was = { figures: figuresOf(earlier), received: earlier.received };
    return decideChangedDay({ told, was, is, rows });
  }

  async stillTells(): Promise<boolean> {
    const { told, older } = this.#manifest;
    if (told.length === 0 && older === null) return true;
    const { days } = await this.#history();
    return stillTells(this.#ports, this.#settings, this.#manifest, { days, now: this.#now() });
  }

  #now(): number {
    return this.#ports.clock.now();
  }
}

/**
 * A day's revision, for the mailing.
 * @param registered of the registry @param history the merchant's, if it was read
 */
export function dayPage(
  ports: DayPagePorts,
  registered: MerchantSettings,
  manifest: Manifest,
  history?: KnownHistory,
): MailedPage {
  const settings = pageSettings(manifest, registered);
  const { snapshots, senderProfile } = ports;
  const { merchantCode, day, revision } = manifest;
  const isSoFar = (sealed: Manifest) => soFarUntil(sealed, settings.timeZone) !== null;
  const soFar = isSoFar(manifest);
  const id = merchantDay(merchantCode, day);
  const changed = new ChangedDay(ports, settings, manifest, history);
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
      before !== null && isCorrected(before) && changed.isToldInReports
        ? changed.decide(before)
        : decideMail(manifest, before, { ...settings, soFar }),
    tells: () => changed.stillTells(),
    // The code that renders and writes mails is loaded only when there is a mail to write.
    compose: async ({ corrects, tells }) => {
      const { composeCorrection, composeReport } = await import('./composers.ts');
      if (corrects === null || corrects.figures === null) {
        const mail = { manifest, preview: false, tells, now: ports.clock.now() };
        return composeReport(settings, senderProfile, snapshots, mail);
      }
      const before = { revision: corrects.revision, figures: corrects.figures };
      const now = ports.clock.now();
      return composeCorrection(settings, senderProfile, snapshots, { manifest, before, now });
    },
    earlier: async (number) => {
      const earlier = await snapshots.revision({ ...id, revision: number });
      return earlier && dayPage(ports, registered, earlier, history);
    },
  };
}
