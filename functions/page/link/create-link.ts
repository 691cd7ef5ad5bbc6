import { linkedFileKey } from '#links/linked-file.ts';
import { readToken } from '#links/token.ts';
import type { FileClaim } from '#links/token.ts';
import { pageAnswer, seeOther, webRequest } from '#links/web.ts';
import type { WebAnswer, WebPage } from '#links/web.ts';
import { LANGUAGES, textsIn } from '#mail/texts/texts.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import { addressHash } from '#records/storage/keys.ts';
import { groupSettings } from '#registry/groups.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { UnknownGroupError, UnknownMerchantError } from '#registry/registry-errors.ts';
import type { Registry } from '#registry/registry.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import type { Dependencies } from './dependencies.ts';

const MEGABYTE = 1_000_000;

function pageIn(texts: Texts, title: TextName, lines: readonly TextName[]): WebPage {
  const { language, direction } = texts;
  return { language, direction, title: texts.say(title), lines: lines.map((name) => texts.say(name)) };
}

/** In every language: nobody knows whose it is. */
function unknownLink(): WebAnswer {
  const pages = LANGUAGES.map((language) => pageIn(textsIn(language), 'link.unknown', ['link.unknown.ask']));
  return pageAnswer(404, pages);
}

interface Owner {
  language: (typeof LANGUAGES)[number];
  recipients: readonly string[];
  linksFrom?: string | undefined;
}

/** Who the page is about. `undefined` for one that left the registry. */
function ownerOf(
  registry: Registry,
  { merchantCode, group }: FileClaim['place']['owner'],
): Owner | undefined {
  try {
    return merchantCode === undefined
      ? groupSettings(registry, group)
      : merchantSettings(registry, merchantCode);
  } catch (error) {
    if (error instanceof UnknownMerchantError || error instanceof UnknownGroupError) return undefined;
    throw error;
  }
}

/** Whether the link still works: for a recipient whose mail is not stopped, and of a mail that is not called back. */
async function isValid(
  { suppressionList }: Pick<Dependencies, 'suppressionList'>,
  { recipients, linksFrom }: Owner,
  { recipient, mailedAt }: FileClaim,
): Promise<boolean> {
  if (!recipients.some((address) => addressHash(address) === recipient)) return false;
  if (linksFrom !== undefined && mailedAt < Date.parse(linksFrom)) return false;
  return (await suppressionList.reason(recipient)) === undefined;
}

async function answer(dependencies: Dependencies, event: unknown): Promise<WebAnswer> {
  const { method, token } = webRequest(event);
  const claim = await readToken(token, (id) => dependencies.keys.withId(id));
  if (claim?.kind !== 'file') return unknownLink();
  const { registry } = await dependencies.registry.load();
  const owner = ownerOf(registry, claim.place.owner);
  const texts = textsIn(owner?.language ?? 'en');
  if (owner === undefined || !(await isValid(dependencies, owner, claim)))
    return pageAnswer(410, [pageIn(texts, 'link.over', ['link.over.ask'])]);
  const { place, format } = claim;
  const file = await dependencies.files.look(place, format);
  if (file === undefined) return pageAnswer(410, [pageIn(texts, 'link.gone', ['link.gone.ask'])]);
  if (method === 'POST') {
    const location = await dependencies.handOut(claim);
    const { rows, bytes } = file;
    dependencies.telemetry.logger.info('file handed out', { key: linkedFileKey(place, format), rows, bytes });
    return seeOther(location);
  }
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
      value,
    );
  const size = texts.say('link.megabytes', { size: number(file.bytes / MEGABYTE, 1) });
  const page: WebPage = {
    ...pageIn(texts, 'link.title', []),
    facts: [
      [texts.say('link.file'), file.filename],
      [texts.say('link.rows'), number(file.rows, 0)],
      [texts.say('link.size'), size],
    ],
    button: { label: texts.say('link.download'), does: 'download' },
  };
  return pageAnswer(200, [page], await dependencies.filesOrigin());
}

/**
 * Answers a request for a file that a mail links. GET and HEAD show what it is, and hand out nothing: programs that look at
 * links for a reader do no harm. Only the button of the page, a POST, sends the browser on to the file.
 */
export function createLink(dependencies: Dependencies): Handler<WebAnswer> {
  return (event, context) => dependencies.telemetry.during(context, () => answer(dependencies, event));
}
