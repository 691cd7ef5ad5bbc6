import { allMerchants } from '#registry/merchants.ts';
import { parseRegistry, type Registry } from '#registry/registry.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';

export function registryText(merchants: readonly unknown[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants, ...more });
}

export function registryOf(merchants: readonly unknown[], more: Record<string, unknown> = {}): Registry {
  return parseRegistry(registryText(merchants, more));
}

/** A merchant as the registry has it, with the product's defaults. */
export function merchant(members: Record<string, unknown> = {}): MerchantSettings {
  const [first] = allMerchants(registryOf([{ merchantCode: '700001', ...members }])).merchants;
  if (first === undefined) throw new Error('the entry of this test is not usable');
  return first;
}
