import { execFileSync } from 'node:child_process';
import type { OpsNotice } from '#mail/notices/ops-notice.ts';
import { LIVE } from '#lib/functions.ts';
import { commandLine, shellWord } from '#mail/notices/ops-command.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import { aNotice } from '#support/rendering/alerts.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const PLACE = { stage: 'prod', bucket: 'daybook-data-of-prod', runbook: 'https://wiki.example.com/runbook' };
const textOf = (changes: Partial<OpsNotice>, place = PLACE) => renderOpsNotice(aNotice(changes), place).text;

describe('a notice to ops', () => {
  it('says stage, merchant, day, meaning, what was tried, what to do, where to read more, and the command', () => {
    const { text, html } = renderOpsNotice(aNotice(), PLACE);
    for (const part of ['What it means', 'What Daybook did', 'What to do', 'Read more', 'Look closer'])
      expect(html).toContain(part);
    expect(html).toContain('aws s3 cp s3://daybook-data-of-prod/mail/');
    expect(text).toMatchInlineSnapshot(`
      "Stage: prod
      Merchant: 700001
      Day: 2026-11-20

      What it means
      It is not known whether the mail arrived.

      What Daybook did
      Daybook does not send it again by itself.

      What to do
      1. Read the ledger.
      2. Ask the recipient.

      Read more
      "A mail is held": https://wiki.example.com/runbook#a-mail-is-held

      Look closer
      The ledger:
      aws s3 cp s3://daybook-data-of-prod/mail/day=2026-11-20/merchant=700001/r0001.json -
      "
    `);
  });

  it.each<[string, Partial<OpsNotice>]>([
    ['[Daybook prod] Merchant 700001, 2026-11-20: mail of a report is held', {}],
    ['[Daybook prod] 2 merchants, 2026-11-20: mail of a report is held', { merchants: ['1', '2'] }],
    [
      '[Daybook prod] 3 merchants, 2 days: mail of a report is held',
      { merchants: ['1', '2', '3'], days: ['2026-11-19', '2026-11-20'] },
    ],
    ['[Daybook prod] Merchant 700001: mail of a report is held', { days: [] }],
    ['[Daybook prod] Mail of a report is held', { merchants: [], days: [] }],
    ['[Daybook prod] Merchant 700001, 2026-11: mail of a report is held', { days: [], periods: ['2026-11'] }],
    [
      '[Daybook prod] Group owners, 2026-W47: mail of a report is held',
      { merchants: [], groups: ['owners'], days: [], periods: ['2026-W47'] },
    ],
    [
      '[Daybook prod] 2 merchants, Group owners, 2 periods: mail of a report is held',
      { merchants: ['1', '2'], groups: ['owners'], days: [], periods: ['2026-10', '2026-11'] },
    ],
    [
      '[Daybook prod] merchants[3], 2026-11-20: report did not arrive',
      { merchants: ['merchants[3]'], happened: 'report did not arrive' },
    ],
  ])('has the subject "%s"', (subject, changes) => {
    expect(renderOpsNotice(aNotice(changes), PLACE).subject).toBe(subject);
  });

  it('names some of many merchants, and counts the others', () => {
    const merchants = Array.from({ length: 150 }, (_, index) => `m${index}`);
    const list = {
      heading: 'The reports',
      lines: merchants.slice(0, 100),
      total: 150,
      others: 'in the answer',
    };
    const text = textOf({ merchants, list });
    expect(text).toContain('\nMerchants: m0, m1, m2, m3, m4 and 145 more\n');
    expect(text).toMatch(/\nThe reports\nm0\nm1\n/);
    expect(text).toMatch(/\nm99\n… and 50 more, in the answer\n$/);
  });

  it('keeps what to do and all commands, however long the list is', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(5_000)}`);
    const text = textOf({ list: { heading: 'Entries', lines, total: 100 } });
    expect(text.length).toBeLessThanOrEqual(16_001);
    expect(text).toContain('aws s3 cp ');
    const shown = text.split('\n').filter((line) => line.endsWith('x…')).length;
    expect(shown).toBeGreaterThan(5);
    expect(text).toMatch(new RegExp(`\n… and ${100 - shown} more\n$`));
  });

  it('names the document and heading where the runbook has no known address', () => {
    const text = renderOpsNotice(aNotice({ errors: ['ServerError'] }), { bucket: 'b', stage: 'prod' }).text;
    expect(text).toContain('"A mail is held": docs/runbook.md#a-mail-is-held\n');
    expect(text).toContain('ServerError: docs/operations.md#errors-of-the-service\n');
  });

  it('links the other document beside the runbook, where both are files of a repository', () => {
    const runbook = 'https://git.example.com/daybook/blob/main/docs/runbook.md';
    const text = textOf({ errors: ['CipherError'] }, { ...PLACE, runbook });
    expect(text).toContain(`${runbook}#a-mail-is-held\n`);
    expect(text).toContain(
      'CipherError: https://git.example.com/daybook/blob/main/docs/operations.md#credentials-and-rotation\n',
    );
  });
});

/** The words that a shell makes of a command, after the command is replaced by one that prints them. */
function wordsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', `show() { printf '%s\\0' "$@"; }; show ${command}`]);
  return printed.toString().split('\0').slice(0, -1);
}

describe('the commands of a notice', () => {
  it('invoke the version of the function that schedules call', () => {
    const event = { merchantCode: '700001', day: '2026-11-20', resend: true };
    const line = commandLine(
      { shows: 'x', does: 'invoke', functionName: 'daily-report', event },
      { stage: 'prod', bucket: 'b' },
    );
    expect(wordsOf(line)).toEqual([
      ...['aws', 'lambda', 'invoke', '--function-name', `daybook-prod-daily-report:${LIVE}`],
      ...['--cli-binary-format', 'raw-in-base64-out', '--payload', JSON.stringify(event)],
      ...['--cli-read-timeout', '900', '/dev/stdout'],
    ]);
  });

  it('search the log of the stage for the words, not for a pattern', () => {
    const line = commandLine(
      { shows: 'x', does: 'show log', functionName: 'alert-check', find: '700001' },
      { stage: 'dev', bucket: 'b' },
    );
    expect(wordsOf(line)).toEqual([
      ...['aws', 'logs', 'tail', '/aws/lambda/daybook-dev-alert-check', '--since', '1d'],
      ...['--filter-pattern', '"700001"'],
    ]);
  });

  it('are those of a local run where there is no stage', () => {
    const place = { bucket: 'daybook' };
    const lines = [
      commandLine({ shows: 'x', does: 'show object', key: 'days/a.json' }, place),
      commandLine({ shows: 'x', does: 'show log', functionName: 'plan', find: '700001' }, place),
      commandLine({ shows: 'x', does: 'invoke', functionName: 'sweep', event: {} }, place),
    ];
    expect(lines).toEqual([
      'cat .local/s3/daybook/days/a.json',
      'grep -F -e 700001 .local/daybook.log',
      "echo '{}' | npm run invoke -- sweep /dev/stdin",
    ]);
  });

  it('give any text to the shell as one word, and nothing of it is run', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', "'", '"', '$', '`', '\\', '(', ')', ';', '|', '&', '\n', ' ', '*', '~', '-'),
      maxLength: 20,
    });
    forAll([texts], { numRuns: 60 }, (text) => {
      expect(wordsOf(shellWord(text))).toEqual([text]);
    });
  });
});
