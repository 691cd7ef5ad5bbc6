/** Sees to it that of many runs that want to tell the same at once, one does. */
export interface NoticeClaims {
  /**
   * Claims the telling of something for a moment. Who dies before it has told leaves a claim that runs out.
   *
   * @param now milliseconds UTC
   * @returns whether the caller is to tell; not when another run has begun to
   */
  claim(about: string, now: number): Promise<boolean>;
}
