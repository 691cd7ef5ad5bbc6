import type { Handler } from '#runtime/lambda-handler.ts';
import { AFTER_MAIL, remainingTime } from '#runtime/clock.ts';
import { readStatementEvent } from './event-and-answer.ts';
import type { StatementAnswer } from './event-and-answer.ts';
import type { Dependencies } from './dependencies.ts';
import { answerGroup } from './group-statement.ts';
import { answerMerchant } from './merchant-statement.ts';

/** Builds `statement` (docs/interfaces.md, 4 Events and answers): read, add up, seal, mail. */
export function createStatement(dependencies: Dependencies): Handler<StatementAnswer> {
  const { telemetry, clock } = dependencies;
  return (input, context) =>
    telemetry.during(context, async () => {
      const deadline = clock.now() + remainingTime(context) - AFTER_MAIL;
      const event = readStatementEvent(input);
      const { merchantCode, group } = event.owner;
      telemetry.about({ ...event.owner, period: event.period });
      const answer = await (merchantCode === undefined
        ? answerGroup(dependencies, { ...event, group }, deadline)
        : answerMerchant(dependencies, { ...event, merchantCode }, deadline));
      const { period, revision, unchanged, final, missing, mail } = answer;
      const logged = { period, revision, unchanged, final, missing: missing.length, mail: mail.status };
      telemetry.logger.info('stated', logged);
      if (!final && !unchanged) telemetry.count('ProvisionalStatements', 1);
      return answer;
    });
}
