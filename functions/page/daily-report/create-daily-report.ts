import { AFTER_MAIL } from '#runtime/clock.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { pageSettings } from '../page-settings.ts';
import type { MailAnswer } from '#mail/once/mail-answer.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { DayStore } from '../day-store.ts';
import type { Dependencies } from './dependencies.ts';
import { isMorning, prepareRun, readKnownDay, type Run, type DailyReportEvent } from './prepare-run.ts';
import {
  withDayClient,
  recordHistory,
  recordPull,
  newestOf,
  sealedRevision,
} from './seal/sealed-revision.ts';
import type { SealedRevision } from './seal/sealed-revision.ts';
import type { CheckRecord, StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { Difference } from '#records/figures/figure-schemas.ts';
import { manifestKey } from '#records/storage/keys.ts';
import type { SealedDay } from './seal/seal-day.ts';

/** A list names the first ones, and says where to find the rest. */
const MOST_DIFFERENCES = 100;

export function listedDifferences(differences: readonly Difference[]): Difference[] {
  const listed = differences.slice(0, MOST_DIFFERENCES);
  const more = differences.length - listed.length;
  if (more > 0) listed.push({ what: `${more} more, see the manifest`, service: null, rows: null });
  return listed;
}

/**
 * The answer (docs/interfaces.md, 4.2 daily-report). It has the first hundred differences, the manifest all of them. `amounts` is
 * `null` when the registry names no states.
 * @param isSealed `false` for a dry run, which has neither revision nor key
 */
function answerOf(
  settings: MerchantSettings,
  { manifest, unchanged }: Pick<SealedDay, 'manifest' | 'unchanged'>,
  mail: MailAnswer,
  isSealed = true,
) {
  const { merchantCode, day, revision, balanced, differences, notCompared, counts, amounts, refunds } =
    manifest;
  return {
    merchantCode,
    day,
    revision: isSealed ? revision : null,
    unchanged,
    balanced,
    differences: listedDifferences(differences),
    notCompared: listedDifferences(notCompared),
    currency: pageSettings(manifest, settings).currency,
    counts,
    amounts,
    refunds,
    manifestKey: isSealed ? manifestKey(day, merchantCode, revision) : null,
    mail,
  };
}

export type DailyReportAnswer = ReturnType<typeof answerOf>;

/** What the record says of the mail; `null` when something may be left to do. @param mail `undefined` on failure */
function settledMail(
  { send, to }: Pick<DailyReportEvent, 'send' | 'to'>,
  mail: MailAnswer | undefined,
): CheckRecord['mail'] {
  // A preview, and a run that is not to send, do not look at what another run has left open.
  if (!send || to !== undefined) return null;
  const status = mail?.status;
  if (status === 'sent' || status === 'already-sent') return 'sent';
  return status === 'skipped' ? 'skipped' : null;
}

/** By the record of an earlier pull; `undefined` when the mail has to be looked at. A person's run always looks. */
function mailSettledBefore(
  { event }: { event: Pick<DailyReportEvent, 'scheduledTime' | 'send' | 'to'> },
  { manifest, check }: { manifest: Manifest; check?: StandingCheck | undefined },
): { record: 'sent' | 'skipped'; answer: MailAnswer } | undefined {
  const record = check?.record;
  const isAsUsual = event.scheduledTime !== undefined && event.send && event.to === undefined;
  if (!isAsUsual || record?.revision !== manifest.revision || record.mail === null) return undefined;
  const answer: MailAnswer =
    record.mail === 'sent'
      ? { status: 'already-sent', messageIds: [] }
      : { status: 'skipped', reason: 'this revision had nothing to send', messageIds: [] };
  return { record: record.mail, answer };
}

/** Builds `daily-report` (docs/interfaces.md, 4.2 daily-report): pull, seal, mail. Each looks first what is done. */
export function createDailyReport(dependencies: Dependencies): Handler<DailyReportAnswer> {
  const { telemetry } = dependencies;
  const lastMorning: FollowedMorning = { merchantCode: '', scheduledTime: '', asSealed: new Set() };
  return (input, context) =>
    telemetry.during(context, async () => {
      const run = await prepareRun(dependencies, input, context);
      telemetry.about({ merchantCode: run.settings.merchantCode, day: run.day });
      const answer = await report(dependencies, run, lastMorning);
      const { refunds: _refunds, mail, ...logged } = answer;
      telemetry.logger.info('reported', { ...logged, mail: mail.status });
      return answer;
    });
}

/** What this process knows of the morning that it was the last to begin: its lookback days follow in the same message. */
interface FollowedMorning {
  merchantCode: string;
  scheduledTime: string;
  /** Days whose newest pages are as the service has them. */
  asSealed: ReadonlySet<string>;
}

async function report(
  dependencies: Dependencies,
  run: Run,
  morning: FollowedMorning,
): Promise<DailyReportAnswer> {
  const { event, settings, day } = run;
  if (event.dryRun) return dryRun(dependencies, run);
  const known = await readKnownDay(dependencies.snapshots, settings.merchantCode, day);
  if (isMorning(run) && known.newest?.scheduledTime !== event.scheduledTime) {
    const { followOpenPast } = await import('./follow/follow-open-past.ts');
    const asSealed = await followOpenPast(dependencies, run, (older) => {
      const send = older.day >= (settings.reportFrom ?? '');
      return report(dependencies, { ...run, ...older, event: { ...event, send } }, morning);
    });
    const { merchantCode } = settings;
    Object.assign(morning, { merchantCode, scheduledTime: event.scheduledTime, asSealed: new Set(asSealed) });
  }
  const sealed =
    event.resend || isAsSealed(run, morning)
      ? newestOf(run, known)
      : await sealedRevision(dependencies, run, known);
  return answerOf(settings, sealed, await mailAndRecord(dependencies, run, sealed));
}

function isAsSealed({ event, settings, day }: Run, morning: FollowedMorning): boolean {
  const { merchantCode, scheduledTime, asSealed } = morning;
  const isSameMorning = settings.merchantCode === merchantCode && event.scheduledTime === scheduledTime;
  return isSameMorning && event.to === undefined && asSealed.has(day);
}

/** Mails and stores, a first revision at the same time. Then records, so that later looks need not find out. */
async function mailAndRecord(
  dependencies: Dependencies,
  run: Run,
  sealed: SealedRevision,
): Promise<MailAnswer> {
  const { event } = run;
  const { manifest, isNew, pulled, check, history } = sealed;
  const mailing = () => mailed(dependencies, run, { manifest, isNew, history });
  if (pulled === undefined) return mailing();
  const settledBefore = mailSettledBefore(run, sealed);
  if (settledBefore !== undefined) {
    if (sealed.isOfEarlierRun !== true)
      await recordPull(dependencies, run, { ...pulled, mail: settledBefore.record }, check);
    return settledBefore.answer;
  }
  const record = () => recordHistory(dependencies, run, manifest, history);
  // Once the history has a later revision, no morning looks at the day again: its mail comes first.
  const recording = manifest.revision === 1 ? record() : undefined;
  let mail: MailAnswer | undefined;
  try {
    mail = await mailing();
  } finally {
    const isStored = await (recording ?? (mail !== undefined && record()));
    const settled = isStored ? settledMail(event, mail) : null;
    await recordPull(dependencies, run, { ...pulled, mail: settled }, check);
  }
  return mail;
}

/** Most days have nothing to mail: the code that mails is loaded when it is needed. */
async function mailed(
  dependencies: Dependencies,
  { event, settings, end }: Run,
  { manifest, isNew, history }: Pick<SealedRevision, 'manifest' | 'isNew' | 'history'>,
): Promise<MailAnswer> {
  const { mailAsAsked, dayPage } = await import('./mail/day-page.ts');
  const page = dayPage(dependencies, settings, manifest, history);
  const preview = () => previewOf(dependencies, settings, manifest, dependencies.snapshots);
  return mailAsAsked(dependencies, event, { page, isNew, preview, deadline: end - AFTER_MAIL });
}

/** @param snapshots `null` for a dry run: highlights and attachments are made from sealed files, and it has none */
async function previewOf(
  { senderProfile }: Dependencies,
  settings: MerchantSettings,
  manifest: Manifest,
  snapshots: DayStore | null,
): Promise<ComposedMail> {
  const { composeReport } = await import('./mail/composers.ts');
  return composeReport(pageSettings(manifest, settings), senderProfile, snapshots, {
    manifest,
    preview: true,
  });
}

async function dryRun(dependencies: Dependencies, run: Run): Promise<DailyReportAnswer> {
  const { settings, day } = run;
  const known = await readKnownDay(dependencies.snapshots, settings.merchantCode, day);
  const sealed = await withDayClient(dependencies, run, known, async (request, client) => {
    const { sealDay } = await import('./seal/seal-day.ts');
    return sealDay(client, dependencies.snapshots, dependencies.clock, request, false);
  });
  await previewOf(dependencies, settings, sealed.manifest, null);
  const skipped: MailAnswer = { status: 'skipped', reason: 'dry run', messageIds: [] };
  return answerOf(settings, sealed, skipped, false);
}
