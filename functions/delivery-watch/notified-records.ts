/** What `delivery-watch` has notified ops of, a record for each day or period. */
export interface NotifiedRecords<Notified> {
  /** What ops were notified of. An empty record when that is not known. */
  read(name: string): Promise<Notified>;
  /** Changes the record, starting from what another run may have written meanwhile. */
  change(name: string, change: (before: Notified) => Notified): Promise<void>;
}
