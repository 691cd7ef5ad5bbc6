/** Addresses that mail no longer goes to. */
export interface SuppressionList {
  /** Why mail to the address is stopped, `undefined` when it is not. */
  reason(addressHash: string): Promise<string | undefined>;
}

/** Why mail to an address is stopped. */
export interface Suppression {
  reason: string;
  /** When the mail service said so (ISO 8601, UTC). */
  at: string;
  /** The message that came back or was complained about. */
  messageId: string;
}

/** The stops, for whoever learns that an address must not be written to. */
export interface SuppressionStore extends SuppressionList {
  /** Stops mail to the address unless it is stopped already, and answers whether it is this stop that stands there. */
  stop(addressHash: string, stop: Suppression): Promise<boolean>;
}
