import type { MailPage, PageSection, Tone } from './mail-page.ts';
import { ISOLATE_END, ISOLATE_START, escapeHtml, withoutIsolates } from './outside-text.ts';

// Mail programs read styles in the elements; the classes serve those that know dark mode.
const DARK = `
@media (prefers-color-scheme: dark) {
  .ground { background: #16181d !important; }
  .sheet { background: #22252c !important; border-color: #363a44 !important; }
  .ink { color: #eceef2 !important; }
  .faint { color: #a3a9b5 !important; }
  .line { border-color: #363a44 !important; }
  .good { background: #12331f !important; color: #a8e5bd !important; }
  .bad { background: #471a1a !important; color: #ffc4c0 !important; }
  .plain { background: #2d313a !important; color: #eceef2 !important; }
}`.trim();

const INK = '#1c2330';
const FAINT = '#5d6675';
const LINE = '1px solid #e3e6eb';
const TONES: Record<Tone, string> = {
  good: 'background:#e5f6eb;color:#14532d',
  bad: 'background:#fde8e7;color:#8a1c14',
  plain: `background:#eef1f5;color:${INK}`,
};
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Tahoma,Arial,sans-serif";

/** Escapes a line of a page and turns its isolates into elements. */
function inline(line: string): string {
  return escapeHtml(line).replaceAll(ISOLATE_START, '<bdi>').replaceAll(ISOLATE_END, '</bdi>');
}

function box(text: string, tone: Tone): string {
  return `<div class="${tone}" style="${TONES[tone]};padding:8px 12px;border-radius:6px;margin:0 0 8px;font-weight:600">${inline(text)}</div>`;
}

// A column must not shrink to single letters, so only words that no narrow screen can hold may break anywhere.
function wrapping(text: string): string {
  return /\S{24,}/.test(text) ? 'overflow-wrap:anywhere' : 'overflow-wrap:normal';
}

/** Where lines of a direction begin; mail programs do not all know `start` and `end`. */
type Side = 'left' | 'right';

interface CellLook {
  tag: 'th scope="col"' | 'th scope="row"' | 'td';
  side: Side;
  /** The style of the space before the cell. */
  gap: string;
  faint?: boolean;
  weight: 400 | 600 | 700;
}

function cellHtml(text: string, { tag, side, gap, faint = false, weight }: CellLook): string {
  const style = `padding:6px 0;${gap};border-bottom:${LINE};color:${faint ? FAINT : INK};font-weight:${weight};text-align:${side};font-variant-numeric:tabular-nums;${wrapping(text)}`;
  const ink = faint ? 'faint' : 'ink';
  return `<${tag} class="${ink} line" align="${side}" valign="top" style="${style}">${inline(text)}</${tag.slice(0, 2)}>`;
}

function tableHtml({ columns, rows }: NonNullable<PageSection['table']>, start: Side): string {
  // Digits run from left to right in both scripts, so figures keep to the right: thousandths stand below thousandths.
  const figures = columns.length > 0;
  const side = figures ? 'right' : start;
  const first = { side: start, gap: `padding-${start}:0` };
  const further = { side, gap: `padding-${start}:10px` };
  const head = columns.map((column, index) =>
    cellHtml(column, { tag: 'th scope="col"', faint: true, weight: 600, ...(index === 0 ? first : further) }),
  );
  const body = rows.map(({ label, values, strong = false }) => {
    const weight = strong ? 700 : 400;
    return [
      cellHtml(label, { tag: 'th scope="row"', faint: !figures, weight, ...first }),
      ...values.map((value) => cellHtml(value, { tag: 'td', weight, ...further })),
    ];
  });
  const lines = [...(figures ? [head] : []), ...body].map((cells) => `<tr>${cells.join('')}</tr>\n`);
  return `<table width="100%" cellpadding="0" cellspacing="0" style="width:100%;border-collapse:collapse;margin:0 0 8px">\n${lines.join('')}</table>\n`;
}

function sectionHtml({ heading, lines = [], table }: PageSection, start: Side): string {
  const shownLines = lines.map(({ text, tone }) =>
    tone === 'plain'
      ? `<p class="ink" style="margin:0 0 6px;color:${INK};overflow-wrap:anywhere">${inline(text)}</p>`
      : box(text, tone),
  );
  const shownTable = table === undefined ? '' : tableHtml(table, start);
  return `<h2 class="ink" style="margin:24px 0 8px;color:${INK};font-size:16px;line-height:1.3">${inline(heading)}</h2>\n${shownLines.join('\n')}${shownTable}\n`;
}

/** The page as the HTML part of a mail: one column, no images, nothing loaded from anywhere. */
export function toHtml(page: MailPage): string {
  const { language, direction } = page.texts;
  const start: Side = direction === 'rtl' ? 'right' : 'left';
  // Some mail programs drop the attributes of html and body, so the outer table has them too.
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(withoutIsolates(`${page.heading} · ${page.subheading}`))}</title>
<style>
:root { color-scheme: light dark; }
${DARK}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f3f4f7">
<table role="presentation" class="ground" lang="${language}" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" style="width:100%;background:#f3f4f7;${FONT};font-size:15px;line-height:1.5"><tr><td align="center" style="padding:12px 6px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#ffffff;border:${LINE};border-radius:10px;text-align:${start}"><tr><td style="padding:20px 14px">
${page.marks.map(({ text, tone }) => box(text, tone)).join('\n')}
<h1 class="ink" style="margin:8px 0 0;color:${INK};font-size:20px;line-height:1.3;overflow-wrap:anywhere">${inline(page.heading)}</h1>
<p class="faint" style="margin:0 0 12px;color:${FAINT}">${inline(page.subheading)}</p>
<p class="ink" style="margin:0;color:${INK};font-size:22px;line-height:1.3;font-weight:700">${inline(page.lead)}</p>
${page.sections.map((section) => sectionHtml(section, start)).join('')}<p class="faint" style="margin:20px 0 0;color:${FAINT};font-size:13px">${inline(page.footer)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
