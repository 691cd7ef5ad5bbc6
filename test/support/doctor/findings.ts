import * as z from 'zod';
import { documentOf, type CommandRun } from '../command/run-command.ts';

const answerSchema = z.object({
  checks: z.array(
    z.object({
      check: z.string(),
      findings: z.array(z.object({ verdict: z.string(), found: z.string(), mend: z.string().optional() })),
    }),
  ),
});

/** What a check of `daybook doctor --json` has found, each as `verdict: found → mend`. */
export function findingsIn(ran: CommandRun, name: string): string[] {
  const { checks } = answerSchema.parse(documentOf(ran));
  const { findings } = checks.find(({ check }) => check === name) ?? { findings: [] };
  return findings.map(
    ({ verdict, found, mend }) => `${verdict}: ${found}${mend === undefined ? '' : ` → ${mend}`}`,
  );
}
