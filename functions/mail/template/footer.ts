import { onDarkSheet } from '#registry/branding.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { merchantName, type MailedMerchant, type MailBrand } from './mailed-merchant.ts';
import type { MailPage, PageBrand } from './mail-layout.ts';

/** The colour of the name at the top where none is set. */
const PLAIN = { light: '#1c2330', dark: '#eceef2' };

function brandOf(
  { senderName, logo, colour, help, fromName }: MailBrand,
  formatter: FigureFormatter,
): PageBrand | undefined {
  const { texts } = formatter;
  const name = senderName === undefined ? undefined : formatter.configured(senderName);
  if (name === undefined && logo === undefined && help === undefined) return undefined;
  return {
    ...(name !== undefined && { name }),
    ...(logo !== undefined && { logo: { src: logo, alt: name ?? formatter.configured(fromName) } }),
    colour: colour === undefined ? PLAIN : { light: colour, dark: onDarkSheet(colour) },
    ...(help !== undefined && {
      help: { href: help, text: texts.say('footer.help'), shown: help.replace(/^mailto:/, '') },
    }),
  };
}

/** The sender's name or logo, and why the reader gets the mail, how to stop it and where to ask. */
export function footerOf(
  merchant: Pick<MailedMerchant, 'merchantCode' | 'name' | 'brand'>,
  reason: 'report' | 'alert' | 'statement' | 'group' | 'preview',
  formatter: FigureFormatter,
): Pick<MailPage, 'footer' | 'brand'> {
  const { texts } = formatter;
  const own = merchant.brand ?? { fromName: '' };
  const { senderName, address, unsubscribe, footer = true } = own;
  const sender = senderName === undefined ? undefined : formatter.configured(senderName);
  const name = formatter.outside(merchantName(merchant));
  const ask =
    unsubscribe === undefined
      ? [texts.say('footer.stop.reply')]
      : [
          texts.say('footer.stop.write', { address: formatter.configured(unsubscribe) }),
          texts.say('footer.reply'),
        ];
  const sentBy = [
    ...(sender === undefined ? [] : [texts.say(footer ? 'footer.sentByWith' : 'footer.sentBy', { sender })]),
    ...(sender === undefined && footer ? [texts.say('footer.sentWith')] : []),
  ];
  const brand = brandOf(own, formatter);
  return {
    footer: [
      // One paragraph, because small print must not fill half of a phone.
      [
        texts.say(`footer.why.${reason}`, { merchant: name }),
        // Nobody gets a second copy of a preview.
        ...(reason === 'preview' ? [texts.say('footer.reply')] : ask),
        ...sentBy,
      ].join(' '),
      ...(address === undefined ? [] : [formatter.configured(address)]),
    ],
    ...(brand !== undefined && { brand }),
  };
}
