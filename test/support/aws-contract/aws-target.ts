/** A mail as the service accepted it. */
export interface TakenMail {
  messageId: string;
  source: string;
  destinations: string[];
  raw: string;
}

/** A notice as the topic accepted it. */
export interface TakenNotice {
  subject: string | undefined;
  message: string;
}

/** An AWS of any kind, with what only its test interface can do or show. */
export interface AwsTarget {
  /** The variables from which the SDK takes endpoints, region and (dummy) credentials. */
  environment: Record<string, string>;
  /** Allows mail from the address, which is refused before. */
  verifySender(address: string): Promise<void>;
  /** Mail whose envelope names the address, oldest first. */
  mailsTo(address: string): Promise<TakenMail[]>;
  /** A topic of that name. @returns its ARN */
  createTopic(name: string): Promise<string>;
  noticesOf(topicArn: string): Promise<TakenNotice[]>;
  close(): Promise<void>;
}
