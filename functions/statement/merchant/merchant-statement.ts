import { NothingSealedError } from '#domain/errors/nothing-sealed-error.ts';
import { InvalidPeriodError, periodKind } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Statement } from '#domain/statement/statement.ts';
import { merchantAnswer } from '../answer.ts';
import type { MerchantStatementAnswer } from '../answer.ts';
import { assertMailAllowed, mailAsAsked } from '../asked-mail.ts';
import type { Dependencies } from '../dependencies.ts';
import { statementMail } from '../mail/statement-mail.ts';
import type { SealedPage } from '../seal-next.ts';
import type { StatementEvent } from '../statement-event.ts';
import { askedPeriod } from './days-of-period.ts';
import { sealStatement } from './seal-statement.ts';

/** The event of a merchant's statement, and the end of the time (milliseconds UTC). */
export type MerchantEvent = Omit<StatementEvent, 'owner'> & { merchantCode: string; deadline: number };

/** @throws {InvalidPeriodError} when it is no week or month */
async function wantedPeriod(
  { statements }: Pick<Dependencies, 'statements'>,
  event: MerchantEvent,
  settings: MerchantSettings,
  now: number,
): Promise<Period> {
  // "last-month" in a schedule means the month before its scheduled time, even when the event comes late.
  const asOf = event.scheduledTime ? Math.min(Date.parse(event.scheduledTime), now) : now;
  const period = await askedPeriod(statements, settings, event.period, asOf);
  if (periodKind(period) === 'day') {
    throw new InvalidPeriodError(
      `period ${period} is a day. A merchant has statements of weeks and months only. Its day has a report (daily-report)`,
    );
  }
  return period;
}

/**
 * Adds up, seals and mails one merchant's week or month.
 *
 * @throws {UnknownMerchantError} when the registry has no such merchant
 * @throws {InvalidMerchantError} when the merchant's entry is not usable
 * @throws {InvalidPeriodError} when the period is no week or month, or is not over
 */
export async function merchantStatement(
  dependencies: Dependencies,
  event: MerchantEvent,
): Promise<MerchantStatementAnswer> {
  const { registry } = await dependencies.registry.load();
  const settings = merchantSettings(registry, event.merchantCode);
  await assertMailAllowed(dependencies, event, settings.recipients, 'merchant');
  const now = dependencies.clock.now();
  const period = await wantedPeriod(dependencies, event, settings, now);
  const scheduledTime = event.scheduledTime ?? null;
  const { revisions, seen } = event;
  const request = { settings, period, scheduledTime, revisions, seen };
  const isStored = !event.dryRun;
  const sealed =
    event.resend === false
      ? await sealStatement(dependencies, request, isStored)
      : await newestStatement(dependencies, settings.merchantCode, period);
  const { page } = sealed;
  const compose = async () => {
    const { composeStatementMail } = await import('../mail/composers.ts');
    return composeStatementMail(dependencies, settings, { statement: page, before: null, preview: true });
  };
  if (event.dryRun) {
    await compose();
    return merchantAnswer({
      ...sealed,
      sealed: false,
      mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
    });
  }
  const mail = await mailAsAsked(dependencies, event, {
    page: statementMail(dependencies, settings, page, event.send),
    isNew: !sealed.unchanged,
    preview: compose,
    deadline: event.deadline,
  });
  return merchantAnswer({ ...sealed, sealed: true, mail });
}

/** The revision to send again. @throws {NothingSealedError} when there is none */
async function newestStatement(
  { statements }: Dependencies,
  merchantCode: string,
  period: Period,
): Promise<SealedPage<Statement>> {
  const page = await statements.newest({ merchantCode }, period);
  if (page !== undefined) return { page, unchanged: true };
  throw new NothingSealedError(
    `merchant ${merchantCode}, period ${period}: no statement is sealed, so there is nothing to send again`,
  );
}
