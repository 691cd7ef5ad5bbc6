import { addressHash, ledgerKey, manifestKey, suppressionKey, opsNoticeKey } from '#records/storage/keys.ts';
import { eventOf, toldBy } from '../announce/running-announce.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import { CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { mailEventsOf } from '../mail-events/running-mail-events.ts';
import { sesEvent, type Sample } from '../mail-events/ses-events.ts';
import { stopLinkIn, turnOnStops } from '../doors/doors.ts';
import { readersOf } from './bucket.ts';
import { A, B, WITH_TOPIC, twoReaders, type Scenario } from './scenario.ts';
import * as z from 'zod';

const OPS = 'ops@example.com';

async function reported(world: DaybookWorld): Promise<void> {
  await world.report();
}

/** The event of SES about the first mail to an address. */
function happens(sample: Sample, address: string) {
  return (world: DaybookWorld) =>
    sesEvent(
      sample,
      world.mails().find(({ destinations }) => destinations.includes(address)),
    );
}

const stopSchema = z.object({ messageId: z.string(), reason: z.string() });

async function expectStopped(world: DaybookWorld, address: string): Promise<void> {
  const hash = addressHash(address);
  const text = await world.text(suppressionKey(hash));
  const { messageId, reason } = stopSchema.parse(JSON.parse(text));
  const about = `mail stopped: ${hash}, message ${messageId}, ${reason}`;
  expect(world.keys('mail/ops/')).toContain(opsNoticeKey(about));
  const told = world.mails('ops').filter(({ raw }) => raw.toString().replaceAll('=\r\n', '').includes(hash));
  // A run that dies between notice and record notifies again, which is better than no notice.
  expect([1, 2]).toContain(told.length);
  expect([1, 2]).toContain(world.aws.notices.messages.filter(({ message }) => message.includes(hash)).length);
}

const STOP = { hash: addressHash(A), of: { owner: { merchantCode: CODE }, mails: 'reports' as const } };

export const eventScenarios: readonly Scenario[] = [
  {
    name: 'a bounce that stops an address',
    functionName: 'mail-events',
    options: WITH_TOPIC,
    arrange: twoReaders,
    before: reported,
    event: happens('bounced-permanent', A),
    calls: ['GetObject', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world) => {
      await expectStopped(world, A);
      const { status, recipients } = await world.ledger(1);
      expect([status, ...recipients.map((entry) => entry.status)]).toEqual([
        'bounced',
        'bounced',
        'accepted',
      ]);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a reader who stops mails, and whose provider or who presses again',
    functionName: 'unsubscribe',
    options: WITH_TOPIC,
    arrange: async (world) => {
      turnOnStops(world, 'https://links.example');
      await twoReaders(world);
    },
    before: reported,
    event: async (world) => {
      const token = (await stopLinkIn(world, 'report', A)).split('/').at(-1);
      return {
        requestContext: { http: { method: 'POST' } },
        pathParameters: { token },
        body: 'List-Unsubscribe=One-Click',
      };
    },
    calls: ['GetSecretValue', 'GetObject', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: (world) => {
      const key = stopKey(STOP);
      expect(world.keys('mail-stops/')).toEqual([key]);
      const about = `mails stopped by their reader: ${key}, 2026-11-21`;
      expect(world.keys('mail/ops/')).toContain(opsNoticeKey(about));
      // A run that dies between notice and record notifies again, which is better than no notice.
      expect([1, 2]).toContain(world.aws.notices.messages.length);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a delivery',
    functionName: 'mail-events',
    arrange: twoReaders,
    before: reported,
    event: happens('delivered', B),
    calls: ['GetObject', 'PutObject'],
    verify: async (world) => {
      const { recipients } = await world.ledger(1);
      expect(recipients.map((entry) => entry.status)).toEqual(['accepted', 'delivered']);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a complaint about a notice, which has no ledger and stops nobody',
    functionName: 'mail-events',
    options: WITH_TOPIC,
    arrange: twoReaders,
    before: async (world) => {
      await reported(world);
      await mailEventsOf(world)(await happens('bounced-permanent', A)(world));
    },
    event: happens('complained', OPS),
    calls: ['PutObject', 'SendRawEmail', 'Publish'],
    verify: (world) => {
      expect(world.keys('mail-stops/')).toEqual([suppressionKey(addressHash(A))]);
      // A run that dies between notice and record notifies again, which is better than no notice.
      const told = world.aws.notices.messages.filter(({ message }) => message.includes(addressHash(OPS)));
      expect([1, 2]).toContain(told.length);
    },
  },
  {
    name: 'a mailed report, which is told at least once, and always with the same id',
    functionName: 'announce',
    arrange: twoReaders,
    before: reported,
    event: () => eventOf(ledgerKey(DAY, CODE, 1)),
    calls: ['GetObject', 'PutEvents'],
    verify: (world) => {
      const page = manifestKey(DAY, CODE, 1);
      expect(new Set(toldBy(world).map(({ id }) => id))).toEqual(new Set([`ReportMailed ${page}`]));
    },
  },
];
