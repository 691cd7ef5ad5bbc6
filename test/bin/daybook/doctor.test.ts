import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { certificateFinding } from '#bin/daybook/doctor/checks/connections.ts';
import { writeServingFile } from '#bin/local/serving/local-stage.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { defined, textLike, textWith } from '#support/assertions/index.ts';
import { useStage, type CommandStage } from '#support/command/command-stage.ts';
import { documentOf, runCommand, says } from '#support/command/run-command.ts';
import { findingsIn, startLoopbackDns } from '#support/doctor/findings.ts';
import { queueNameOf } from '#bin/local/configuration.ts';
import { listening } from '#support/machine.ts';
import { BUCKET, CODE, DAY, MORNING_AFTER, SECRET } from '#support/world/daybook-world.ts';

const TOPIC = 'arn:aws:sns:us-east-1:000000000000:daybook-ops';
const DOMAIN = 'example.com';
const DESTINATION = {
  name: 'events',
  enabled: true,
  eventBusArn: 'arn:aws:events:us-east-1:000000000000:event-bus/default',
};
const LAKE = 'Daybook-local-Lake';
const FIXTURES = join(import.meta.dirname, '../../fixtures/tls');

type MailSettings = CommandStage['aws']['mailSettings'];
type ValueOf<M> = M extends Map<string, infer V> ? V : never;

const dns = await startLoopbackDns();
// Nothing is between this stage and its mails.
const stage = useStage('each', { merchants: 2 }, ({ aws }) => {
  aws.mailSettings.account.pricingPlan = 'ESSENTIALS';
  dns.failing = false;
  dns.records.clear();
  dns.records.set(`_dmarc.${DOMAIN}`, ['v=DMARC1; p=quarantine']);
  aws.stacks.set(LAKE, { outputs: { LakeFirstDay: DAY } });
});

const run = (...args: string[]) => stage.run('doctor', '--dns-server', dns.address, ...args);

const findings = async (check: string) => findingsIn(await run('--json'), check);

const stackOutputs = (name: string) => defined(stage.aws.stacks.get(`Daybook-local-${name}`), name).outputs;

describe('daybook doctor', () => {
  it('says what it looked at and that all is fine, and ends with 0', async () => {
    const { stderr } = await says(
      run(),
      0,
      /^Registry +s3:\/\/daybook-data\/config\/merchants\.json +2 merchants, all can be used$/m,
      /^Secrets +daybook\/merchants +2 merchants with an entry, in 1 secret$/m,
      /^Clock .* this machine is right within five minutes$/m,
      /^Clock .* the payment service is right within five minutes$/m,
      /^Functions .* all 8 use what the stacks have$/m,
      /^Schedules +the group daybook-local +all 5 are enabled$/m,
      /^Lambda quota .* the quota is 1000; 2 reports, 2 backfills and 2 batches of alert checks may run at the same time$/m,
      /^Queues .* all 3 are there, and nothing was put aside$/m,
      /^SES account .* a quota of 50000 mails a day, 0 sent in the last 24 hours, 2 reports a day$/m,
      /^SES account .* 14 mails a second; 2 may be sent at the same time$/m,
      /^SES account .* pricing plan ESSENTIALS: docs\/scale\.md has its prices$/m,
      /^SES identity +example\.com +verified, signed with DKIM$/m,
      /^DMARC +_dmarc\.example\.com +the policy of example\.com is quarantine$/m,
      /^Configuration set +daybook +its events go to EventBridge$/m,
      /^Topic +arn:aws:sns:\S+ +1 confirmed$/m,
      /^Alarms +daybook-local-… +none of 1 rings$/m,
      /^Lake +lake\.firstDay +it is 2026-11-20, and nothing is sealed yet$/m,
      /^Lake Formation .* leaves new databases and tables to IAM$/m,
      /^\d+ fine$/m,
    );
    expect(stderr).toBe('');
    const counts = { wait: 0, wrong: 0, warning: 0, unknown: 0 };
    expect(documentOf(await run('--json'))).toMatchObject({ stage: 'local', counts });
  });

  it('names what is wrong first, with the line that mends it, and ends with 1', async () => {
    stage.aws.mailSettings.account.sendingEnabled = false;
    const wrong =
      /^Wrong\n {2}SES account, sending, sandbox, quotas and price: sending is paused .*\n {4}→ open SES in the AWS console.*\n\nFine/;
    await says(run(), 1, wrong, /^1 wrong, \d+ fine$/m);
  });

  it('ends with 0 when there are warnings alone', async () => {
    dns.records.set(`_dmarc.${DOMAIN}`, ['v=DMARC1; p=none']);
    await says(run(), 0, /^1 warning, \d+ fine$/m);
  });

  it('looks at all the rest when one thing cannot be looked at, and says why', async () => {
    const refusal = { kind: 'error', status: 403, code: 'AccessDeniedException' } as const;
    stage.world.awsDoes({ ...refusal, message: 'not for you' }, { service: 'sesV2', times: 100 });
    const why = 'SES identity, example.com: AWS does not allow this: not for you';
    await says(run(), 0, why, /^3 not checked, \d+ fine$/m);
  });
});

