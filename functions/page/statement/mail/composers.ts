import { attachedFiles, pageFileName, pageMail } from '#page/compose-page-mail.ts';
import type { BuiltAttachments, AttachableFile } from '#page/compose-page-mail.ts';
import { pageLinks } from '#page/page-links.ts';
import type { PageLinks } from '#page/page-links.ts';
import { CSV_TYPE, peopleCsv } from '#page/people-csv.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { brandOf } from '#mail/message/mail-head.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { Dependencies } from '../dependencies.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { INVOICE_COLUMNS, statementColumns } from '#page/rendering/attachments/attachment-columns.ts';
import type { AttachmentColumn } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { CollectedWorkbook } from '#page/rendering/attachments/collected-attachments.ts';
import { statementWorkbook } from '#page/rendering/statement/statement-workbook.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';
import type { Members } from '#records/json/exact-json.ts';
import { TABLES, dataFile } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { statementDocument } from '#page/rendering/statement/statement-document.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';

type StatedMerchant = MerchantSettings & MailedMerchant;

/** The day of the page that a row is in, as the sealed row says it. */
const PAGE_DAY: AttachmentColumn = { head: 'workbook.day', path: ['_day'], holds: 'day', width: 14 };

/**
 * The PDF, and the workbook with `attachXlsx`. A CSV is linked in place of a workbook that is too large to be made.
 * @throws {StoredObjectError} when a page or a file of it cannot be read
 */
async function statementAttachments(
  snapshots: SnapshotStore,
  merchant: StatedMerchant,
  { statement, preview }: { statement: Statement; preview: boolean },
  links: PageLinks | undefined,
  books: BuiltAttachments | undefined,
): Promise<BuiltAttachments> {
  const { merchantCode, period, revision } = statement;
  const place = { owner: { merchantCode }, period, revision };
  const fileOf = (format: 'pdf' | 'xlsx') => pageFileName('statement', merchant.name, place, format);
  // The code that writes a PDF is large, and a run without a mail does not need it.
  const { writePdf } = await import('#page/rendering/document/write-pdf.ts');
  const document = statementDocument({ merchant, statement, preview });
  const files: AttachableFile[] = [
    {
      format: 'pdf',
      filename: fileOf('pdf'),
      contentType: 'application/pdf',
      content: await writePdf(document, await readDocumentFonts()),
      rows: statement.days.length,
    },
  ];
  if (merchant.attachXlsx) {
    const pages = await pagesOf(snapshots, statement);
    const workbook = await workbookOf(snapshots, merchant, statement, pages);
    const isInCsv = workbook.content === undefined && links !== undefined;
    files.push(
      isInCsv
        ? {
            format: 'csv',
            filename: pageFileName('statement', merchant.name, place, 'csv'),
            contentType: CSV_TYPE,
            content: undefined,
            pieces: () => peopleCsv(snapshots, merchant, pages, [PAGE_DAY, ...INVOICE_COLUMNS]),
            rows: pages.reduce((sum, page) => sum + dataFile(page, 'invoices', 'json').rows, 0),
          }
        : { format: 'xlsx', filename: fileOf('xlsx'), ...workbook },
    );
  }
  return attachedFiles(files, links, books);
}

