/** A mail as the service has taken it. */
export interface TakenMail {
  messageId: string;
  source: string;
  destinations: string[];
  raw: string;
}

/** A notice as the topic has taken it. */
export interface TakenNotice {
  subject: string | undefined;
  message: string;
}

/** An AWS of any make, and what only its own back door can do or show. */
export interface AwsTarget {
  /** The variables from which the SDK takes endpoints, region and (dummy) credentials. */
  environment: Record<string, string>;
  /** From now on mail may be sent from the address, which nobody may before. */
  verifySender(address: string): Promise<void>;
  /** Mail whose envelope names the address, oldest first. */
  mailsTo(address: string): Promise<TakenMail[]>;
  /** A topic of that name. @returns its ARN */
  createTopic(name: string): Promise<string>;
  noticesOf(topicArn: string): Promise<TakenNotice[]>;
  close(): Promise<void>;
}
