import { ReferenceStrength } from 'aws-cdk-lib';
import type { Resource } from 'aws-cdk-lib';

/**
 * For what CloudFormation names. While another stack uses such a resource, CloudFormation refuses to delete or replace it. A
 * resource that the stacks name themselves needs no hold: made anew, it has the same name (ADR 8).
 */
export function heldByConsumers(...resources: readonly Resource[]): void {
  for (const resource of resources) resource.applyCrossStackReferenceStrength(ReferenceStrength.STRONG);
}
