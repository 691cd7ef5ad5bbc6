import * as z from 'zod';
import { balanceSchema, unknownComparisons } from '../balance/balance-settings.ts';
import { fieldPath } from '../json/schema-issue.ts';
import { isKnownColumn, redactSchema } from '../records/redaction.ts';
import { attachmentsSchema } from './attachment-settings.ts';
import { brandingSchema } from './branding.ts';
import {
  OWN_MEMBERS,
  merchantSchema,
  refundsSchema,
  registrySchema,
  serviceSchema,
} from './registry-schema.ts';
import type { Registry } from './registry.ts';

const membersSchema = z.lazy(() => z.record(z.string(), z.unknown()));

/** Paths of the members of `value` that the schema does not have. */
function namesNotInSchema(schema: z.ZodObject, value: unknown, path: readonly PropertyKey[]): string[] {
  const members = membersSchema.safeParse(value).data ?? {};
  return Object.keys(members)
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .map((name) => fieldPath([...path, name]));
}

/** Paths of columns to redact that the contract does not have: new in the service, or misspelt. */
function unknownColumns(value: unknown, path: readonly PropertyKey[]): string[] {
  const { redact } = membersSchema.safeParse(value).data ?? {};
  return (redactSchema.safeParse(redact).data ?? []).flatMap((column, index) =>
    isKnownColumn(column) ? [] : [fieldPath([...path, 'redact', index])],
  );
}

/**
 * Members that this version does not know, as paths such as `merchants[3].reciepients`. They are reported and
 * cause no failure. Rules of `alert-check` are checked by `rulesOfRegistry`.
 */
export function unknownMembers(registry: Registry): string[] {
  const { service, defaults, merchants } = registry;
  // Unwrapped once: every unwrapping builds the schema again.
  const [ofEntry, ofRefunds] = [merchantSchema.unwrap(), refundsSchema.unwrap()];
  const [ofBalance, ofAttachments] = [balanceSchema.unwrap(), attachmentsSchema.unwrap()];
  const ofBranding = brandingSchema.unwrap();
  const ofMerchant = (value: unknown, path: readonly PropertyKey[]) => {
    const { refunds, balance, branding, attachments } = membersSchema.safeParse(value).data ?? {};
    return [
      ...namesNotInSchema(ofEntry, value, path),
      ...namesNotInSchema(ofRefunds, refunds, [...path, 'refunds']),
      ...namesNotInSchema(ofBalance, balance, [...path, 'balance']),
      ...namesNotInSchema(ofBranding, branding, [...path, 'branding']),
      ...namesNotInSchema(ofAttachments, attachments, [...path, 'attachments']),
      ...unknownComparisons(balance, [...path, 'balance']),
      ...unknownColumns(value, path),
    ];
  };
  return [
    ...namesNotInSchema(registrySchema.unwrap(), registry, []),
    ...namesNotInSchema(serviceSchema.unwrap(), service, ['service']),
    ...OWN_MEMBERS.filter((name) => Object.hasOwn(defaults, name)).map((name) =>
      fieldPath(['defaults', name]),
    ),
    ...ofMerchant(defaults, ['defaults']),
    ...merchants.flatMap((entry, index) => ofMerchant(entry, ['merchants', index])),
  ];
}