/** A local run has nothing to deploy, and no account: it is started again. */
const SERVE = ' → npm start -- --serve';
const ringing = (name: string, says: string) => `wrong: daybook-local-${name} rings: ${says}`;
const again = () => `npm start -- --serve --directory ${stage.directory}`;

const account = (members: Partial<MailSettings['account']>) => () =>
  Object.assign(stage.aws.mailSettings.account, members);
const identity = (value: ValueOf<MailSettings['identities']>) => () =>
  stage.aws.mailSettings.identities.set(DOMAIN, value);
const records = (texts: string[]) => () => dns.records.set(`_dmarc.${DOMAIN}`, texts);
const set = (value: ValueOf<MailSettings['configurationSets']>) => () =>
  stage.aws.mailSettings.configurationSets.set('daybook', value);
const alarm = (name: string, value: ValueOf<CommandStage['aws']['alarms']>) => () =>
  stage.aws.alarms.set(`daybook-local-${name}`, value);

/** What each check finds, from the beginning, and what is done to the stage before. `…` stands for any words. */
const FINDS: Record<string, [says: string, harm: () => unknown][]> = {
  'SES account': [
    ['wrong: sending is paused (SHUTDOWN)', account({ enforcementStatus: 'SHUTDOWN' })],
    ['warning: SES reviews', account({ enforcementStatus: 'PROBATION' })],
    [`warning: SES is in its sandbox: … 2 recipients${SERVE}`, account({ productionAccess: false })],
    [`wrong: a quota of 1 mails a day, … 2 reports a day${SERVE}`, account({ max24HourSend: 1 })],
    // It has no room for corrections.
    ['warning: a quota of 3', account({ max24HourSend: 3 })],
    [
      'warning: 0.2 mails a second; 2 may be sent at the same time: after 7.5 seconds of refusals',
      account({ maxSendRate: 0.2 }),
    ],
    ['unknown: SES does not say the pricing plan', account({ pricingPlan: undefined })],
  ],
  'SES identity': [
    [`wrong: SES does not have it…${SERVE}`, () => stage.aws.mailSettings.identities.clear()],
    ['wrong: it is not verified', identity({ verified: false })],
    ['wrong: DKIM is PENDING…Dkim1 to Dkim3', identity({ dkimStatus: 'PENDING' })],
    ['warning: its configuration set is other', identity({ configurationSet: 'other' })],
  ],
  DMARC: [
    [`wrong: there is no record… → add to your DNS: _dmarc.${DOMAIN} TXT`, () => dns.records.clear()],
    ['wrong: there is no record', records(['v=spf1 -all'])],
    ['wrong: example.com has 2 records', records(['v=DMARC1; p=none', 'v=DMARC1; p=reject'])],
    [
      'fine: the policy of example.com is reject',
      records([`v=DMARC1; rua=mailto:${'a'.repeat(300)}@example.com; p=reject`]),
    ],
    [`unknown: DNS did not answer for _dmarc.${DOMAIN} (ESERVFAIL)`, () => (dns.failing = true)],
  ],
  'Configuration set': [
    ['wrong: SES does not have it', () => stage.aws.mailSettings.configurationSets.clear()],
    ['wrong: no event destination is enabled', set({})],
    [
      `wrong: its event destination leaves out BOUNCE, COMPLAINT, REJECT${SERVE}`,
      set({ eventDestinations: [{ ...DESTINATION, eventTypes: ['SEND', 'DELIVERY'] }] }),
    ],
    ['wrong: its sending is paused', set({ sendingEnabled: false })],
  ],
  Alarms: [
    [
      ringing('mails-held', 'A mail is held. → read https://wiki.example.com/r#held'),
      alarm('mails-held', {
        state: 'ALARM',
        description: 'A mail is held. Runbook: https://wiki.example.com/r#held',
      }),
    ],
    [
      // Its runs have not come, or no longer.
      ringing('sweep-did-not-run', 'Nobody looked. → read https://wiki.example.com/r#run'),
      alarm('sweep-did-not-run', {
        state: 'INSUFFICIENT_DATA',
        insufficientDataActions: [TOPIC],
        description: 'Nobody looked. Runbook: https://wiki.example.com/r#run',
      }),
    ],
    [`warning: 1 notify nobody…${SERVE}`, alarm('a', { state: 'OK', actionsEnabled: false })],
    ['warning: the stage has none', () => stage.aws.alarms.clear()],
  ],
  Queues: [
    [
      'warning: 1 message was put aside from the queue reports → npx daybook redrive reports --local',
      () => stage.aws.queues.send(`${queueNameOf('reports')}-dead`, '{}'),
    ],
    [
      `wrong: the queue alerts or its dead-letter queue does not exist${SERVE}`,
      () => (stackOutputs('Functions')['AlertsQueue'] = 'https://sqs.us-east-1.amazonaws.com/0/gone'),
    ],
  ],
  'Lake Formation': [
    [
      'warning: it, and not IAM, decides who may use new tables: … → open Lake Formation',
      () => (stage.aws.lakeSettings.iamOnly.tables = false),
    ],
    [
      'warning: it, and not IAM, decides who may use new databases and tables: ',
      () => (stage.aws.lakeSettings.iamOnly = { databases: false, tables: false }),
    ],
  ],
  Topic: [
    [
      'warning: ops@example.com has not confirmed',
      () => Object.assign(stage.aws.notices.subscriptions[0] ?? {}, { confirmed: false }),
    ],
    [`warning: nobody is subscribed…${SERVE}`, () => (stage.aws.notices.subscriptions.length = 0)],
  ],
  'Lambda quota': [['wrong: the quota is 6', () => (stage.aws.lambda.concurrentExecutions = 6)]],
  Schedules: [
    [
      'wrong: daybook-local-sweep is disabled',
      () => Object.assign(stage.aws.schedules.get('daybook-local-sweep') ?? {}, { state: 'DISABLED' }),
    ],
    [
      `wrong: daybook-local-daily does not exist${SERVE}`,
      () => stage.aws.schedules.delete('daybook-local-daily'),
    ],
  ],
  Functions: [
    [
      `wrong: daybook-local-plan:live has another OPS_TOPIC_ARN than the stacks: ${TOPIC} instead of ${TOPIC}-new${SERVE}`,
      () => (stackOutputs('Mail')['TopicArn'] = `${TOPIC}-new`),
    ],
  ],
  Secrets: [
    [
      'wrong: merchant 700001: secret daybook/merchants: has no member "merchants" → npx daybook secret put 700001',
      () => stage.aws.secrets.put(SECRET, '{}'),
    ],
  ],
};

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

