import { rulesOfRegistry } from '#domain/alerts/registry-rules.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { rejectionOf } from '#domain/registry/problem.ts';
import type { Rejection } from '#domain/registry/problem.ts';
import { RegistryError } from '#domain/registry/registry-errors.ts';
import { parseRegistry } from '#domain/registry/registry.ts';
import { unknownMembers } from '#domain/registry/unknown-members.ts';
import { ForbiddenOriginError, assertServiceAllowed } from '#payments/sending/service-origin.ts';

/** What is wrong with the text of a registry. @param allowedOrigins the origins that the stage allows */
export function checkRegistryText(text: string, allowedOrigins: readonly string[]): Rejection[] {
  try {
    const registry = parseRegistry(text);
    assertServiceAllowed(registry.service, allowedOrigins);
    const { problems, unknown } = rulesOfRegistry(registry);
    const others = [...problems, ...unknownMembers(registry), ...unknown];
    return [
      ...allMerchants(registry).rejected,
      ...others.map((problem) => rejectionOf(problem, problem.merchantCode)),
    ];
  } catch (error) {
    if (error instanceof RegistryError) return [{ path: '(root)', reason: error.message }];
    if (error instanceof ForbiddenOriginError) return [{ path: error.member, reason: error.message }];
    throw error;
  }
}
