import sanitizeHtml from 'sanitize-html';

/** What a mail is written with. Nothing that loads, frames, sends or runs something. */
const ELEMENTS = [
  ...['html', 'head', 'title', 'meta', 'style', 'body'],
  ...[
    'address',
    'article',
    'blockquote',
    'center',
    'div',
    'footer',
    'header',
    'hr',
    'main',
    'p',
    'pre',
    'section',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dd', 'dl', 'dt', 'li', 'ol', 'ul', 'figure', 'figcaption'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...[
    'a',
    'abbr',
    'b',
    'bdi',
    'bdo',
    'br',
    'code',
    'del',
    'em',
    'font',
    'i',
    'img',
    'ins',
    'kbd',
    'mark',
    'q',
  ],
  ...['s', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'wbr'],
];

/** How it looks, how it is read, and nothing that is an address. */
const ATTRIBUTES = [
  ...['align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'class', 'color', 'colspan', 'dir', 'face'],
  ...['height', 'id', 'lang', 'role', 'rowspan', 'scope', 'size', 'span', 'start', 'style', 'title', 'type'],
  ...['valign', 'width', 'aria-*'],
];

/** What a page may say of itself; a `meta` with `http-equiv` can lead elsewhere, or say how to be understood. */
const META_NAMES = ['viewport', 'color-scheme', 'supported-color-schemes'];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ELEMENTS,
  // A style sheet may load things; that is what the policy is for, with which the page is shown.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
  allowedAttributes: {
    '*': ATTRIBUTES,
    a: ['href', 'target'],
    img: ['src', 'alt'],
    meta: ['name', 'content'],
    style: ['media'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  transformTags: {
    // A link that is pressed would open a window, which the frame around it forbids; so it does nothing.
    a: sanitizeHtml.simpleTransform('a', { target: '_blank' }),
    // An address without a scheme is relative to who knows what.
    img: (tagName, { src = '', ...others }) => ({
      tagName,
      attribs: { ...others, ...(/^data:/i.test(src) && { src }) },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'meta' && !META_NAMES.includes(attribs['name'] ?? ''),
};

/** Characters. Mail programs cut a page off at about 100 KB; the parser takes time by the square of how deep a page is. */
const LONGEST = 256 * 1024;
const TOO_LONG = `<p>This mail's page is longer than ${LONGEST / 1024} KB and is not shown. Its text is.</p>`;

/**
 * A mail's page with what it looks like and says, and without what could go elsewhere, ask somebody or run: for a frame
 * without rights, since a browser does some of it beside every policy (it connects to where a frame would lead).
 */
export function harmlessHtml(html: string): string {
  const page = html.length > LONGEST ? TOO_LONG : sanitizeHtml(html, OPTIONS).trim();
  return `<!doctype html>\n<meta charset="utf-8">\n${page}\n`;
}
