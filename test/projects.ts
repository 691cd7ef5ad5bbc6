import { globSync } from 'node:fs';

/*
 * Which test file belongs to which project of Vitest. A file that is in no list is `integration`: its servers are its own,
 * and `each-file.ts` gives it the first environment of the process that it shares. Paths end in `.test.ts` or are folders.
 */

/**
 * Pure tests: no server, no child process, nothing left behind in the process. Files share a process, so each costs
 * milliseconds; `pure-tests.ts` stops a test that starts a server or a process.
 */
export const UNIT = [
  'test/functions/page/daily-report/follow/changed-days.test.ts',
  'test/bench/fleet/sizes.test.ts',
  'test/bench/peers/peers.test.ts',
  'test/bin/daybook/merchant',
  'test/bin/daybook/registry',
  'test/bin/daybook/backfill/follow-backfill.test.ts',
  'test/bin/daybook/secret',
  'test/bin/daybook/check',
  'test/bin/daybook/stage',
  'test/bin/daybook/terminal',
  'test/bin/daybook/status/page-status.test.ts',
  'test/bin/daybook/why/verdict.test.ts',
  'test/bin/local/terminal/terminal.test.ts',
  'test/bin/mail-pages/harmless-html.test.ts',
  'test/functions/mail/public-mail-domains.test.ts',
  'test/functions/mail/mail-events/ses-event.test.ts',
  'test/functions/plan/who-is-due.test.ts',
  'test/functions/plan/statements/period-decision.test.ts',
  'test/functions/plan/statements/looks-over-time.test.ts',
  'test/functions/plan/statements/old-periods.test.ts',
  'test/functions/page/prove/proof.test.ts',
  'test/functions/page/sealed-lines.test.ts',
  'test/functions/page/daily-report/pull/spool.test.ts',
  'test/functions/runtime/telemetry.test.ts',
  'test/functions/records',
  'test/functions/page/figures',
  'test/functions/mail/links/token.test.ts',
  'test/functions/page/mail-decision.test.ts',
  'test/functions/page/told-days.test.ts',
  'test/functions/page/rendering',
  'test/functions/registry',
  'test/functions/mail/formatters',
  'test/functions/mail/notices/render-ops-notice.test.ts',
  'test/functions/mail/template',
  'test/functions/alerts/rendering',
  'test/functions/alerts/rules',
  'test/functions/watch/delivery-watch/expected-statements.test.ts',
  'test/functions/watch/sweep/orphans-among.test.ts',
  'test/functions/service/sending/adaptive-limit.test.ts',
  'test/functions/service/envelope/cipher.test.ts',
  'test/functions/service/authentication',
  'test/functions/service/envelope/envelope.test.ts',
  'test/functions/service/in-order.test.ts',
  'test/functions/service/sending/retry.test.ts',
  'test/projects.test.ts',
  'test/soak/truths/statement-truths.test.ts',
  'test/soak/truths/watch-answer.test.ts',
];

/** These are in folders of UNIT and are not pure tests: they start another program, or take seconds. */
export const NOT_UNIT = [
  'test/functions/records/rows/csv-cells.test.ts',
  'test/functions/registry/registry-source.test.ts',
  'test/functions/page/rendering/attachments/attachment-csv.test.ts',
  'test/functions/page/rendering/attachments/file-name.test.ts',
  'test/functions/page/rendering/document/write-pdf.test.ts',
];

/**
 * What takes minutes: it builds, starts many processes or a browser, reads with another program, or tries what it can by the
 * thousand. And what needs a process of its own: it calls an entry, which is built once for a process, has no credentials, or
 * looks at what the process has loaded or keeps in memory.
 */
export const DEEP = [
  'test/functions/page/daily-report/follow/oracle.test.ts',
  'test/functions/page/daily-report/follow/requests.test.ts',
  'test/functions/page/statement/closed-oracle.test.ts',
  'test/bench/fleet/run.test.ts',
  'test/bench/peers/run.test.ts',
  'test/bin/local.test.ts',
  'test/bin/local-pairs.test.ts',
  'test/bin/mail-preview.test.ts',
  'test/bin/old-node.test.ts',
  'test/bin/sandbox.test.ts',
  'test/browser',
  'test/bundle.test.ts',
  'test/crash',
  'test/documents',
  'test/faults',
  'test/functions/mail/ses-mail-sender.test.ts',
  'test/functions/page/daily-report/bad-input.test.ts',
  'test/functions/page/daily-report/cold-start.test.ts',
  'test/functions/page/prove/changes.test.ts',
  'test/functions/page/prove/large-night.test.ts',
  'test/functions/service/what-stays.test.ts',
  'test/fuzz',
  'test/hostile-shapes',
  'test/recipes',
  'test/scripts',
  'test/soak/truths/ledger-of-truths.test.ts',
  'test/soak/run.test.ts',
  'test/stacks',
];

/**
 * What needs a Trino: `npm run test:trino` starts it. The files run one after the other, because a Trino holds one lake at a
 * time.
 */
export const TRINO = ['test/lake'];

/** What needs the client of Lambda's runtime: `npm run test:lambda` installs it. */
export const LAMBDA = ['test/lambda'];

/** @returns the patterns of Vitest for paths of these lists */
export function patternsOf(paths: readonly string[]): string[] {
  return paths.map((path) => (path.endsWith('.test.ts') ? path : `${path}/**/*.test.ts`));
}

/** The pure tests, file by file. @param root of the repository */
export function unitFiles(root: string): string[] {
  return globSync(patternsOf(UNIT), { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NOT_UNIT.includes(path));
}
