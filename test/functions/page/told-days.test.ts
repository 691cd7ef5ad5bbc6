import { addDays, type Day } from '#records/day/business-day.ts';
import { figuresOfDay, withDays } from '#records/figures/history.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { laterState, withoutAccounted, type Told } from '#records/revision/told.ts';
import { merchantDay, pageLedgerKey } from '#records/storage/keys.ts';
import { perhapsReceived } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { NO_HISTORY, type KnownHistory } from '#page/history-store.ts';
import { TOLD_NEXT } from '#page/mail-decision.ts';
import { stillTells, tellingOf, toldLast, type Telling, type ToldPorts } from '#page/told-days.ts';
import { aLedger, anEntry, FIGURES, sealedManifest } from '#support/records/manifests.ts';
import { fc, forAllAsync } from '#support/assertions/index.ts';

const CODE = '700001';
const FIRST = '2026-11-01';

type Status = 'accepted' | 'failed' | 'held' | 'bounced' | 'skipped';

/** What becomes of a morning's report: the status of its ledger, if it has one, and whether its run dies before the history. */
const FATES: readonly { status?: Status; isKilled?: boolean }[] = [
  ...(['accepted', 'held', 'failed', 'bounced', 'skipped'] as const).map((status) => ({ status })),
  { isKilled: true },
  { status: 'accepted', isKilled: true },
];

/** A merchant's pages and ledgers, as runs leave them that may die between any two writes. */
class Stage {
  readonly manifests = new Map<string, Manifest>();
  readonly ledgers = new Map<string, Ledger>();
  history: KnownHistory = { ...NO_HISTORY, stored: [] };
  now = 0;
  settings = {
    merchantCode: CODE,
    timeZone: 'Asia/Kuwait',
    recipients: ['owner@shop.example'],
    corrections: 'morning' as const,
    followFor: 90,
    currency: 'KWD',
  };

  readonly ports: ToldPorts = {
    snapshots: {
      revision: ({ period, revision }) => Promise.resolve(this.manifests.get(`${period} ${revision}`)),
      newest: ({ period }) => Promise.resolve(this.newest(period)),
      newestNumber: ({ period }) => Promise.resolve(this.newest(period)?.revision),
    },
    ledgers: {
      read: (key) => {
        const ledger = this.ledgers.get(key);
        return Promise.resolve(ledger && { ledger, version: 'v' });
      },
    },
  };

  newest(day: Day): Manifest | undefined {
    let newest: Manifest | undefined;
    for (let revision = 1; ; revision += 1) {
      const found = this.manifests.get(`${day} ${revision}`);
      if (found === undefined) return newest;
      newest = found;
    }
  }

  /** As a run reads it: with the day before, if the history lacks it. */
  read(day: Day): KnownHistory {
    const before = this.newest(addDays(day, -1));
    const { days } = this.history;
    const known = before && !days.some((one) => one.day === before.day) ? [figuresOfDay(before)] : [];
    return { ...this.history, days: withDays(days, known, 118) };
  }

  record(manifest: Manifest, { days }: KnownHistory, { accounted }: Partial<Telling>): void {
    const told = laterState(this.history.told, accounted ?? null);
    const added = withDays(withDays(this.history.days, days, 118), [figuresOfDay(manifest)], 118);
    const all = withoutAccounted(added, told);
    this.history = { ...this.history, told, days: all, stored: all };
  }

  /** @param shown what mails show of the revision: the same number, the same figures */
  async seal(day: Day, shown: number) {
    const standing = this.newest(day);
    const history = this.read(day);
    const telling = await tellingOf(this.ports, this.settings, { day, standing, history, now: this.now });
    const figures = { ...FIGURES, counts: { ...FIGURES.counts, paid: shown } };
    const manifest: Manifest = {
      ...sealedManifest(figures),
      day,
      revision: (standing?.revision ?? 0) + 1,
      pulledAt: new Date(this.now).toISOString(),
      told: telling.told,
      older: telling.older,
    };
    this.manifests.set(`${day} ${manifest.revision}`, manifest);
    return { manifest, history, telling };
  }

  keyOf({ day, revision }: Pick<Manifest, 'day' | 'revision'>): string {
    return pageLedgerKey({ ...merchantDay(CODE, day), revision });
  }

  write(manifest: Manifest, status: Status, more: Partial<Ledger> = {}): void {
    const at = new Date(this.now).toISOString();
    const recipients = status === 'skipped' ? [] : [anEntry('h', status, { at })];
    const begun = { status, figures: FIGURES, intendedAt: at, until: at };
    this.ledgers.set(this.keyOf(manifest), aLedger(recipients, { ...begun, ...more }));
  }

  skip(manifest: Manifest, reason: string): void {
    this.write(manifest, 'skipped', { reason, nothingToSend: reason });
  }

  /** The newest revision of the day that was mailed itself, 0 for none. */
  own(day: Day, before: number): number {
    for (let revision = before - 1; revision >= 1; revision -= 1) {
      const ledger = this.ledgers.get(this.keyOf({ day, revision }));
      if (ledger !== undefined && perhapsReceived(ledger)) return revision;
    }
    return 0;
  }

  /** What each mail that somebody has told, as revisions of a day: 0 is "nothing before". */
  tellings(): Map<Day, Told[]> {
    const all: Told[] = [];
    for (const manifest of this.manifests.values()) {
      const ledger = this.ledgers.get(this.keyOf(manifest));
      if (ledger === undefined || !perhapsReceived(ledger)) continue;
      const { day, revision } = manifest;
      all.push({ day, from: ledger.kind === 'correction' ? (ledger.corrects ?? 0) : 0, to: revision });
      if (ledger.kind === 'report' && ledger.tells !== false) all.push(...manifest.told);
    }
    return Map.groupBy(all, ({ day }) => day);
  }
}

