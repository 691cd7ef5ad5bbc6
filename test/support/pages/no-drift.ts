import type { Manifest } from '#records/revision/manifest.ts';

/** What a manifest says of a service that answers as the contract says. */
export const NO_DRIFT: Manifest['drift'] = {
  unknownFields: { invoices: [], refunds: [] },
  renamedFields: { invoices: {}, refunds: {} },
  unknownInvoiceStatuses: {},
  unknownRefundStatuses: {},
  otherDays: { count: 0, ids: [] },
  refundsWithoutDay: { count: 0, total: '0.000', byStatus: {}, ids: [] },
  repeatedFields: { invoices: {}, refunds: {} },
  misfits: { invoices: [], refunds: [], invoiceList: [], refundList: [] },
  notListed: { invoices: 0, refunds: 0, invoiceStatuses: 0, refundStatuses: 0 },
};