describe('daybook doctor finds', () => {
  const rows = Object.entries(FINDS).flatMap(([check, of]) => of.map((row) => [check, ...row] as const));
  it.each(rows)('of %s: %s', async (check, words, harm) => {
    harm();
    const pattern = new RegExp(`^${escaped(words).replaceAll('…', '.*')}`);
    expect(await findings(check)).toContainEqual(textLike(pattern));
  });

  it('alarms that notify the topic that the stage had before, without those of a stage with a longer name', async () => {
    const topic = (of: string) => `arn:aws:sns:us-east-1:000000000000:Daybook-${of}-Mail-TopicBFC7AF6E-old`;
    const { alarms } = stage.aws;
    alarms.set('daybook-local-dead-letters', { state: 'OK', actions: [topic('local')] });
    alarms.set('daybook-local-eu-dead-letters', { state: 'ALARM', actions: [topic('local-eu')] });
    alarms.set('daybook-local-bounce-rate', { state: 'OK', actions: [TOPIC] });
    expect((await findings('Alarms')).join('\n')).toMatch(
      /^wrong: 1 notify an older topic than \S+:daybook-ops: nobody hears of them \(daybook-local-dead-letters\) → npm start -- --serve/,
    );
  });

  it('a record of the domain above for a subdomain, with the policy for subdomains', async () => {
    stackOutputs('Mail')['Identity'] = 'mail.example.com';
    dns.records.set('_dmarc.example.com', ['v=DMARC1; p=reject; sp=none']);
    expect(await findings('DMARC')).toEqual([textLike(/^warning: its policy is none.*_dmarc\.example\.com/)]);
  });

  it('that the local run sends no mail to other servers, and asks no DNS', async () => {
    const { stdout } = await stage.run('doctor', '--json');
    expect(stdout).toContain('the local run sends no mail to other servers');
  });

  it('what is wrong with the registry, entry by entry, and an origin that is not allowed', async () => {
    await stage.world.putRegistry(
      { [CODE]: { timeZone: 'Nowhere', recipients: ['a@example.com'] }, 700002: { reciepients: [] } },
      { baseUrl: 'https://elsewhere.example.com' },
    );
    expect(await findings('Registry')).toEqual(
      expect.arrayContaining([
        textWith('wrong: merchants[0].timeZone: is not a time zone'),
        textWith('warning: merchants[1].reciepients: is not known here and has no effect'),
        textWith("wrong: the registry's service.baseUrl is not one of SERVICE_ORIGINS"),
      ]),
    );
  });

  it('what is wrong with groups, and what they do less than they seem to', async () => {
    const group = { name: 'shops', merchants: 'all', recipients: ['chief@owners.example'], daily: true };
    const groups = [
      { ...group, daily: 'yes' },
      { ...group, name: 'b', merchants: ['9'] },
    ];
    await stage.world.putRegistry({}, {}, { groups });
    const found = await findings('Registry');
    expect(found).toEqual([
      textWith('wrong: groups[0].daily: must be boolean (group shops): nobody gets the pages of this group'),
      textWith('warning: groups[1].merchants[0]: is the code of no merchant in the registry'),
    ]);
    expect(found.join()).not.toContain('chief@');
  });

  it('a registry that cannot be read, and says so once', async () => {
    await stage.aws.s3.write(BUCKET, 'config/merchants.json', '{ "merchants": [');
    await stage.aws.s3.remove(BUCKET, 'config/last-good/merchants.json');
    const ran = await says(run('--json'), 1);
    expect(documentOf(ran)).toMatchObject({ counts: { wrong: 1 } });
    expect(findingsIn(ran, 'Registry')).toEqual([textLike(/^wrong: /)]);
    expect(findingsIn(ran, 'Secrets')).toEqual(['unknown: the registry cannot be used']);
  });

  it('merchants without an entry in the secret, and never a value of a secret', async () => {
    stage.world.putSecret({ [CODE]: { accessCode: 'the secret-of-700001 with blanks' } });
    const wrong = 'merchants.700001.accessCode: must be printable ASCII without blanks';
    const ran = await says(run('--json'), 1, wrong);
    expect(ran.stdout).not.toContain('secret-of-700001');
  });

  it('that the policy does not allow to read secrets', async () => {
    const action = { kind: 'error', status: 400, code: 'AccessDeniedException', message: 'no' } as const;
    stage.aws.faults.add({ service: 'secretsManager', times: 100, action });
    const unknown = 'unknown: your rights do not let you read secrets: attach the policy Operators';
    expect(await findings('Secrets')).toEqual([unknown]);
  });

  it('a clock that differs from that of AWS by more than five minutes', async () => {
    // A server whose time is ten minutes behind stands for AWS.
    const server = createHttpServer((_, response) => {
      response.setHeader('date', new Date(Date.now() - 10 * 60_000).toUTCString());
      response.end('{}');
    });
    const endpoint = `http://${await listening(server)}`;
    const environment = { ...stage.aws.environment, AWS_ENDPOINT_URL_LAMBDA: endpoint };
    writeServingFile(stage.directory, environment, 0);
    expect(await findings('Clock')).toEqual([
      textLike(/^wrong: this machine is (599|60\d) seconds ahead/),
      textLike(/^wrong: the payment service is (599|60\d) seconds ahead/),
    ]);
  });

  it('a certificate that is not trusted, and one that ended', async () => {
    const server = createServer({
      key: readFileSync(join(FIXTURES, 'self-signed.key')),
      cert: readFileSync(join(FIXTURES, 'self-signed.crt')),
    });
    const host = await listening(server);
    await stage.world.putRegistry({}, { baseUrl: `https://${host}` });
    const found = [textWith(`wrong: the certificate of ${host} is not trusted (`)];
    expect(await findings('Certificate')).toEqual(found);
    stage.setTime('2126-11-01T12:00:00Z');
    const expired = [textWith(`wrong: the certificate of ${host} expired on 2126-10-28`)];
    expect(await findings('Certificate')).toEqual(expired);
    await stage.world.putRegistry({}, { baseUrl: 'https://127.0.0.1:1' });
    expect(await findings('Certificate')).toEqual(['unknown: 127.0.0.1 cannot be reached: ECONNREFUSED']);
  });

  it.each([
    [13.5, 'warning', 'the certificate of pay.example.com is valid for 13 days, until 2026-12-04'],
    [14, 'fine', 'the certificate of pay.example.com is valid for 14 days, until 2026-12-05'],
  ])('a certificate that is valid for %s more days', (days, verdict, found) => {
    const now = Date.parse(MORNING_AFTER);
    const seen = { fault: undefined, validTo: now + days * 24 * 60 * 60 * 1_000 };
    expect(certificateFinding(seen, 'pay.example.com', now)).toMatchObject({ verdict, found });
  });
});

