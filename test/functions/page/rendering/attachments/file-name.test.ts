import PostalMime from 'postal-mime';
import { merchantDay } from '#records/storage/keys.ts';
import { composeMail } from '#mail/message/mime.ts';
import { pageFileName } from '#page/compose-page-mail.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { python } from '#support/readers/python.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';

const SEALED = { ...merchantDay('700001', '2026-11-20'), revision: 2 };
const fileName = (name: string) => pageFileName('invoices', name, SEALED)('xlsx');

const PYTHON_READER = `
import email, email.policy, json, sys
mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps([part.get_filename() for part in mail.iter_attachments()]))
`;

function mailWith(filenames: readonly string[]): Promise<Uint8Array> {
  return composeMail({
    from: 'daybook@example.com',
    to: 'owner@example.com',
    subject: 'x',
    text: 'x',
    html: '<p>x</p>',
    attachments: filenames.map((filename) => {
      return { filename, content: Buffer.from('x'), contentType: 'text/csv' };
    }),
    at: 0,
  });
}

describe('the name of a file', () => {
  it.each([
    ['Al Noor Trading', 'Al-Noor-Trading'],
    ['شركة الأفق للتجارة', 'شركة-الأفق-للتجارة'],
    ['Café Zoë', 'Café-Zoë'],
    ['Cafe\u0301', 'Café'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\CON.', 'C-Windows-CON'],
    ['a"; filename="b.exe', 'a-filename-b-exe'],
    ['\u202Etxt.exe', 'txt-exe'],
    ['naïve%2F..%00', 'naïve-2F-00'],
    ['x'.repeat(500), 'x'.repeat(40)],
    ['', '700001'],
    ['  /  ', '700001'],
    ['🍕🍕', '700001'],
    ['\u3164\u200B', '700001'],
    ['\u0301\u0301', '700001'],
  ])('with the merchant %j has %s', (name, shown) => {
    expect(fileName(name)).toBe(`invoices-2026-11-20-r2-${shown}.xlsx`);
  });

  it('is safe and bounded, whatever the merchant is called', () => {
    const anything = fc.oneof(
      fc.constantFrom(...HOSTILE_NAMES),
      fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
    );
    forAll([anything], { numRuns: 1_000 }, (name) => {
      const place = { ...merchantDay('m'.repeat(64), '2026-11-20'), revision: 999_999_999 };
      const file = pageFileName('invoices', name, place)('xlsx');
      expect(file).toMatch(/^invoices-2026-11-20-r999999999-[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.xlsx$/u);
      expect(file).not.toMatch(/\p{Default_Ignorable_Code_Point}|-\./u);
      expect(file.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
      expect(file.length).toBeLessThanOrEqual(100);
    });
  });

  it('of a huge name costs no more than that of a long one', () => {
    const { user: before } = process.threadCpuUsage();
    expect(fileName('- '.repeat(5_000_000))).toBe('invoices-2026-11-20-r2-700001.xlsx');
    expect(process.threadCpuUsage().user - before).toBeLessThan(10_000_000);
  });

  it('reads back from the mail, also in Python', async () => {
    const names = ['Al Noor Trading', 'شركة الأفق للتجارة', '咖啡店', 'x'.repeat(100), ...HOSTILE_NAMES];
    const files = names.map(fileName);
    const mail = await mailWith(files);
    const { attachments } = await PostalMime.parse(mail);
    expect(attachments.map(({ filename }) => filename)).toEqual(files);
    expect(await python(PYTHON_READER, Buffer.from(mail))).toEqual(files);
  });
});
