import { soFarUntil } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { AttachmentWords } from './attachment-words.ts';
import { headsOf, refundRows, stateRows } from './summary-blocks.ts';
import { SummaryCells } from './summary-cells.ts';
import type { SummaryRow } from './summary-cells.ts';

function checkedText({ balanced, notCompared }: Manifest) {
  if (!balanced) return 'workbook.checked.no';
  return notCompared.length === 0 ? 'workbook.checked.yes' : 'workbook.checked.apart';
}

/**
 * The summary of a workbook. Times are in the merchant's zone; an amount that a spreadsheet cannot keep
 * exactly is a text.
 */
export function summaryRows(
  merchant: MailedMerchant,
  manifest: Manifest,
  words: AttachmentWords,
): SummaryRow[] {
  const { texts } = words;
  const { day, revision, pulledAt, refunds } = manifest;
  const cells = new SummaryCells(texts, merchant.timeZone);
  const soFar = soFarUntil(manifest, merchant.timeZone);
  const nameOf = (status: string) => words.refundStatus(status);
  return [
    cells.detail(texts.say('workbook.merchant'), merchantName(merchant), 'text'),
    cells.detail(texts.say('workbook.day'), day, 'day'),
    ...(soFar === null ? [] : [cells.detail(texts.say('workbook.soFarUntil'), soFar, 'time')]),
    cells.detail(texts.say('workbook.checked'), texts.say(checkedText(manifest)), 'text'),
    cells.detail(texts.say('workbook.readAt'), pulledAt, 'time'),
    cells.detail(texts.say('workbook.timeZone'), merchant.timeZone, 'text'),
    cells.detail(texts.say('workbook.currency'), merchant.currency, 'text'),
    cells.detail(texts.say('workbook.revision'), revision.toString(), 'integer'),
    cells.detail(texts.say('about'), texts.say('received.day'), 'text'),
    [],
    headsOf(texts.say('workbook.invoices'), cells, texts),
    ...stateRows(manifest, cells, texts),
    [],
    headsOf(texts.say('workbook.refundsOfDay'), cells, texts),
    ...refundRows(refunds, nameOf, cells, texts),
  ];
}