/** Writes an object under the key of a manifest. The check reads no object. */
function seal(day: string): Promise<void> {
  return stage.aws.s3.write(BUCKET, manifestKey(day, CODE, 1), '{}');
}

describe('the first day of the lake', () => {
  it('is fine when it is the first day that a report sealed', async () => {
    stage.world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 0 });
    await stage.world.report();
    expect(await findings('Lake')).toEqual(['fine: it is 2026-11-20, the first sealed day is 2026-11-20']);
  });

  it('is wrong when days before it are sealed, and the check says what to set, deploy and load', async () => {
    await seal('2026-11-03');
    await seal(DAY);
    const ran = await says(run('--json'), 1);
    const load = `npx daybook invoke lake '{"from":"2026-11-03","to":"2026-11-19"}' --local --directory ${stage.directory}`;
    expect(findingsIn(ran, 'Lake')).toEqual([
      `wrong: it is 2026-11-20, but the first sealed day is 2026-11-03: the tables of the lake do not have the days before 2026-11-20 → set lake.firstDay to "2026-11-03" in the stage's settings; ${again()}; if lake.history is true, then load these days: ${load}`,
    ]);
  });

  it('is compared with manifests, not with other objects beside them', async () => {
    for (const key of ['days/README', 'days/day=2025-01-01/note.txt', 'days/day=never/merchant=1/r0001.json'])
      await stage.aws.s3.write(BUCKET, key, '{}');
    expect(await findings('Lake')).toEqual(['fine: it is 2026-11-20, and nothing is sealed yet']);
    await seal(DAY);
    expect(await findings('Lake')).toEqual(['fine: it is 2026-11-20, the first sealed day is 2026-11-20']);
    for (let note = 0; note < 100; note += 1)
      await stage.aws.s3.write(BUCKET, `days/day=2025-01-01/note-${note}.txt`, '{}');
    expect(await findings('Lake')).toEqual([
      textLike(/^unknown: the first 100 objects of .* are not Daybook's/),
    ]);
  });

  it('cannot be looked at without the stack, or when an older version deployed it', async () => {
    stackOutputs('Lake')['LakeFirstDay'] = 'soon';
    expect(await findings('Lake')).toEqual([
      `unknown: the stack Daybook-local-Lake does not say its first day → ${again()}`,
    ]);
    stage.aws.stacks.delete(LAKE);
    expect(await findings('Lake')).toEqual(['unknown: the local run has no lake']);
    // The same addresses without --local: that is how it works with AWS.
    const ran = await runCommand(
      ['doctor', '--json', '--dns-server', dns.address, '--stage', 'local', '--region', 'us-east-1'],
      { environment: stage.aws.environment },
    );
    expect(findingsIn(ran, 'Lake')).toEqual([
      'unknown: the stack Lake is not deployed: there is no lake → npx cdk deploy --all -c stage=local',
    ]);
  });
});
