import * as z from 'zod';
import { QUALITY_RULES } from '#lake/sql/statements/rules.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { answerOf } from '../stage/invoke-function.ts';

const schema = z.object({
  brokenRules: z.array(z.object({ rule: z.string(), pages: z.int(), first: z.string() })),
});

export async function checkRules(context: CommandContext): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const doing = 'Checking the rules of the lake';
  const { brokenRules } = await answerOf(stage, 'lake', { check: true }, { schema, context, doing });
  const rules = QUALITY_RULES.map(({ name, description }) => ({
    rule: name,
    pages: 0,
    first: '',
    ...brokenRules.find(({ rule }) => rule === name),
    description,
  }));
  output.result({ stage: stage.name, rules }, () => {
    output.table(
      ['Rule', 'Pages', 'The first', 'What it says'],
      rules.map(({ rule, pages, first, description }) => [
        rule,
        pages === 0 ? 'holds' : `broken by ${pages}`,
        first,
        { text: description.replaceAll('`', ''), limit: 80 },
      ]),
    );
    if (brokenRules.length > 0)
      output.line('Read "The lake breaks its contract" in docs/runbook.md for what to do.');
  });
  return brokenRules.length === 0 ? 0 : 1;
}
