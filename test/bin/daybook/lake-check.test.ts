import * as z from 'zod';
import { presentLocalStage } from '#bin/local/serving/local-stage.ts';
import { QUALITY_RULES } from '#lake/sql/statements/rules.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, says } from '#support/command/run-command.ts';

const stage = useStage('each');

/** From now on the function `lake` answers this. @returns the events that it gets */
function answering(answer: unknown): unknown[] {
  const events: unknown[] = [];
  const invoke = (_name: string, event: unknown) => {
    events.push(event);
    return Promise.resolve(answer);
  };
  presentLocalStage(stage.aws, { environment: stage.world.environment, invoke });
  return events;
}

const BROKEN = { rule: 'rows-of-invoices', pages: 3, first: '2026-11-20 700001' };

it('says which rules hold, and has the function look at nothing else', async () => {
  const events = answering({ finished: true, slices: 0, tables: 0, brokenRules: [] });
  const rows = QUALITY_RULES.map(({ name }) => new RegExp(`^${name} +holds`, 'm'));
  expect((await says(stage.run('lake', 'check'), 0, ...rows)).stderr).toBe('');
  expect(events).toEqual([{ check: true }]);
});

it('ends with 1 when a rule is broken, and names the first page and what to read', async () => {
  answering({ finished: true, slices: 0, tables: 0, brokenRules: [BROKEN] });
  const row = /^rows-of-invoices +broken by 3 +2026-11-20 700001 /m;
  await says(stage.run('lake', 'check'), 1, row, '"The lake breaks its contract" in docs/runbook.md');
  const { rules } = z
    .object({ rules: z.array(z.looseObject({ pages: z.number() })) })
    .parse(documentOf(await stage.run('lake', 'check', '--json')));
  expect(rules).toHaveLength(QUALITY_RULES.length);
  expect(rules.filter(({ pages }) => pages > 0)).toMatchObject([BROKEN]);
});

it('says so when the stage has an older function', async () => {
  answering({ finished: true, slices: 0, tables: 0 });
  expect((await says(stage.run('lake', 'check'), 1)).stderr).toContain('deploy this version');
});
