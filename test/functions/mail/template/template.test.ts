import { aCorrection, HOSTILE_NAMES, aReport } from '#support/rendering/reports.ts';
import type { MailBrand } from '#mail/template/mailed-merchant.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { LANGUAGES, textsIn } from '#mail/texts/texts.ts';
import { SHOWN_MAILS } from '#support/browser/shown-mails.ts';
import { anAlert } from '#support/rendering/alerts.ts';
import { aGroupInput, aGroupPage, aStatementInput } from '#support/rendering/statements.ts';
import { chartView, tableView, toHtml } from '#mail/template/mail-view.ts';
import type { MailPage, PageTable } from '#mail/template/mail-layout.ts';
import { toPlainText } from '#mail/template/fitting-mail.ts';

const BRAND: MailBrand = {
  fromName: 'Reports',
  senderName: 'Gulf Pay',
  logo: 'https://cdn.example.com/logo.png',
  colour: '#0b5c4a',
  help: 'https://example.com/help',
  address: 'Block 3, Street 5, Kuwait City',
  unsubscribe: 'stop@example.com',
};

const of = (brand: MailBrand, language: (typeof LANGUAGES)[number] = 'en') => ({
  merchant: { brand, language },
});
const rendered = (brand: MailBrand, language?: (typeof LANGUAGES)[number]) => ({
  report: renderReport(aReport(of(brand, language))),
  correction: renderCorrection(aCorrection(of(brand, language))),
  preview: renderReport(aReport({ ...of(brand, language), preview: true })),
  alert: renderAlert(anAlert(of(brand, language))),
  statement: renderStatement(aStatementInput(of(brand, language))),
  group: renderGroup(
    aGroupInput(aGroupPage([]), {
      group: { name: 'north', timeZone: 'Asia/Kuwait', language: language ?? 'en', brand },
    }),
  ),
});

describe('the end of a mail', () => {
  it.each(['report', 'correction'] as const)(
    'of a %s says why it came, how to stop it and who sent it',
    (kind) => {
      expect(rendered(BRAND)[kind].text).toMatch(
        new RegExp(
          [
            'This address is on the list for the daily reports of Kuwait Coffee\\. ' +
              'To get no more of these mails, write to stop@example\\.com\\. ' +
              'You have a question\\? Answer this mail\\. Sent by Gulf Pay with Daybook\\.',
            'Block 3, Street 5, Kuwait City',
            'Help: https://example\\.com/help',
            'Reference 700001 · [-0-9]* · [0-9]* · [0-9a-f]{16}\\n$',
          ].join('\\n'),
        ),
      );
    },
  );

  it('of a preview says that somebody sent it, and nothing about stopping it', () => {
    const { text } = rendered(BRAND).preview;
    expect(text).toContain('You get this preview because');
    expect(text).not.toContain('no more of these mails');
  });

  it('says the same in Arabic', () => {
    const mails = rendered(BRAND, 'ar');
    expect(mails.report.text).toContain('عنوانك مدرج في قائمة مستلمي التقارير اليومية');
    expect(mails.alert.text).toContain('قائمة مستلمي التنبيهات');
    for (const { text, html } of [mails.report, mails.alert, mails.correction]) {
      expect(text).toContain('لإيقاف هذه الرسائل، اكتب إلى \u2068stop@example.com\u2069.');
      expect(text).toContain('أُرسلت من \u2068Gulf Pay\u2069 باستخدام Daybook.');
      expect(html).toContain('المساعدة: <a href="https://example.com/help"');
    }
  });

  it('asks to answer the mail where no address for requests is set', () => {
    expect(rendered({ fromName: '' }).report.text).toContain(
      'To ask something, or to get no more of these mails, answer this one. ',
    );
  });

  it.each(LANGUAGES)('names Daybook in one place in %s, and nowhere with "footer": false', (language) => {
    for (const brand of [BRAND, { fromName: 'Daybook' }]) {
      const { logo, ...withoutLogo } = { logo: undefined, ...brand };
      expect(logo).toBe(brand === BRAND ? BRAND.logo : undefined);
      for (const { subject, text, html } of Object.values(rendered(withoutLogo, language))) {
        expect([...text.matchAll(/daybook/gi)]).toHaveLength(1);
        expect([...html.matchAll(/daybook/gi)]).toHaveLength(1);
        expect(subject).not.toMatch(/daybook/i);
      }
      for (const { text, html } of Object.values(rendered({ ...withoutLogo, footer: false }, language))) {
        expect(text + html).not.toMatch(/daybook/i);
      }
    }
  });

  it('keeps a hostile name or address in its place', () => {
    const plain = rendered(BRAND).report.html;
    const tags = (html: string) => html.match(/<[a-z]+/g)?.filter((tag) => tag !== '<bdi');
    for (const hostile of HOSTILE_NAMES) {
      const { html } = rendered({ ...BRAND, senderName: hostile, address: hostile }).report;
      expect(tags(html)).toEqual(tags(plain));
    }
  });
});

