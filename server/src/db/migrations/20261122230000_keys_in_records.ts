// From this step on the event id of a decision is in the id of its record, and no row of `idempotency_keys` is made
// for it: only programs that know the step know a repetition. There is nothing to take away: rows of before expire.
export const step = 'contract' as const;

export const up = async (): Promise<void> => undefined;

/** Rows cannot be made from records, so the last 30 days' reports would be stored once more if they came again. */
export const down = async (): Promise<void> => undefined;
