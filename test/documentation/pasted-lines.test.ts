import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pastedLine } from '#mail/notices/ops-command.ts';
import { ROOT } from '#support/documentation/claims.ts';
import { textOf } from '#support/documentation/documents.ts';

/** The one maker of lines to paste. */
const MAKER = 'functions/mail/notices/ops-command.ts';
/** A line of a program that works with a stage, inside a text. */
const LINE =
  /\bnpx (?:daybook|cdk)\b|["'`(]daybook [a-z]+ |\baws (?:[a-z0-9]+ [a-z]+-[a-z]|s3 |sso |logs )|\bnpm start -- --serve\b/;

/** Source without comments, and without the examples of `--help`: those show how a command is used, on no stage. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const withoutExamples = code.replaceAll(/described\((?:[^()]|\([^()]*\))*\)/g, '');
  return withoutExamples.split('\n').filter((line) => LINE.test(line));
}

describe('lines to paste', () => {
  it('are made in one place: no other source writes one by hand', () => {
    const files = globSync(['bin/**/*.ts', 'functions/**/*.ts', 'lib/**/*.ts'], { cwd: ROOT });
    const found = files
      .filter((file) => file !== MAKER)
      .flatMap((file) => textsOf(textOf(file)).map((line) => `${file}: ${line.trim()}`));
    expect(found).toEqual([]);
  });

  it.each([
    [{ stage: 'prod' }, 'npx daybook why 700001 --stage prod'],
    [
      { stage: 'prod', profile: 'my team', region: 'me-south-1' },
      "npx daybook why 700001 --stage prod --profile 'my team' --region me-south-1",
    ],
    [{ local: true, directory: '.local' }, 'npx daybook why 700001 --local'],
    [{ local: true, directory: "a'b" }, `npx daybook why 700001 --local --directory 'a'\\''b'`],
  ])('lead to the same stage again: %j', (place, line) => {
    expect(pastedLine('daybook', ['why', '700001'], place)).toBe(line);
  });

  it.each(['aws', 'cdk'] as const)(
    'of %s do not exist for a local run, so no account is reached',
    (program) => {
      const line = pastedLine(program, ['s3', 'rm', 's3://daybook/x'], { local: true, profile: 'mine' });
      expect(line).toBe('npm start -- --serve');
    },
  );

  it('of other programs name profile and region', () => {
    const place = { stage: 'prod', profile: 'mine', region: 'me-south-1' };
    expect(pastedLine('aws', ['sns', 'list-topics'], place)).toBe(
      'aws sns list-topics --profile mine --region me-south-1',
    );
    expect(pastedLine('cdk', ['deploy', '--all'], place)).toBe(
      'npx cdk deploy --all -c stage=prod --profile mine',
    );
  });
});