describe('the top of a mail', () => {
  it('asks mail programs for no links of dates, numbers and addresses', () => {
    for (const { html } of Object.values(rendered(BRAND))) {
      expect(html).toMatch(
        /<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no"\s*\/?>/,
      );
    }
  });

  it('has the logo at a fixed height, with the sender’s name for those who do not see it', () => {
    for (const { html } of Object.values(rendered(BRAND))) {
      const images = [...html.matchAll(/<img [^>]*>/g)].map(([image]) => image);
      expect(images).toHaveLength(1);
      expect(images[0]).toContain('src="https://cdn.example.com/logo.png"');
      expect(images[0]).toContain('alt="Gulf Pay"');
      expect(images[0]).toContain('height="32"');
    }
  });

  it('has the name of From for a logo without a sender’s name', () => {
    const { senderName, ...unnamed } = BRAND;
    expect(senderName).toBe('Gulf Pay');
    expect(rendered(unnamed).report.html).toContain('alt="Reports"');
  });

  it('has the sender’s name in its colour, and a lighter one in dark mode', () => {
    const { logo, ...named } = BRAND;
    expect(logo).toBeDefined();
    const { html } = rendered(named).report;
    expect(html).not.toContain('<img');
    expect(html).toMatch(
      /<p class="brand brand-name" style="[^"]*color: #0b5c4a[^"]*"><bdi>Gulf Pay<\/bdi><\/p>/,
    );
    expect(html).toMatch(/\.sheet \.brand-name \{\s*color: #[0-9a-f]{6} !important;/);
  });

  it('has nothing where neither is set', () => {
    const { html, text } = rendered({ fromName: 'Daybook' }).report;
    expect(html).not.toMatch(/brand|<img/);
    expect(text.startsWith('Kuwait Coffee\n')).toBe(true);
  });
});

/** Whatever runs, asks for input, or is loaded when a mail is opened. */
const RUNS_OR_LOADS =
  /<(?:script|link|i?frame|object|embed|form|input|svg|video|audio|base)\b|\son\w+=|\b(?:src|srcset|poster|background)=|url\(|@import/gi;

const linksIn = (html: string) => [...html.matchAll(/\shref="([^"]*)"/g)].map(([, address]) => address);

describe('a mail', () => {
  it.each(SHOWN_MAILS)(
    'runs and loads nothing, and links to payments only: $name in $language',
    ({ html }) => {
      expect(html.match(RUNS_OR_LOADS)).toBeNull();
      for (const link of linksIn(html)) expect(link).toMatch(/^https:\/\/pay\.example\.com\//);
    },
  );

  it('with a brand loads its logo alone, and links to its help alone', () => {
    for (const { html } of Object.values(rendered(BRAND))) {
      expect(html.match(RUNS_OR_LOADS)).toEqual([expect.stringMatching(/^src=$/)]);
      expect(linksIn(html)).toEqual([BRAND.help]);
    }
  });
});

const TABLE: PageTable = {
  columns: [{ text: 'Merchant', under: 'Code' }, { text: 'Received', under: 'Refunds' }, { text: 'Usual' }],
  rows: [
    { cells: [{ text: 'A & B', under: '700001' }, { text: '1.000', under: '0.500' }, { text: '+2.000' }] },
    { cells: [{ text: 'Total' }, { text: '1.000' }, { text: '' }], strong: true },
  ],
};

function pageWith(table: PageTable): MailPage {
  return {
    texts: textsIn('en'),
    marks: [],
    heading: 'x',
    preheader: 'x',
    sections: [{ heading: 'Table', table }],
    footer: [],
  };
}

describe('a table of many rows', () => {
  it('in a text part has what is below a name in brackets, and below a figure after a stroke', () => {
    expect(toPlainText(pageWith(TABLE))).toContain(
      [
        '  Merchant (Code): Received / Refunds · Usual',
        '  A & B (700001): 1.000 / 0.500 · +2.000',
        '  Total: 1.000 · ',
      ].join('\n'),
    );
  });

  it('has heads of columns and rows, and escapes what it holds', () => {
    const html = toHtml(pageWith(TABLE));
    expect(html).toMatch(/<th scope="col"[^>]*>Merchant<br><small>Code<\/small><\/th>/);
    expect(html).toMatch(/<th scope="row"[^>]*>A &amp; B<br><small>700001<\/small><\/th>/);
    expect(html).toMatch(/<td>1\.000<br><small>0\.500<\/small><\/td>/);
  });

  it('costs few bytes a row', () => {
    const rows = Array.from({ length: 200 }, () => TABLE.rows[0] ?? { cells: [] });
    const size = (table: PageTable) => Buffer.byteLength(toHtml(pageWith(table)));
    expect((size({ ...TABLE, rows }) - size(TABLE)) / 198).toBeLessThan(300);
  });

  it('lets only long words and figures break anywhere', () => {
    const { rows } = tableView({
      columns: [],
      rows: [
        { cells: [{ text: 'a'.repeat(18) }, { text: '1,234,567.500' }] },
        { cells: [{ text: 'a name of words' }, { text: '-12,345,678.500' }] },
        { cells: [{ text: 'Total' }, { text: '-1,234,567.500' }], strong: true },
      ],
    });
    expect(rows.map(({ first, values }) => [first.breaks, values[0]?.breaks])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});

describe('the labels of a chart', () => {
  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ label: String(index + 1), segments: [], today: false }));

  it('stand below each column of a fortnight', () => {
    const { labels, ticks } = chartView(columns(14));
    expect(labels).toHaveLength(14);
    expect(ticks).toEqual([]);
  });

  it.each([28, 29, 30, 31])('of %i columns are one a week, and together as wide as the chart', (count) => {
    const { labels, ticks } = chartView(columns(count));
    expect(labels).toEqual([]);
    expect(ticks.map(({ label }) => label)).toEqual(['1', '8', '15', '22', ...(count > 28 ? ['29'] : [])]);
    expect(ticks.reduce((sum, { span }) => sum + span, 0)).toBe(count);
  });
});
