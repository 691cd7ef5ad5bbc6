import sanitizeHtml from 'sanitize-html';

/** The elements of a mail's text and layout: the library's harmless ones, and those of a page of its own. */
const ELEMENTS = [
  ...sanitizeHtml.defaults.allowedTags,
  ...['html', 'head', 'title', 'meta', 'style', 'body', 'center', 'font', 'img', 'del', 'ins'],
];

/** Attributes for looks and reading. None of them holds an address. */
const ATTRIBUTES = [
  ...['align', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'class', 'color', 'colspan', 'dir', 'face'],
  ...['height', 'id', 'lang', 'role', 'rowspan', 'scope', 'size', 'span', 'start', 'style', 'title', 'type'],
  ...['valign', 'width', 'aria-*'],
];

/** The `meta` elements that a page may have. One with `http-equiv` could lead elsewhere, or change how the page is read. */
const META_NAMES = ['viewport', 'color-scheme', 'supported-color-schemes'];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ELEMENTS,
  // A style sheet could load things. The policy that is sent with the page prevents it.
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
    // A click would open a window, which the frame forbids. So links do nothing.
    a: sanitizeHtml.simpleTransform('a', { target: '_blank' }),
    // An address without a scheme could lead anywhere.
    img: (tagName, { src = '', ...others }) => ({
      tagName,
      attribs: { ...others, ...(/^data:/i.test(src) && { src }) },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'meta' && !META_NAMES.includes(attribs['name'] ?? ''),
};

/** Characters. Mail programs cut a page off at about 100 KB, and the parser's time grows with the square of the nesting. */
const LONGEST = 256 * 1024;
const TOO_LONG = `<p>This mail's page is longer than ${LONGEST / 1024} KB and is not shown. Its text is.</p>`;

/**
 * A mail's page with its looks and its text, without anything that could lead elsewhere, load or run. It is meant for a
 * frame without rights. A policy alone is not enough: a browser still connects to the address of a frame.
 */
export function harmlessHtml(html: string): string {
  const page = html.length > LONGEST ? TOO_LONG : sanitizeHtml(html, OPTIONS).trim();
  return `<!doctype html>\n<meta charset="utf-8">\n${page}\n`;
}
