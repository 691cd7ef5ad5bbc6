import * as z from 'zod';
import { alertLedgerKey } from '#records/storage/keys.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { mailSentence } from '../report/asked-mail.ts';
import { mailSchema } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { utcMinute } from '../terminal/words.ts';
import { checksOf } from './history.ts';
import { assertCode } from '../stage/known-names.ts';

const answerSchema = z.object({
  merchantCode: z.string(),
  day: z.string(),
  mail: mailSchema,
});

/** Does `daybook alerts resend`. */
export async function resend(
  context: CommandContext,
  merchantCode: string,
  named: string | undefined,
): Promise<ExitStatus> {
  const { output, questions } = context;
  assertCode(merchantCode);
  const stage = await context.stage();
  const checks = await checksOf(context, merchantCode);
  const check = named ?? checks[0];
  if (check === undefined || !checks.includes(check)) {
    const which = named === undefined ? 'no alert mail' : `no alert mail of check "${shown(named, 40)}"`;
    throw new CommandError(`${which} of ${merchantCode} is recorded`);
  }
  const ledgers = new LedgerStore(stage.s3(), stage.bucket);
  const ledger = (await ledgers.read(alertLedgerKey(merchantCode, check)))?.ledger;
  const rules = ledger?.alerts?.map(({ rule, says }) => `${rule} ${says}`).join(', ') ?? 'rules not recorded';
  const mail = `the alert mail of ${utcMinute(ledger?.intendedAt ?? null)} UTC (${shown(rules)})`;
  if (
    !(await questions.confirm(`Send ${mail} again to the recipients of ${merchantCode} who do not have it?`))
  ) {
    output.note('Nothing was sent.');
    return 1;
  }
  const doing = `alert-check sends the mail of ${merchantCode} again`;
  const event = { merchantCode, resend: check };
  const answer = await answerOf(stage, 'alert-check', event, { schema: answerSchema, output, doing });
  output.result({ ...answer, check }, () => {
    const more = `"${stage.lines.daybook('alerts', 'history', merchantCode)}" says what became of it`;
    const { text: sentence, style } = mailSentence(answer.mail, more, false);
    output.line(output.style(style, sentence));
  });
  return answer.mail.status === 'held' ? 1 : 0;
}
