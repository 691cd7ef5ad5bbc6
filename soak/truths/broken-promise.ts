/** Something that must be so and is not. */
export interface BrokenPromise {
  /** `undefined` where it is nobody's in particular. */
  merchantCode?: string | undefined;
  day?: string | undefined;
  what: string;
}
