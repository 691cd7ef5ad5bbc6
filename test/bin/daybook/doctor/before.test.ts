import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textLike, textWith } from '#support/assertions/index.ts';
import { textOf } from '#support/documentation/documents.ts';
import { refuses, runCommand, says } from '#support/command/run-command.ts';
import { findingsIn, startLoopbackDns } from '#support/doctor/findings.ts';
import { newDirectory } from '#support/machine.ts';
import { startAwsSandbox, type AwsSandbox } from '#sandbox/aws/index.ts';

const DOMAIN = 'daybook.pay.test';
const OPS = 'ops@pay.test';
const ZONE = { 'zone-id': 'Z123', 'zone-name': 'pay.test' };
const ANSWERS = {
  ...{ region: 'eu-central-1', domain: DOMAIN, service: 'https://api.pay.test' },
  ...{ 'time-zone': 'Asia/Kuwait', ops: OPS, runbook: 'https://wiki.pay.test/daybook' },
};
const REGION = '--region eu-central-1';

const dns = await startLoopbackDns();
let aws: AwsSandbox;
let cwd: string;

/** An account of AWS on its first day, and the settings that `daybook init` has just written. */
beforeEach(async () => {
  cwd = newDirectory();
  aws = await startAwsSandbox({ directory: join(cwd, 'aws'), operator: true });
  aws.lambda.concurrentExecutions = 10;
  const account = { productionAccess: false, max24HourSend: 200, maxSendRate: 1, pricingPlan: 'ESSENTIALS' };
  Object.assign(aws.mailSettings.account, account);
  dns.records.clear();
  await init();
});
afterEach(() => aws.close());

async function init(more: Record<string, string> = {}) {
  const words = Object.entries({ ...ANSWERS, ...more }).flatMap(([name, value]) => [`--${name}`, value]);
  await says(runCommand(['init', 'prod.json', '--yes', ...words], { cwd }), 0);
}

const before = (...more: string[]) =>
  runCommand(['doctor', '--before', 'prod.json', '--dns-server', dns.address, ...more], {
    cwd,
    environment: aws.environment,
  });

const findings = async (name: string) => findingsIn(await before('--json'), name);

it('says first what others have to grant, then what is missing, with the lines to paste', async () => {
  const asked = [
    'Ask first: others may take days',
    '  SES account, sending, sandbox, quotas and price: SES is in its sandbox: 200 mails a day, 1 a second; each recipient of a report takes one, and only verified addresses get mail',
    `    → aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url '<yours>' ${REGION}`,
    `  Mail domain, ${DOMAIN}: the deploy makes it in SES, and its DNS must have records then`,
    '    → tell who keeps its DNS that three CNAME records come; when the stack Mail is deployed, this check shows them',
    `  DMARC, _dmarc.${DOMAIN}: there is no record: mail providers trust the domain less, and large ones refuse mails`,
    `    → add to your DNS: _dmarc.${DOMAIN} TXT "v=DMARC1; p=quarantine"`,
    '  Lambda quota, functions at the same time: the quota is 10; 50 reports, 5 backfills and 20 batches of alert checks may run at the same time: calls are throttled',
    `    → aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 ${REGION}`,
  ];
  const wrong = [
    'Wrong',
    `  SES account, sending, sandbox, quotas and price: in the sandbox ${OPS} gets no mail before it is verified`,
    `    → aws sesv2 create-email-identity --email-identity ${OPS} ${REGION}`,
    '  CDK, the stack CDKToolkit: CDK has not prepared this account and region',
    '    → npx cdk bootstrap -c stage=prod.json',
  ];
  const ran = await says(before(), 1, /^4 to ask for, 2 wrong, 1 not checked, \d fine$/m);
  const first = [...asked, '', ...wrong, ''];
  expect(ran.stdout.split('\n').slice(0, first.length)).toEqual(first);
});

it('prints what the guide to the deploy shows', async () => {
  const { stdout } = await before();
  const shown = textOf('docs/deploy.md').match(/^```\n(Ask first[^]*?)```$/m)?.[1] ?? '';
  const lines = shown.split('\n').filter((line) => !['', '…'].includes(line));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(stdout).toContain(`${line}\n`);
});

it('ends with 0 when the account is ready', async () => {
  aws.stacks.set('CDKToolkit', { outputs: {} });
  aws.lambda.concurrentExecutions = 1_000;
  Object.assign(aws.mailSettings.account, { productionAccess: true, max24HourSend: 50_000 });
  dns.records.set('_dmarc.pay.test', ['v=DMARC1; p=reject']);
  await init(ZONE);
  expect((await says(before(), 0)).stdout).not.toMatch(/^(Ask|Wrong|Warnings)/m);
  // Nothing of it needs a right that only a deployed stage gives.
  expect(aws.requests.some(({ service }) => service === 's3')).toBe(false);
});

