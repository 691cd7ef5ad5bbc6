import { reopenedKey } from '#records/revision/closed-statement.ts';
import { ClosingStore } from '#page/statement/closing-store.ts';
import { PageStore } from '#page/page-store.ts';
import { storedStatementSchema } from '#page/figures/statement.ts';
import { periodKind } from '#records/period/period.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { caller, registryInUse } from '../registry/stored-registry.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { NOTHING_CHANGED } from '../terminal/questions.ts';
import { counted, shown, utcMinute } from '../terminal/shown-text.ts';
import { makeStatement, ownerIn } from './statement.ts';

/** Characters of the reason that is kept. */
const LONGEST_WHY = 500;

/** Keeps who reopens a statement and why, then makes its next revision. Repeated, it does what is left. */
export async function reopen(
  context: CommandContext,
  merchantCode: string,
  period: string,
  { why = '' }: { why?: string | undefined },
): Promise<ExitStatus> {
  const { output, questions } = context;
  const kind = periodKind(period);
  if (kind !== 'week' && kind !== 'month') {
    throw new UsageError(`give a week (2026-W47) or a month (2026-11). Given: "${shown(period, 40)}"`);
  }
  if (why.trim() === '' || why.length > LONGEST_WHY) {
    throw new UsageError(`say with --why why it is reopened, in at most ${LONGEST_WHY} characters`);
  }
  const stage = await context.stage();
  const [s3, { bucket, lines }] = [stage.s3(), stage];
  const event = { merchantCode, period };
  const owner = ownerIn(await registryInUse(output, stage), event, lines);
  const id = { owner: { merchantCode }, period };
  const newest = await new PageStore(s3, bucket, storedStatementSchema).newest(id);
  if (newest?.closedAt === undefined) {
    throw new CommandError(`the statement of ${period} of ${owner.title} is not closed: nothing to reopen`);
  }
  const { revision, closedAt } = newest;
  const told = `${counted(owner.recipients.length, 'recipient')} get a correction if a figure has changed`;
  const asked = `Reopen the statement of ${period} of ${owner.title}, closed as revision ${revision} on ${utcMinute(closedAt)}? It gets a new number, and ${told}.`;
  if (!(await questions.confirm(asked, NOTHING_CHANGED))) return 1;
  const at = new Date(context.now()).toISOString();
  const place = { ...id, revision };
  const by = (await caller()) ?? 'not known';
  const isNew = await new ClosingStore(s3, bucket).reopen(place, { ...event, revision, at, by, why });
  output.note(`The record ${isNew ? 'is' : 'was there before:'} ${reopenedKey(place)}`);
  return makeStatement(context, stage, event, owner);
}