interface Change {
  /** Days before the reported one. */
  back: number;
  /** Another number: the figures differ. */
  shown: number;
  isFact: boolean;
  isKilled: boolean;
}

interface Morning {
  changes: Change[];
  fate: (typeof FATES)[number];
  /** The order of the days of the morning: older ones first, or the reported one. */
  isReportFirst: boolean;
  /** Whether a report of an earlier morning that nobody has is tried again after this one. */
  retries: boolean;
}

const [back, shown, yesOrNo] = [fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.boolean()];
const changes = fc.array(fc.record<Change>({ back, shown, isFact: yesOrNo, isKilled: yesOrNo }), {
  maxLength: 3,
});
const fate = fc.constantFrom(...FATES);
const mornings = fc.record<Morning>({ changes, fate, isReportFirst: yesOrNo, retries: yesOrNo });

/** The run of an older day, to its end or until it dies after its seal. */
async function changeDay(stage: Stage, day: Day, { shown, isFact, isKilled }: Change): Promise<void> {
  const standing = stage.newest(day);
  if (standing === undefined) return;
  const { manifest, history } = await stage.seal(day, shown);
  if (isKilled) return;
  await mailOlder(stage, manifest, history, { isFact, isNew: true });
  stage.record(manifest, history, {});
}

async function mailOlder(
  stage: Stage,
  manifest: Manifest,
  history: KnownHistory,
  { isFact, isNew }: { isFact: boolean; isNew: boolean },
): Promise<void> {
  const { day, revision } = manifest;
  const own = stage.own(day, revision);
  if (own === 0) {
    await mailReport(stage, manifest, isNew);
    return;
  }
  const page = { day, own, history, now: stage.now };
  const told = await toldLast(stage.ports, stage.settings, page);
  const before = stage.manifests.get(`${day} ${told}`);
  if (before?.counts.paid === manifest.counts.paid) stage.skip(manifest, 'no figure has changed');
  else if (isFact) stage.write(manifest, 'accepted', { kind: 'correction', corrects: told });
  else stage.skip(manifest, TOLD_NEXT);
}

async function reportDay(stage: Stage, day: Day, fate: Morning['fate']): Promise<void> {
  const { status, isKilled = false } = fate;
  const { manifest, history, telling } = await stage.seal(day, 1);
  if (status === 'skipped') stage.skip(manifest, 'not asked for');
  else if (status !== undefined) stage.write(manifest, status);
  if (!isKilled) stage.record(manifest, history, telling);
}

/** A report that nobody has is mailed later, after all. */
async function retryReport(stage: Stage, day: Day): Promise<void> {
  const manifest = stage.newest(day);
  if (manifest === undefined || stage.own(day, manifest.revision + 1) > 0) return;
  const { status } = stage.ledgers.get(stage.keyOf(manifest)) ?? {};
  if (status !== 'skipped') await mailReport(stage, manifest, false);
}

/** @param isNew sealed by the same run */
async function mailReport(stage: Stage, manifest: Manifest, isNew: boolean): Promise<void> {
  const { days } = stage.read(manifest.day);
  const at = { days, now: stage.now };
  const tells = isNew || (await stillTells(stage.ports, stage.settings, manifest, at));
  stage.write(manifest, 'accepted', tells ? {} : { tells });
}

async function runThrough(stage: Stage, all: readonly Morning[]): Promise<Day> {
  let day = FIRST;
  for (const [index, { changes, fate, isReportFirst, retries }] of all.entries()) {
    day = addDays(FIRST, index);
    stage.now = Date.parse(`${addDays(day, 1)}T03:00:00Z`);
    if (isReportFirst) await reportDay(stage, day, fate);
    for (const change of changes) await changeDay(stage, addDays(day, -change.back), change);
    if (!isReportFirst) await reportDay(stage, day, fate);
    if (retries && index > 0) await retryReport(stage, addDays(day, -1));
  }
  return day;
}

/** Whatever died is run again, and two mornings go well. */
async function settle(stage: Stage, last: Day): Promise<void> {
  for (const manifest of [...stage.manifests.values()]) {
    const { day, revision } = manifest;
    if (stage.newest(day) !== manifest || day === last) continue;
    const history = stage.read(day);
    if (!stage.ledgers.has(stage.keyOf(manifest)) && revision > 1)
      await mailOlder(stage, manifest, history, { isFact: false, isNew: false });
    stage.record(manifest, history, {});
  }
  for (const further of [1, 2]) {
    const day = addDays(last, further);
    stage.now = Date.parse(`${addDays(day, 1)}T03:00:00Z`);
    await reportDay(stage, day, { status: 'accepted' });
  }
}

it('what changed on older days is told exactly once, wherever runs die and whatever becomes of their mails', () =>
  forAllAsync([fc.array(mornings, { minLength: 1, maxLength: 9 })], { numRuns: 300 }, async (all) => {
    const stage = new Stage();
    await settle(stage, await runThrough(stage, all));
    for (const [day, tellings] of stage.tellings()) {
      const inOrder = tellings.toSorted((one, other) => one.to - other.to);
      const shownBy = (revision: number) => stage.manifests.get(`${day} ${revision}`)?.counts.paid;
      for (const [index, { from, to }] of inOrder.entries()) {
        const before = inOrder[index - 1]?.to ?? 0;
        // Each mail begins with what the one before it told, or shows the same.
        if (index === 0) expect(from).toBe(0);
        else if (from !== before) expect(shownBy(from)).toBe(shownBy(before));
        expect(to).toBeGreaterThan(before);
      }
      const last = inOrder.at(-1)?.to ?? 0;
      expect(shownBy(last)).toBe(stage.newest(day)?.counts.paid);
    }
  }));