it('shows the DNS records when the stack Mail is deployed', async () => {
  const record = `one._domainkey.${DOMAIN} CNAME one.dkim.amazonses.com`;
  aws.stacks.set('Daybook-prod-Mail', { outputs: { Dkim1: record, TopicArn: 'arn' } });
  aws.mailSettings.identities.set(DOMAIN, { verified: false });
  const waits = `wait: SES waits for its DNS records → add to your DNS: ${record}`;
  expect(await findings('Mail domain')).toEqual([waits]);
  aws.mailSettings.identities.set(DOMAIN, { verified: true });
  expect(await findings('Mail domain')).toEqual(['fine: SES has verified it']);
  expect(await findings('Stacks')).toEqual(['fine: already deployed: Mail']);
});

it('finds what would collide: a domain in SES, a function, a queue, a workgroup, a failed first deploy', async () => {
  aws.mailSettings.identities.set(DOMAIN, { verified: true });
  const remove = `aws sesv2 delete-email-identity --email-identity ${DOMAIN} ${REGION}`;
  expect(await findings('Mail domain')).toEqual([
    `wrong: SES has it already, so the deploy cannot make it → ${remove}, if nothing else sends with it; or choose another mail.domain`,
  ]);
  aws.lambda.add('daybook-prod-plan', { invoke: async () => Promise.resolve(null) });
  aws.queues.put('daybook-prod-alerts-dead');
  aws.account.workGroups.add('daybook-prod-history');
  const is = 'is there, and of no stack of this stage';
  const delete_ = `aws athena delete-work-group --work-group daybook-prod-history --recursive-delete-option ${REGION}`;
  expect((await findings('Names')).slice(0, 3)).toEqual([
    textWith(`wrong: the function daybook-prod-plan ${is}`),
    `wrong: the queue daybook-prod-alerts-dead ${is} → delete the queue daybook-prod-alerts-dead in the console of SQS, if nothing uses it`,
    `wrong: the workgroup daybook-prod-history ${is} → ${delete_}`,
  ]);
  aws.stacks.set('Daybook-prod-Data', { outputs: {}, status: 'ROLLBACK_COMPLETE' });
  const failed =
    /^wrong: the first deploy of Daybook-prod-Data failed.* → aws cloudformation update-termination/;
  expect(await findings('Stacks')).toEqual([textLike(failed)]);
  aws.stacks.set('Daybook-prod-Functions', { outputs: {} });
  expect(await findings('Names')).toEqual([textWith('the workgroup'), textWith('unknown: logs')]);
  aws.stacks.set('Daybook-prod-Lake', { outputs: {} });
  expect(await findings('Names')).toEqual(['fine: they are those of the deployed stage']);
});

it('says how many queries Athena runs, and asks for more where they are few', async () => {
  expect(await findings('Athena quota')).toEqual([textLike(/^fine: the quota is 200; /)]);
  aws.account.athenaQueries = 1;
  const ask = `aws service-quotas request-service-quota-increase --service-code athena --quota-code L-FC5F6546 --desired-value 20 ${REGION}`;
  const waits = new RegExp(`^wait: the quota is 1; .*→ ${ask}`);
  expect(await findings('Athena quota')).toEqual([textLike(waits)]);
  aws.account.athenaQueries = null;
  expect(await findings('Athena quota')).toEqual(['unknown: AWS does not say how many queries it runs']);
});

it('warns of Lake Formation, and of settings that are still examples', async () => {
  aws.lakeSettings.iamOnly = { databases: false, tables: true };
  expect(await findings('Lake Formation')).toEqual([textLike(/^warning: it, and not IAM, decides/)]);
  const file = join(cwd, 'prod.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(OPS, 'ops@example.com'));
  const examples =
    /^wrong: still examples: mail.replyTo, .*ops.recipients\[0\].* → npx daybook init prod.json$/;
  expect(await findings('Settings')).toEqual([textLike(examples)]);
});

it('goes on when AWS does not answer one check, and says so', async () => {
  const action = { kind: 'error', status: 403, code: 'AccessDeniedException', message: 'no' } as const;
  aws.faults.add({ service: 'sesV2', times: 100, action });
  expect(await findings('SES account')).toEqual([textLike(/^unknown: AWS does not allow this: no/)]);
  expect(await findings('Lambda quota')).toHaveLength(1);
});

it('ends with 1 and one line when AWS refuses everything', async () => {
  const action = { kind: 'error', status: 403, code: 'ExpiredToken' } as const;
  aws.faults.add({ service: 'cloudFormation', times: 100, action });
  await refuses(before(), 1, /^the AWS credentials have expired: sign in .*\n$/);
});

it('ends with 2 without settings', async () => {
  const run = (...words: string[]) => runCommand(['doctor', '--before', ...words], { cwd });
  await refuses(run(), 2, 'name a stage');
  const unknown = /^lib\/stages has no file kuwait.json: "npx daybook init --stage kuwait" writes it\n$/;
  await refuses(run('--stage', 'kuwait'), 2, unknown);
  await refuses(run('--local'), 2, 'give --stage, not --local');
  await refuses(run('kuwait.json'), 2, 'cannot be read');
});
