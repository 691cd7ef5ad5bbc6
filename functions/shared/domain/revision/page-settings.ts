import type { MerchantSettings } from '../registry/registry-schema.ts';
import type { Manifest } from './manifest.ts';

/** The parts of a page that say what its figures mean. */
export type PageMeaning = Pick<
  Manifest,
  'currency' | 'timeZone' | 'invoiceStatuses' | 'refundStatuses' | 'charges'
>;

/**
 * A merchant's settings with what the figures of one page mean: as the page was sealed, not as the registry is now. What
 * reads or shows a sealed page takes these, so that it cannot take the registry's by mistake.
 */
export interface PageSettings extends MerchantSettings {
  readonly asSealed: true;
}

/**
 * The settings for a sealed page. A page of an earlier version does not say what it means, and gets what the registry says
 * now.
 */
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

/**
 * The settings for the next revision of a page: those of the page. A number for which it had no word gets the registry's, so
 * that a status that nobody knew can still be named.
 *
 * @param newest `undefined` when the day is not sealed
 */
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

/** What a page says of its figures' meaning when it is sealed with the settings. */
export function meaningOf(settings: PageSettings): Required<PageMeaning> {
  const { currency, timeZone, invoiceStatuses = null, refunds, charges } = settings;
  return { currency, timeZone, invoiceStatuses, refundStatuses: refunds.statuses, charges };
}
