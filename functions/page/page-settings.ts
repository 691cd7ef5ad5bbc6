import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';

export type PageMeaning = Pick<
  Manifest,
  'currency' | 'timeZone' | 'invoiceStatuses' | 'refundStatuses' | 'charges'
>;

/** With what a page's figures mean as sealed, not as in the registry now: what shows a sealed page takes these. */
export interface PageSettings extends MerchantSettings {
  readonly asSealed: true;
}

/** A page of an earlier version gets what the registry says now. */
export function pageSettings(page: PageMeaning, settings: MerchantSettings): PageSettings {
  const { currency = settings.currency, timeZone = settings.timeZone, charges = settings.charges } = page;
  const { invoiceStatuses = settings.invoiceStatuses, refundStatuses = settings.refunds.statuses } = page;
  return {
    ...settings,
    asSealed: true,
    currency,
    timeZone,
    charges,
    invoiceStatuses: invoiceStatuses ?? undefined,
    refunds: { ...settings.refunds, statuses: refundStatuses },
  };
}

/** Settings of the next revision: the page's own; a number without a word gets the registry's. */
export function settingsOfNext(newest: PageMeaning | undefined, settings: MerchantSettings): PageSettings {
  const sealed = pageSettings(newest ?? {}, settings);
  const known = sealed.invoiceStatuses ?? settings.invoiceStatuses;
  return {
    ...sealed,
    invoiceStatuses: known && { ...settings.invoiceStatuses, ...known },
    refunds: {
      ...sealed.refunds,
      statuses: { ...settings.refunds.statuses, ...sealed.refunds.statuses },
    },
  };
}

export function meaningOf(settings: PageSettings): Required<PageMeaning> {
  const { currency, timeZone, invoiceStatuses = null, refunds, charges } = settings;
  return { currency, timeZone, invoiceStatuses, refundStatuses: refunds.statuses, charges };
}
