import type { APIGatewayProxyStructuredResultV2 as WebAnswer } from 'aws-lambda';
import { linkTokens } from '#mail/links/link-tokens.ts';
import { STOPPED_BY_READER } from '#records/ledger/ledger.ts';
import { ownerInWords, ownerLists } from '#records/storage/keys.ts';
import { stopKey, type ReadersStop } from '#records/storage/readers-stop.ts';
import type { Environment } from '#registry/environment.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { isolated, oneLine } from '../formatters/outside-text.ts';
import { buildFunctionDependencies } from '../function-dependencies.ts';
import { deadLink, ownerSettings, pageAnswer, webRequest } from '../link-page.ts';
import { SuppressionList } from '../suppression-list.ts';
import type { OpsNotice } from '../notices/ops-notice.ts';

/** Called once per cold start. @throws {EnvironmentError} when the key of links is not named */
export function buildDependencies(environment: Environment) {
  const { data, links, registry } = environment;
  const { s3, ...shared } = buildFunctionDependencies(environment, 'unsubscribe');
  return {
    ...shared,
    stops: new SuppressionList(s3, data.bucket),
    tokens: linkTokens(links.secret),
    registry: new RegistrySource(s3, data.bucket, registry.key),
  };
}

type Dependencies = ReturnType<typeof buildDependencies>;

/** How the mails are after a request, as its page says it, and what the button of that page does. */
const PAGES = {
  /** They go on until the reader presses the button. */
  asked: { lines: ['stops.ask', 'stops.only'], does: 'stop' },
  stopped: { lines: ['stops.stopped', 'stops.stopped.address'], does: 'undo' },
  undone: { lines: ['stops.undone', 'stops.ask'], does: 'stop' },
} as const;

/**
 * Builds `unsubscribe`: it stops the mails that the token of a link names, for the recipient of the mail. A POST stops them, as
 * mail providers send it (RFC 8058) and as the button of the page does, or undoes it. GET and HEAD show the page: what scanners
 * of mails do must stop nothing.
 */
export function createUnsubscribe(dependencies: Dependencies): Handler<WebAnswer> {
  const { telemetry, tokens, stops, opsNotices, clock, registry } = dependencies;

  async function change(stop: ReadersStop, state: 'stopped' | 'undone'): Promise<void> {
    const at = new Date(clock.now()).toISOString();
    if (state === 'stopped') await stops.add(stop, { reason: STOPPED_BY_READER, at });
    else await stops.remove(stop);
    const { hash: recipient, of } = stop;
    telemetry.about(of.owner);
    // The stop stands, whether or not ops can be told: the command lists it.
    const told = await opsNotices.notifyOnce(noticeOf(stop, state, at));
    if (!told) telemetry.count('OpsNotTold', 1);
    telemetry.logger.info(`mails ${state} by their reader`, { mails: of.mails, recipient, told });
  }

  async function answer(event: unknown): Promise<WebAnswer> {
    const { method, token, does: asked } = webRequest(event);
    const stop = await tokens.read(token);
    if (stop?.kind !== 'stop') return deadLink('link.unknown');
    let state: keyof typeof PAGES;
    if (method === 'POST') {
      // A provider may send its form in parts, or in none: what does not ask to undo stops the mails.
      state = asked === 'undo' ? 'undone' : 'stopped';
      await change(stop, state);
    } else state = (await stops.read(stop)) === undefined ? 'asked' : 'stopped';
    const { owner, mails } = stop.of;
    const settings = registry.load().then((loaded) => ownerSettings(loaded.registry, owner));
    const known = await settings.catch((error: unknown) => {
      // A stop must not depend on the registry.
      const errorName = error instanceof Error ? error.name : '';
      telemetry.logger.warn('the page names the code alone', { errorName });
    });
    const name = isolated(oneLine(known?.name ?? owner.merchantCode ?? owner.group ?? '', 120));
    const { lines, does } = PAGES[state];
    return pageAnswer(200, known?.language, (texts) => ({
      title: texts.say(`stops.${mails}`, { name }),
      lines: lines.map((line) => texts.say(line)),
      button: { label: texts.say(`stops.${does}`), does },
    }));
  }

  return (event, context) => telemetry.during(context, () => answer(event));
}

/** One a day for each state, so that nobody fills a mailbox by pressing the button. */
function noticeOf(stop: ReadersStop, state: 'stopped' | 'undone', at: string): OpsNotice {
  const { owner, mails } = stop.of;
  const what = `${mails} of ${ownerInWords(owner)}`;
  return {
    about: `mails ${state} by their reader: ${stopKey(stop)}, ${at.slice(0, 10)}`,
    ...ownerLists(owner),
    days: [],
    happened: state === 'stopped' ? 'a reader stopped mails' : 'a reader wants mails again',
    meaning: [
      state === 'stopped'
        ? `One recipient gets no more ${what}: somebody used the link of such a mail. Other mails to the address go on.`
        : `One recipient gets ${what} again: somebody undid the stop.`,
      `Address (SHA-256 of it in lower case): ${stop.hash}`,
      'Who has a mail can use its link, also when it was forwarded.',
      'If somebody presses again today, that is not told: daybook suppression list shows what holds.',
    ],
    tried: [
      state === 'stopped'
        ? 'Mails of this kind to it are skipped from now on, and their ledgers say so. The watch does not count them as missing.'
        : 'Mails that were skipped meanwhile are not sent by themselves.',
    ],
    toDo: [
      'If the reader did not mean it, lift the stop: daybook suppression remove ADDRESS --reader.',
      'If nobody at that address shall get these mails, remove it from the registry.',
    ],
    headings: ['addressStopped'],
    commands: [
      { shows: 'What is stopped now, with the addresses', does: 'daybook', words: ['suppression', 'list'] },
    ],
  };
}
