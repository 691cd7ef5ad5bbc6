import { harmlessHtml } from '#bin/mail-pages/harmless-html.ts';
import { hostileParts, pageWith } from '#support/browser/hostile-mails.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const ELSEWHERE = 'http://elsewhere.example';
const HARMFUL_ELEMENTS =
  /^(script|i?frame|object|embed|svg|math|form|input|button|link|base|noscript|template|video|audio|source)$/;
const HARMFUL_ATTRIBUTES = /^(on.+|srcset|srcdoc|http-equiv|formaction|action|ping|background|poster)$/;
const HARMFUL_ADDRESSES = /^\s*(javascript|vbscript|file):/i;

/** The harmful parts of a page that is written plainly: all values quoted, no other angle brackets. */
function harmIn(page: string): string[] {
  // The text of a style sheet is not markup.
  const rest = page.replace('<!doctype html>', '').replaceAll(/(<style[^>]*>)[^]*?<\/style>/g, '$1');
  const tags = [...rest.matchAll(/<([a-z][a-z0-9]*)((?: [\w:-]+(?:="[^"<]*")?)*)(?: \/)?>/g)];
  const harm = tags.flatMap(([tag, name = '', attributes = '']) => {
    const values = [...attributes.matchAll(/ ([\w:-]+)(?:="([^"]*)")?/g)];
    const isHarmful =
      HARMFUL_ELEMENTS.test(name) ||
      values.some(
        ([, attribute = '', value = '']) =>
          HARMFUL_ATTRIBUTES.test(attribute) || HARMFUL_ADDRESSES.test(value),
      ) ||
      (name === 'img' &&
        values.some(([, attribute, value = '']) => attribute === 'src' && !/^data:/i.test(value)));
    return isHarmful ? [tag] : [];
  });
  const others = rest.replaceAll(/<\/?[a-z][^<]*>/g, '').includes('<') ? ['another angle bracket'] : [];
  return [...harm, ...others];
}

describe('a page made harmless', () => {
  it('is recognised, and a harmful page is recognised', () => {
    for (const part of [
      '<p onclick="x">',
      '<meta http-equiv="refresh">',
      '<a href="javascript:1">',
      '<img src="x">',
      '<base>',
      '< p',
    ])
      expect(harmIn(part)).toHaveLength(1);
  });

  it.each(Object.entries(hostileParts(ELSEWHERE)))('keeps nothing of %s', (_name, part) => {
    const page = harmlessHtml(pageWith(part));
    expect(page).toContain('<h1>Harmless words</h1>');
    expect(harmIn(page)).toEqual([]);
  });

  it('keeps nothing harmful, however hostile parts are cut and joined', () => {
    const parts = Object.values(hostileParts(ELSEWHERE));
    const piece = fc
      .tuple(fc.constantFrom(...parts), fc.nat(90), fc.nat(90))
      .map(([part, from, length]) => part.slice(from, from + length));
    const soup = fc.array(
      fc.oneof(piece, fc.constantFrom(...parts, '<!--', '-->', '<![CDATA[', '</style>', '<xmp>', '\0')),
    );
    forAll([soup], { numRuns: 500 }, (pieces) => {
      expect(harmIn(harmlessHtml(pieces.join('')))).toEqual([]);
    });
  });

  it('keeps the look and the text of a mail', () => {
    const left =
      '<meta name="referrer" content="unsafe-url"><meta http-equiv="X-UA-Compatible" content="IE=edge">';
    const kept =
      '<html lang="ar" dir="rtl"><head><title>day</title><meta name="color-scheme" content="light dark" />' +
      '<style type="text/css">@media (prefers-color-scheme: dark) { td > p { color: #fff !important } }</style></head>' +
      '<body class="ground" style="margin:0;word-spacing:normal"><table role="presentation" width="100%" bgcolor="#fff"><tbody><tr>' +
      '<td align="right" style="font-size:1px;mso-table-lspace:0pt"><bdi>٣</bdi> &amp; more' +
      '<img alt="a" src="data:image/png;base64,AA==" /></td></tr></tbody></table></body></html>';
    expect(harmlessHtml(kept.replace('<style', `${left}<style`))).toBe(
      `<!doctype html>\n<meta charset="utf-8">\n${kept}\n`,
    );
  });

  it.each(['<b>', '<p a=', '<!--', '<style>', '&', '</p>', '<a href="', "<td style='", '<svg>', '<'])(
    'takes seconds of a processor at most for the largest allowed mail of %s',
    (shape) => {
      const { user: began } = process.threadCpuUsage();
      expect(harmlessHtml(shape.repeat((256 * 1024) / shape.length))).not.toContain('longer than');
      expect(process.threadCpuUsage().user - began).toBeLessThan(10_000_000);
    },
  );

  it('says that a page is too long to be shown', () => {
    expect(harmlessHtml('<b>'.repeat(5_000_000))).toContain('longer than 256 KB');
  });
});
