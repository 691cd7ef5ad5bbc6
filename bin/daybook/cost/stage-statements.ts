import type { Registry } from '#domain/registry/registry.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { totalOf } from './model/cost.ts';
import type { CostLine } from './model/cost.ts';
import { ATTACHMENT_BYTES } from './model/stage-bill.ts';
import type { StageUse } from './model/stage-bill.ts';
import type { StatementCounts } from './model/statement-counts.ts';
import { statementMails, statementsBill, statementsRent } from './model/statements-bill.ts';
import { statementParts, togetherOf } from './model/statements-use.ts';
import { registryStatements } from './registry-statements.ts';

/** One kind of statements or pages. Dollars. */
export interface StatementsCost {
  what: string;
  /** In thirty days. `null` for what makes none. */
  number: number | null;
  /** What it costs to make and mail those of thirty days. It is paid once. */
  made: number;
  /** What it costs each month to keep them, once they have been made for as long as they are kept. */
  keptAMonth: number;
}

/** The statements of a stage. */
export interface StageStatements {
  counts: StatementCounts;
  parts: StatementsCost[];
  /** The same for the bill of a day. */
  lines: CostLine[];
}

/** What the statements of a stage cost. @returns `null` when its registry asks for none */
export function stageStatements(registry: Registry, use: StageUse): StageStatements | null {
  const counts = registryStatements(registry);
  if (counts === undefined) return null;
  const surroundings = {
    merchants: use.merchants,
    ticks: use.ticks.daily,
    memory: { statement: FUNCTIONS.statement.memory, plan: use.memory.plan },
    workbookADay: ATTACHMENT_BYTES,
    kept: use.kept,
  };
  const parts = statementParts(counts, surroundings);
  const together = togetherOf(parts, surroundings);
  const ofMonth = [
    ...statementsBill(together),
    { what: 'Statements: SES', dollars: statementMails(together) },
    { what: 'Statements: S3 storage', dollars: statementsRent(together) },
  ];
  return {
    counts,
    parts: parts.map(({ what, use: used }) => ({
      what,
      number: used.statements > 0 ? used.statements : null,
      made: totalOf(statementsBill(used)) + statementMails(used),
      keptAMonth: statementsRent(used),
    })),
    lines: ofMonth.map(({ what, dollars }) => ({ what, dollars: dollars / 30 })),
  };
}
