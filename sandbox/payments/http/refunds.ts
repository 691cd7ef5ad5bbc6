import { envelope, lastPage, pagination, Refusal, withMembers } from './envelopes.ts';
import { listQuery } from './list-query.ts';
import { REFUND_STATUS } from '../day/refund-record.ts';
import type { Service } from '../service.ts';

const MESSAGE = 'Refund requests';

/**
 * `GET /api/v1/refund/{id}` (docs/contract.md, 4.2 Refund details): the decrypted envelope. Throws a Refusal for an
 * unknown id.
 */
export function refundDetails(service: Service, merchantCode: string, path: string): string {
  const { behaviour, store } = service;
  const id = path.slice(path.lastIndexOf('/') + 1);
  const found = /^\d{1,15}$/.test(id) ? store.find('refund', merchantCode, Number(id)) : undefined;
  if (found === undefined) throw new Refusal('notFound', 'the merchant has no refund with this id');
  const record = withMembers(found.stored.record, behaviour.extraRefundFields);
  return envelope(MESSAGE, record, behaviour.extraEnvelopeFields);
}

/**
 * `GET /api/v1/refund/` (docs/contract.md, 4.3 Refund list): the decrypted envelope. Dates select by `refund_at`.
 * Throws a Refusal for parameters that it cannot read, or if the behaviour has no list.
 */
export function refundList(service: Service, merchantCode: string, query: Record<string, string>): string {
  const { behaviour, listings, perPage, store } = service;
  if (!behaviour.hasRefundList) throw new Refusal('notFound', 'hasRefundList is off');
  const { page: asked, ...range } = listQuery(query);
  const listing = listings({ kind: 'refund', merchantCode, ...range });
  const total = listing.records.length;
  const page = behaviour.refundListPages === 'repeats' ? Math.min(asked, lastPage(total, perPage)) : asked;
  const shown = listing.records.slice((page - 1) * perPage, page * perPage);
  const stats = {
    total_refund_request_count: total,
    total_refund_request_amount: listing.sum(),
    pending_total_refund_request_amount: listing.sum(String(REFUND_STATUS.pending)),
    approved_total_refund_request_amount: listing.sum(String(REFUND_STATUS.approved)),
    rejected_total_refund_request_amount: listing.sum(String(REFUND_STATUS.rejected)),
  };
  const data = shown.map(({ seq }) => withMembers(store.text(seq), behaviour.extraRefundFields)).join(',');
  const url = `${service.origin}/api/v1/refund/`;
  const pages = pagination({ total, count: shown.length, perPage, page, url });
  const paged = behaviour.refundListPages === 'page' ? `,"pagination":${JSON.stringify(pages)}` : '';
  const response = `{"stats":${JSON.stringify(stats)},"refund_request_list":{"data":[${data}]${paged}}}`;
  return envelope(MESSAGE, response, behaviour.extraEnvelopeFields);
}
