import { addressesOnce, bareAddress, domainOf } from '#registry/mail-address.ts';
import type { MailTags } from './mail-sender.ts';
import { MailRefusedError } from './once/mail-answer.ts';
import type { MailAnswer } from './once/mail-answer.ts';
import type { ComposedMail, MailRoundPorts } from './once/mail-round.ts';
import { sendWithBackoff } from './mail-sender.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { addressHash } from '#records/storage/keys.ts';

/**
 * A missing domain lets a preview go to strangers; with one too many, the address must be in the registry. So
 * doubtful ones are in. Why no package: docs/adr/0001-tools-and-libraries.md.
 */

/** Providers with a domain in many countries: the name, followed by any ending. */
const WITH_ANY_ENDING = new Set(
  (
    'gmail googlemail hotmail outlook live msn windowslive passport yahoo ymail rocketmail myyahoo icloud aol aim ' +
    'gmx yandex proton protonmail tuta tutanota tutamail zoho zohomail fastmail hushmail mailfence runbox posteo ' +
    'startmail lycos excite terra tiscali wanadoo orange vodafone'
  ).split(' '),
);

/** The ending of a country or of the world: `com`, `de`, `co.uk`, `com.kw`. */
const ENDING = /^[a-z]{2,4}(\.[a-z]{2})?$/;

const BY_NAME = new Set(
  // Worldwide.
  (
    'me.com mac.com pm.me proton.ch hey.com mail.com email.com usa.com europe.com asia.com consultant.com ' +
    'engineer.com post.com inbox.com pobox.com mailbox.org disroot.org riseup.net skiff.com duck.com ' +
    'privaterelay.appleid.com simplelogin.com mozmail.com tuta.io keemail.me ya.ru y7mail.com ' +
    // Russia and its neighbours, central Europe.
    'mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru ro.ru lenta.ru ukr.net i.ua meta.ua abv.bg seznam.cz ' +
    'email.cz centrum.cz azet.sk wp.pl o2.pl onet.pl interia.pl freemail.hu citromail.hu inbox.lv ' +
    // West and south of Europe.
    'web.de t-online.de freenet.de arcor.de online.de mail.de bluewin.ch sunrise.ch hispeed.ch chello.at free.fr ' +
    'laposte.net sfr.fr neuf.fr bbox.fr club-internet.fr libero.it virgilio.it alice.it tin.it tim.it inwind.it ' +
    'telefonica.net sapo.pt ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl skynet.be telenet.be ' +
    'btinternet.com btopenworld.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk eircom.net ' +
    'telia.com online.no ' +
    // The Gulf, the Middle East, Turkey.
    'maktoob.com qualitynet.net kems.net zajil.com fasttelco.com ncc.moc.kw eim.ae emirates.net.ae etisalat.ae ' +
    'batelco.com.bh batelco.jo omantel.net.om qatar.net.qa saudi.net.sa stc.com.sa nesma.net.sa awalnet.net.sa ' +
    'sahara.com.sa cyberia.net.lb idm.net.lb link.net tedata.net.eg masrawy.com albawaba.com walla.co.il ' +
    'walla.com mynet.com turk.net superonline.com ' +
    // Asia, Australia.
    'qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net 139.com 189.cn wo.cn sina.com sina.cn sohu.com 21cn.com ' +
    'aliyun.com tom.com naver.com daum.net hanmail.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp ' +
    'i.softbank.jp nifty.com rediffmail.com rediff.com sify.com indiatimes.com in.com singnet.com.sg bigpond.com ' +
    'bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz ' +
    // America.
    'att.net sbcglobal.net bellsouth.net pacbell.net verizon.net comcast.net xfinity.com charter.net spectrum.net ' +
    'cox.net earthlink.net mindspring.com juno.com netzero.net optonline.net optimum.net frontier.com windstream.net ' +
    'centurylink.net roadrunner.com rr.com twc.com rogers.com shaw.ca bell.net sympatico.ca telus.net videotron.ca ' +
    'cogeco.ca uol.com.br bol.com.br ig.com.br globo.com r7.com oi.com.br prodigy.net.mx ' +
    // Addresses for one use.
    'mailinator.com guerrillamail.com 10minutemail.com temp-mail.org yopmail.com trashmail.com sharklasers.com ' +
    'maildrop.cc getnada.com dispostable.com'
  ).split(' '),
);

/** @param domain in lower case */
export function isPublicMailDomain(domain: string): boolean {
  const [name = '', ...ending] = domain.split('.');
  return BY_NAME.has(domain) || (WITH_ANY_ENDING.has(name) && ENDING.test(ending.join('.')));
}

/** A preview was asked for an address that has nothing to do with the merchant. */
export class PreviewAddressError extends DaybookError {
  override readonly name = 'PreviewAddressError';
}

interface PreviewReach {
  recipients: readonly string[];
  opsRecipients: readonly string[];
  mailFrom: string;
}

/**
 * A preview goes to recipients, ops, the sender and addresses at their domains, not at those of anyone.
 * @throws {PreviewAddressError} with the place in the event and the reason, without the address
 */
export function assertPreviewAllowed(
  to: readonly string[],
  { recipients, opsRecipients, mailFrom }: PreviewReach,
): void {
  const known = [...recipients, ...opsRecipients, bareAddress(mailFrom)];
  const [addresses, domains] = [new Set(known.map(addressHash)), new Set(known.map(domainOf))];
  for (const [place, address] of to.entries()) {
    if (addresses.has(addressHash(address))) continue;
    if (!domains.has(domainOf(address))) {
      throw new PreviewAddressError(
        `to[${place}]: is neither an address of this merchant, of ops or of the sender, nor at one of their domains`,
      );
    }
    if (isPublicMailDomain(domainOf(address))) {
      throw new PreviewAddressError(
        `to[${place}]: is at a public mail domain, where a preview goes only to addresses of this merchant, of ops and of the sender`,
      );
    }
  }
}

const SEND_TIMEOUT = 20_000;

interface Preview {
  composed: ComposedMail;
  to: readonly string[];
  tags: Omit<MailTags, 'kind' | 'recipient'>;
  /** Milliseconds UTC. */
  deadline: number;
}

/** Sends a preview without a ledger. @throws {MailRefusedError} when not certainly accepted; it is safe to try again */
export async function mailPreview(
  ports: Pick<MailRoundPorts, 'suppressionList' | 'mailSender' | 'clock'>,
  { composed, to, tags, deadline }: Preview,
): Promise<MailAnswer> {
  const messageIds: string[] = [];
  for (const [recipient, { address, place }] of addressesOnce(to)) {
    const suppressed = await ports.suppressionList.reason(recipient);
    if (suppressed !== undefined) {
      throw new MailRefusedError(`preview to[${place}]: ${suppressed}`);
    }
    const mail = { to: address, raw: await composed(address), tags: { kind: 'preview', ...tags, recipient } };
    const outcome = await sendWithBackoff(ports.mailSender, ports.clock, mail, SEND_TIMEOUT, deadline);
    if (outcome.kind !== 'accepted') {
      throw new MailRefusedError(
        `preview to[${place}]: the mail service did not take it (${outcome.reason})`,
      );
    }
    messageIds.push(outcome.messageId);
  }
  return { status: 'preview', messageIds };
}
