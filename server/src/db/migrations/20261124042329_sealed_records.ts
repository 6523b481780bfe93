// From this step on every decision is written with what seals it: only programs that know the step do that. What was
// recorded without is sealed afterwards, as imported. There is nothing to take away.
export const step = 'contract' as const;

export const up = async (): Promise<void> => undefined;

export const down = async (): Promise<void> => undefined;