async function workbookOf(
  snapshots: SnapshotStore,
  merchant: StatedMerchant,
  statement: Statement,
  pages: readonly Manifest[],
): Promise<Pick<AttachableFile, 'contentType' | 'content' | 'rows'>> {
  const count = (table: Table) => pages.reduce((sum, page) => sum + dataFile(page, table, 'json').rows, 0);
  const rows = count('invoices') + count('refunds');
  const shown = statementColumns(merchant, statement.currency !== null);
  const collected = new CollectedWorkbook(shown, rows, merchant.timeZone);
  const columns = redactedColumns(merchant.redact);
  for (const page of pages) {
    const words = new AttachmentWords(pageSettings(page, merchant), page.day);
    for (const table of TABLES) {
      const file = dataFile(page, table, 'json');
      if (collected.isTooBig || file.rows === 0) continue;
      const add = (row: Members) => collected.add(table, row, words);
      for await (const line of snapshots.lines(file)) takeSealedRow(line, columns, add);
    }
  }
  const tables = collected.tables();
  const { WORKBOOK_TYPE, writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  const content = tables && (await writeWorkbook(statementWorkbook(merchant, statement, tables)));
  return { contentType: WORKBOOK_TYPE, content, rows };
}

async function pagesOf(snapshots: SnapshotStore, { merchantCode, days }: Statement): Promise<Manifest[]> {
  const pages: Manifest[] = [];
  for (const { day, revision } of days) {
    const page = await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
    if (page !== undefined) pages.push(page);
  }
  return pages;
}

async function statementBooks(
  { snapshots, closings }: Pick<Dependencies, 'snapshots' | 'closings'>,
  settings: MerchantSettings,
  statement: Statement,
  before: Statement | null,
): Promise<BuiltAttachments | undefined> {
  if (settings.books === undefined) return undefined;
  const { bookedStatement, bookAttachments } = await import('#page/page-books.ts');
  return bookAttachments(snapshots, settings, await bookedStatement(closings, statement, before));
}

interface StatementMail {
  statement: Statement;
  /** `null` for the first mail. */
  before: Statement | null;
  preview: boolean;
  /** When it is mailed, for its links (milliseconds UTC). Left out: it has none, as a preview. */
  now?: number;
}

/** Renders the mail from the sealed statement and files alone: a run that continues sends the same mail. */
export async function composeStatementMail(
  { senderProfile, snapshots, closings }: Pick<Dependencies, 'senderProfile' | 'snapshots' | 'closings'>,
  settings: MerchantSettings,
  { statement, before, preview, now }: StatementMail,
): Promise<ComposedMail> {
  const { merchantCode, period, revision, sealedAt } = statement;
  const brand = brandOf(senderProfile, settings);
  const merchant = { ...settings, timeZone: statement.timeZone ?? settings.timeZone, brand };
  const place = { owner: { merchantCode }, period, revision };
  const links = pageLinks(senderProfile, snapshots, place, now);
  const shown = { statement, preview };
  const books = await statementBooks({ snapshots, closings }, merchant, statement, before);
  const { files, described } = await statementAttachments(snapshots, merchant, shown, links, books);
  const input = { merchant, statement, preview, attachments: described };
  const rendered = before === null ? renderStatement(input) : renderStatementCorrection({ ...input, before });
  const kind = preview ? 'preview' : before === null ? 'statement' : 'correction';
  return pageMail(senderProfile, brand, { kind, place, rendered, files, links, at: sealedAt });
}

function placeOf({ group, period, revision }: GroupPage): PagePlace {
  return { owner: { group }, period, revision };
}

type MailedGroupSettings = GroupInput['group'] & { attachXlsx: boolean };

/** With every merchant, unless the group does not want it. */
async function groupAttachments(
  group: MailedGroupSettings,
  page: GroupPage,
  links: PageLinks | undefined,
): Promise<BuiltAttachments> {
  if (!group.attachXlsx) return { files: [], described: [] };
  const { WORKBOOK_TYPE, writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  const { merchants, missing } = page;
  const workbook: AttachableFile = {
    format: 'xlsx',
    filename: pageFileName('group', group.name, placeOf(page), 'xlsx'),
    contentType: WORKBOOK_TYPE,
    content: await writeWorkbook(groupWorkbook({ group, page })),
    rows: merchants.length + missing.length,
  };
  return attachedFiles([workbook], links);
}

interface GroupMail {
  page: GroupPage;
  /** That it replaces; `null` for the first, or when it cannot be read. */
  before: GroupPage | null;
  preview: boolean;
  /** As that of a statement's mail. */
  now?: number;
}

/** Renders the mail from the sealed page alone: a run that continues sends the same mail. */
export async function composeGroupMail(
  { senderProfile, snapshots }: Pick<Dependencies, 'senderProfile' | 'snapshots'>,
  settings: GroupSettings,
  { page, before, preview, now }: GroupMail,
): Promise<ComposedMail> {
  const { sealedAt } = page;
  const brand = brandOf(senderProfile, settings);
  const mailed = { ...settings, brand };
  const links = pageLinks(senderProfile, snapshots, placeOf(page), now);
  const { files, described } = await groupAttachments(mailed, page, links);
  const rendered = renderGroup({ group: mailed, page, before, preview, attachments: described });
  const kind = preview ? 'preview' : 'group';
  return pageMail(senderProfile, brand, { kind, place: placeOf(page), rendered, files, links, at: sealedAt });
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
