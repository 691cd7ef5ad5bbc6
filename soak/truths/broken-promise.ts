/** Something that must be true and is not. */
export interface BrokenPromise {
  /** `undefined` when it concerns no single merchant. */
  merchantCode?: string | undefined;
  day?: string | undefined;
  what: string;
}
