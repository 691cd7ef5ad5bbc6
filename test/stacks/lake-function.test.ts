import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { SETTINGS_FILE, lakeSettingsSchema } from '#lake/lake-settings.ts';
import { mergeGroup, lookAtGroup, type LakeGroup } from '#lake/sql/groups.ts';
import { readSettings } from '#lib/settings.ts';
import { MOST_QUERY_BYTES } from '#sandbox/athena/index.ts';
import { defined } from '#support/assertions/index.ts';
import { propertiesOf, synthesiseAnew, synthesise } from '#support/stacks/synthesised.ts';

const stage = await synthesise('dev');
const template = stage.template('Lake');

const policySchema = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Sid: z.string().optional(),
        Action: z.union([z.string(), z.array(z.string())]),
        Resource: z.unknown(),
        Condition: z.unknown().optional(),
      }),
    ),
  }),
  Roles: z.array(z.unknown()),
});

function rightsIn(lake: typeof template): z.infer<typeof policySchema> {
  const policies = Object.entries(propertiesOf(lake, 'AWS::IAM::Policy', policySchema)).filter(([id]) =>
    id.startsWith('HistoryRights'),
  );
  const [[, policy]] = z.tuple([z.tuple([z.string(), policySchema])]).parse(policies);
  return policy;
}

describe('the rights of the function lake', () => {
  const policy = rightsIn(template);
  const bySid = new Map(policy.PolicyDocument.Statement.map((each) => [each.Sid ?? '', each]));
  const resources = (sid: string) => JSON.stringify(defined(bySid.get(sid), sid).Resource);
  const actions = (sid: string) => [defined(bySid.get(sid), sid).Action].flat();

  it('are for its workgroup, its tables and its prefixes', () => {
    expect(resources('RunStatements')).toContain(':workgroup/daybook-dev-history');
    // The calls that functions/lake/athena.ts makes.
    expect(actions('RunStatements')).toEqual([
      'athena:GetQueryExecution',
      'athena:GetQueryResults',
      'athena:StartQueryExecution',
    ]);
    expect(actions('ReadTheFiles')).toEqual(['s3:GetObject']);
    for (const prefix of ['/invoices/', '/refunds/', '/days/', '/mail/', '/changes/'])
      expect(resources('ReadTheFiles')).toContain(prefix);
    for (const other of ['config/', 'plan/', 'checked/', 'mail-stops/'])
      expect(resources('ReadTheFiles')).not.toContain(`/${other}`);
    expect(resources('KeepTheHistory')).toContain('/lake/*');
    expect(actions('KeepTheHistory')).toContain('s3:DeleteObject');
    for (const [sid, { Action }] of bySid) {
      if (sid !== 'KeepTheHistory') expect([Action].flat(), sid).not.toContain('s3:DeleteObject');
      expect([Action].flat().join(), sid).not.toMatch(/\*|glue:Delete/);
    }
    expect(actions('WriteTheCatalogue')).toEqual(['glue:CreateTable', 'glue:UpdateTable']);
    expect(resources('WriteTheCatalogue')).toContain('table/daybook_dev/all_invoices');
    // The tables over the JSON files belong to the stack.
    expect(resources('WriteTheCatalogue')).not.toMatch(/daybook_dev\/(latest_\w+|invoices|days|mail)"/);
  });

  it('let Athena make the database that it looks for in an account that has none', () => {
    expect(actions('MakeTheDefaultDatabase')).toEqual(['glue:CreateDatabase']);
    expect(resources('MakeTheDefaultDatabase')).toMatch(/:catalog".*:database\/default"/);
    expect(resources('MakeTheDefaultDatabase')).not.toContain('daybook_dev');
  });
});

describe('ten groups with a thousand codes each', () => {
  const codes = (group: number) =>
    Array.from({ length: 1_000 }, (_, index) => `${group}-${index}`.padEnd(64, 'x'));
  const groups = Array.from({ length: 10 }, (_, index) => ({
    name: `a_group_of_analysts${'abcdefghij'[index] ?? ''}`.slice(0, 20),
    merchants: codes(index),
    personal: false,
  }));

  it('can be deployed: no template has their codes', async () => {
    const { templates } = await synthesise('prod', (settings) => {
      settings.lake.groups = groups;
      settings.account = '111122223333';
    });
    for (const [name, each] of Object.entries(templates)) {
      const text = JSON.stringify(each.toJSON());
      // CloudFormation's limit is 1 MB.
      expect(Buffer.byteLength(text), name).toBeLessThan(1_000_000);
      expect(text, name).not.toContain('0-999xxx');
    }
    const lake = defined(templates['Lake']);
    // IAM's limit for the inline policies of a role is 10,240 characters.
    expect(JSON.stringify(rightsIn(lake).PolicyDocument).length).toBeLessThan(10_240);
  }, 180_000);

  it('reach the function in a file beside its code', () => {
    const settings = readSettings('prod');
    settings.lake.groups = groups;
    const outdir = mkdtempSync(join(tmpdir(), 'daybook-assets-'));
    synthesiseAnew(settings, undefined, outdir);
    const [file, ...others] = globSync(`asset.*/${SETTINGS_FILE}`, { cwd: outdir });
    expect(others).toEqual([]);
    const text = readFileSync(join(outdir, defined(file)), 'utf8');
    const { dataDays, manifestDays, ledgerDays } = settings.retention;
    expect(lakeSettingsSchema.parse(JSON.parse(text))).toEqual({
      timeZone: 'Asia/Kuwait',
      mergeAt: '08:00',
      maintainOn: 'friday',
      retention: { dataDays, manifestDays, ledgerDays },
      groups,
    });
  }, 180_000);

  it('make statements that Athena takes', () => {
    const [group] = z.tuple([z.custom<LakeGroup>()]).rest(z.unknown()).parse(groups);
    const window = { from: '2026-07-01', to: '2026-12-31' };
    const statements = [lookAtGroup('daybook_prod', group), ...mergeGroup('daybook_prod', group, window)];
    for (const sql of statements) expect(Buffer.byteLength(sql)).toBeLessThan(MOST_QUERY_BYTES);
  });
});
