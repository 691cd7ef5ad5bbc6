import { attachedFiles, pageFileName, pageLinks, pageMail } from '#page/compose-page-mail.ts';
import type { AttachableFile } from '#page/compose-page-mail.ts';
import { peopleCsv } from '#page/people-csv.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { brandOf } from '#mail/message/mail-head.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { Dependencies } from './dependencies.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderGroup, type GroupInput } from '#page/rendering/group/render-group.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { INVOICE_COLUMNS, statementColumns } from '#page/rendering/attachments/attachment-columns.ts';
import type { AttachmentColumn } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { CollectedWorkbook } from '#page/rendering/attachments/collected-attachments.ts';
import { statementWorkbook } from '#page/rendering/statement/statement-workbook.ts';
import { TABLES, dataFile, type Manifest } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { statementDocument } from '#page/rendering/statement/statement-document.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import { rowsIn, takeRows } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';

type StatedMerchant = MerchantSettings & MailedMerchant;

/** The day of the page that a row is in, as the sealed row says it. */
const PAGE_DAY: AttachmentColumn = { head: 'workbook.day', path: ['_day'], holds: 'day', width: 14 };

/**
 * The PDF, and the workbook with `attachXlsx`. A CSV is linked in place of a workbook that is too large to be made.
 * @throws {StoredObjectError} when a page or a file of it cannot be read
 */
async function statementFiles(
  snapshots: DayStore,
  merchant: StatedMerchant,
  { statement, preview }: { statement: Statement; preview: boolean },
): Promise<AttachableFile[]> {
  // The code that writes a PDF is large, and a run without a mail does not need it.
  const { writePdf } = await import('#page/rendering/document/write-pdf.ts');
  const document = statementDocument({ merchant, statement, preview });
  const content = await writePdf(document, await readDocumentFonts());
  const pdf: AttachableFile = { format: 'pdf', content, rows: statement.days.length };
  if (!merchant.attachXlsx) return [pdf];
  const pages = await pagesOf(snapshots, statement);
  const workbook = await workbookOf(snapshots, merchant, statement, pages);
  const instead = peopleCsv(snapshots, merchant, pages, [PAGE_DAY, ...INVOICE_COLUMNS]);
  return [pdf, { format: 'xlsx', content: workbook, rows: rowsIn(pages), instead }];
}

/** `undefined` when it is too large to be made. */
async function workbookOf(
  snapshots: DayStore,
  merchant: StatedMerchant,
  statement: Statement,
  pages: readonly Manifest[],
): Promise<Buffer | undefined> {
  const shown = statementColumns(merchant, statement.currency !== null);
  const { language, timeZone } = merchant;
  const collected = new CollectedWorkbook(shown, rowsIn(pages), { texts: textsIn(language), timeZone });
  for (const page of pages) {
    const words = new AttachmentWords(pageSettings(page, merchant), page.day);
    for (const table of TABLES) {
      const file = dataFile(page, table, 'json');
      if (collected.isTooBig || file.rows === 0) continue;
      await takeRows(snapshots, file, merchant.redact, (row) => collected.add(table, row, words));
    }
  }
  const sheets = collected.sheets();
  if (sheets === undefined) return undefined;
  const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  return writeWorkbook(statementWorkbook(merchant, statement, sheets));
}

async function pagesOf(snapshots: DayStore, { merchantCode, days }: Statement): Promise<Manifest[]> {
  const pages: Manifest[] = [];
  for (const { day, revision } of days) {
    const page = await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
    if (page !== undefined) pages.push(page);
  }
  return pages;
}

interface StatementMail {
  statement: Statement;
  /** `null` for the first mail. */
  before: Statement | null;
  /** When it is mailed, for its links (milliseconds UTC). Left out: it is a preview, which has none. */
  now?: number | undefined;
}

/** Renders the mail from the sealed statement and files alone: a run that continues sends the same mail. */
export async function composeStatementMail(
  { senderProfile, snapshots, closings }: Pick<Dependencies, 'senderProfile' | 'snapshots' | 'closings'>,
  settings: MerchantSettings,
  { statement, before, now }: StatementMail,
): Promise<ComposedMail> {
  const preview = now === undefined;
  const { merchantCode, period, revision, sealedAt } = statement;
  const brand = brandOf(senderProfile, settings);
  const merchant = { ...settings, timeZone: statement.timeZone ?? settings.timeZone, brand };
  const place = { owner: { merchantCode }, period, revision };
  const links = pageLinks(senderProfile, snapshots, place, now);
  const booking = merchant.books && (await import('#page/page-books.ts'));
  const booked = await booking?.bookedStatement(closings, statement, before);
  const books = booked && (await booking?.bookAttachments(snapshots, merchant, booked));
  const made = await statementFiles(snapshots, merchant, { statement, preview });
  const nameOf = pageFileName('statement', merchant.name, place);
  const { files, described } = await attachedFiles(made, nameOf, links, books);
  const input = { merchant, statement, preview, attachments: described };
  const rendered = before === null ? renderStatement(input) : renderStatementCorrection({ ...input, before });
  const kind = preview ? 'preview' : before === null ? 'statement' : 'correction';
  return pageMail(senderProfile, brand, { kind, place, rendered, files, links, at: sealedAt });
}

/** With every merchant, unless the group does not want it. */
async function groupFiles(
  group: GroupInput['group'] & { attachXlsx: boolean },
  page: GroupPage,
): Promise<AttachableFile[]> {
  if (!group.attachXlsx) return [];
  const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  const content = await writeWorkbook(groupWorkbook({ group, page }));
  return [{ format: 'xlsx', content, rows: page.merchants.length + page.missing.length }];
}

interface GroupMail {
  page: GroupPage;
  /** That it replaces; `null` for the first, or when it cannot be read. */
  before: GroupPage | null;
  /** As that of a statement's mail. */
  now?: number | undefined;
}

/** Renders the mail from the sealed page alone: a run that continues sends the same mail. */
export async function composeGroupMail(
  { senderProfile, snapshots }: Pick<Dependencies, 'senderProfile' | 'snapshots'>,
  settings: GroupSettings,
  { page, before, now }: GroupMail,
): Promise<ComposedMail> {
  const preview = now === undefined;
  const { group, period, revision, sealedAt } = page;
  const place = { owner: { group }, period, revision };
  const brand = brandOf(senderProfile, settings);
  const mailed = { ...settings, brand };
  const links = pageLinks(senderProfile, snapshots, place, now);
  const nameOf = pageFileName('group', mailed.name, place);
  const { files, described } = await attachedFiles(await groupFiles(mailed, page), nameOf, links);
  const rendered = renderGroup({ group: mailed, page, before, preview, attachments: described });
  const kind = preview ? 'preview' : 'group';
  return pageMail(senderProfile, brand, { kind, place, rendered, files, links, at: sealedAt });
}

/** Whether two revisions bring other figures to the books. */
export function bookedOtherwise(one: Statement, other: Statement): boolean {
  const booked = ({ days, currency: ofAll, byCurrency = {} }: Statement) =>
    JSON.stringify([
      days.map(({ day, currency = ofAll, net: of }) => [day, currency, of.received, of.refunded, of.charges]),
      // Of one currency, the mail itself shows them.
      Object.values(byCurrency).map(({ received }) => received?.byMethod),
    ]);
  return booked(one) !== booked(other);
}

export { differsInMail } from '#page/rendering/statement/render-statement-correction.ts';
