/** Addresses that get no more mail. */
export interface SuppressionList {
  /** Why the address is suppressed, `undefined` when it is not. */
  reason(addressHash: string): Promise<string | undefined>;
}

/** Why an address is suppressed. */
export interface Suppression {
  reason: string;
  /** When the mail service reported it (ISO 8601, UTC). */
  at: string;
  /** The message that bounced or caused the complaint. */
  messageId: string;
}

/** The suppression list with a way to add to it. */
export interface SuppressionStore extends SuppressionList {
  /**
   * Suppresses the address unless it is suppressed already. @returns whether the stored suppression is this
   * one
   */
  suppress(addressHash: string, suppression: Suppression): Promise<boolean>;
}
