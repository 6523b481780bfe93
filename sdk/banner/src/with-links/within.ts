/** Resolves with work, or without it after this many milliseconds. */
export const within = <Value>(limit: number, work: Promise<Value> | undefined): Promise<Value | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, limit))]);
