/** Tells the people who run Daybook. */
export interface OpsNotices {
  /**
   * Tells ops once about this thing, whatever the number of runs that notice it. Never throws for a failed telling.
   *
   * @param only the ways to use, as {@link heardBy} names them; left out, all
   * @returns `false` when every way to them failed, so that they know nothing of it
   */
  notifyOnce(about: string, subject: string, text: string, only?: readonly string[]): Promise<boolean>;
  /** By which ways ops were told about this thing: hashes of addresses, and `topic`. Empty where that is not known. */
  heardBy(about: string): Promise<string[]>;
  /** Whether ops were told about this thing; `false` also where that cannot be looked up. */
  wasNotified(about: string): Promise<boolean>;
  /** Notes that ops were told about this thing by a notice of another name. Never throws: they may then hear it again. */
  noteNotified(about: string): Promise<void>;
}
