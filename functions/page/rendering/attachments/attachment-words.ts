import { isDay } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import type { Language } from '#registry/languages.ts';
import { knownMethod } from '#mail/formatters/figure-formatter.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';

export interface WordSettings {
  language: Language;
  invoiceStatuses?: InvoiceStatusNames | undefined;
  refunds: { statuses: Readonly<Record<string, string>> };
  attachments: { paymentMethods: Readonly<Record<string, string>>; idsAsText?: boolean };
}

const STATES = {
  paid: 'states.paid',
  not_paid: 'states.notPaid',
  cancelled: 'states.cancelled',
  other: 'states.other',
} as const;

function named<Value>(names: Readonly<Record<string, Value>>, value: string): Value | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}

/** Says the service's numbers and names in words of the mail's language. */
export class AttachmentWords {
  readonly texts: Texts;
  readonly #settings: WordSettings;
  /** Of the page that the rows are in. */
  readonly day: Day;

  constructor(settings: WordSettings, day: Day) {
    this.texts = textsIn(settings.language);
    this.#settings = settings;
    this.day = day;
  }

  /** The registry's name of an invoice's status, `''` when it has none. @param status as a text */
  stateName(status: string): string {
    return named(this.#settings.invoiceStatuses ?? {}, status) ?? '';
  }

  invoiceState(status: string): string {
    const { invoiceStatuses } = this.#settings;
    if (invoiceStatuses === undefined || status === '') return '';
    return this.texts.say(STATES[named(invoiceStatuses, status) ?? 'other']);
  }

  /** @param type `null`: those beyond the named ones */
  invoiceType(type: string | null): string {
    if (type === null) return this.texts.say('types.rest');
    const name = `types.${type}`;
    if (type === '') return '';
    if (this.texts.has(name) && name !== 'types.other') return this.texts.say(name);
    return this.texts.say('types.other', { type });
  }

  /** A payment method by the registry's name or by its own, in the mail's language if it has a text. @param method `null`: those beyond the named ones */
  method(method: string | null): string {
    if (method === null) return this.texts.say('method.rest');
    const word = named(this.#settings.attachments.paymentMethods, method) ?? method;
    return knownMethod(word, this.texts) ?? word;
  }

  /** Whether a spreadsheet that opens a CSV is to keep ids as they are. */
  get idsAsText(): boolean {
    return this.#settings.attachments.idsAsText ?? false;
  }

  refundState(status: string): string {
    return status === '' ? '' : this.refundStatus(named(this.#settings.refunds.statuses, status) ?? 'other');
  }

  refundStatus(name: string): string {
    const textName = `refundStatuses.${name}`;
    return this.texts.has(textName) ? this.texts.say(textName) : name;
  }

  countsIn(refundedOn: string): string {
    if (this.isOfDay(refundedOn)) return this.texts.say('countsIn.refund');
    return this.texts.say(isDay(refundedOn) ? 'countsIn.otherDay' : 'countsIn.noDay');
  }

  /** Whether a refund counts on the day. The date is as the service writes it. */
  isOfDay(refundedOn: string): boolean {
    return refundedOn === this.day;
  }
}
