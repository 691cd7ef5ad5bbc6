export interface SuppressionList {
  /** `undefined` when it is not suppressed. */
  reason(addressHash: string): Promise<string | undefined>;
}

export interface Suppression {
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
  messageId: string;
}

export interface SuppressionStore extends SuppressionList {
  /** Unless it is suppressed already. Returns whether the stored one is this. */
  suppress(addressHash: string, suppression: Suppression): Promise<boolean>;
}
