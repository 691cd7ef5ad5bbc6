import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { HOSTILE_TEXTS } from '#support/lake/lake-world.ts';
import { defined } from '#support/assertions/index.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';
import { MAY_SKIP, newDirectory } from '#support/machine.ts';
import { CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';

/*
 * Files of the lake and of mails in LibreOffice, as docs/without-athena.md says.
 */

const execute = promisify(execFile);
const HAS_LIBREOFFICE = spawnSync('soffice', ['--version']).status === 0;
const LONG_ID = '123456789012345678';
const TEXTS = {
  'an Arabic text': 'فاتورة رقم ٣',
  'a formula': '=1+1',
  'a formula with a function': '@SUM(A1:A9)',
  'a phone number': '+965 5000 1234',
  'what looks like a date': '1-2',
  'what looks like a power': '1E5',
  'zeros before digits': '00123',
};

/** The recipe of the page: 60 columns of the type Text, in UTF-8, with commas. */
const recipe = /--infilter="(CSV:[^"]+)"/.exec(
  readFileSync(join(import.meta.dirname, '../../docs/without-athena.md'), 'utf8'),
)?.[1];
const AS_TEXTS = defined(recipe).replace(
  "$(seq -s / -f '%g/2' 60)",
  Array.from({ length: 60 }, (_, place) => `${place + 1}/2`).join('/'),
);
/** What a double click does: types are guessed, and formulas run. */
const GUESSED = 'CSV:44,34,76,1';

describe.skipIf(MAY_SKIP && !HAS_LIBREOFFICE)('LibreOffice', { timeout: 120_000 }, () => {
  const world = shareWorld({ defaults: { attachCsv: true } });
  const folder = newDirectory();
  beforeAll(() => {
    for (const text of [...Object.values(TEXTS), ...Object.values(HOSTILE_TEXTS)]) {
      const transaction = { payment_id: LONG_ID, payment_type: text };
      const customer = { name: text, email: 'a@example.com', phone_number: text };
      const members = { reference_number: text, amount: '1234567.500', customer };
      world.payments.data.insertInvoice(CODE, DAY, { ...members, transaction, invoice_status: 1 });
    }
  });

  /** The cells after an import. */
  async function imported(csv: string | Buffer, filter: string) {
    writeFileSync(join(folder, 'file.csv'), csv);
    const options = [`-env:UserInstallation=file://${folder}/profile`, '--headless', `--infilter=${filter}`];
    await execute('soffice', [
      ...options,
      ...['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', folder, join(folder, 'file.csv')],
    ]);
    return defined(readWorkbook(readFileSync(join(folder, 'file.xlsx'))).sheets[0]);
  }

  async function mailed(settings: Record<string, unknown>): Promise<Buffer> {
    await world.putRegistry({ [CODE]: settings });
    await world.report({ resend: true });
    const mail = defined((await world.readMails('report')).at(-1));
    return attachmentBytes(defined(mail.attachments[0]));
  }

  /** LibreOffice drops NUL and has one kind of line break; all else is as in the file, and each cell is a text. */
  async function expectAllAsTheyStand(csv: string | Buffer): Promise<void> {
    const { rows, cells } = await imported(csv, AS_TEXTS);
    const file: string[][] = parse(csv, { bom: true });
    const kept = (cell: string) => cell.replaceAll('\u0000', '').replaceAll(/\r\n?/g, '\n');
    expect(rows).toEqual(file.map((row) => row.map(kept)));
    expect(new Set([...cells.values()].map(({ type }) => type))).toEqual(new Set(['s']));
    for (const text of [LONG_ID, '1234567.500', TEXTS['an Arabic text']]) expect(rows.flat()).toContain(text);
  }

  it('shows every cell of a file of the lake as it stands, by the recipe', async () => {
    await world.report();
    const [key = ''] = world.keys(`invoices/csv/day=${DAY}/`);
    const csv = await world.text(key);
    await expectAllAsTheyStand(csv);
    for (const text of Object.values(TEXTS)) expect(parse(csv).flat()).toContain(text);
  });

  it('shows every cell of the CSV in a mail as it stands, by the recipe', async () => {
    await expectAllAsTheyStand(await mailed({}));
  });

  it('keeps ids, and runs no formula, when the CSV with idsAsText is opened and its types are guessed', async () => {
    const csv = await mailed({ attachments: { idsAsText: true } });
    const { rows, cells } = await imported(csv, GUESSED);
    for (const text of [LONG_ID, '00123', '1-2', '1E5', `'=1+1`]) expect(rows.flat()).toContain(text);
    const formulas = [...cells.values()].flatMap(({ formula }) => formula ?? []);
    expect(formulas.filter((formula) => !/^"[\w.,/:+-]+"$/.test(formula))).toEqual([]);
  });

  it('loses digits of a file of the lake when it guesses types', async () => {
    const [key = ''] = world.keys(`invoices/csv/day=${DAY}/`);
    const { rows } = await imported(await world.text(key), GUESSED);
    expect(rows.flat()).not.toContain(LONG_ID);
  });
});
