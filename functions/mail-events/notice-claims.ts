/** Makes sure that only one of several runs sends the same notice when they run at once. */
export interface NoticeClaims {
  /**
   * Claims a notice for a moment. When a run dies before it sent the notice, its claim runs out.
   *
   * @param about the name of the notice
   * @param now milliseconds UTC
   * @returns whether the caller is to send the notice; `false` while another run has the claim
   */
  claim(about: string, now: number): Promise<boolean>;
}
