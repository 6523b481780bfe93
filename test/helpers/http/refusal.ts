import type { AvowApiError } from '@avow/sdk';

/** What a call is refused with; a call that succeeds fails the test. */
export async function refusal(call: Promise<unknown>): Promise<AvowApiError> {
  const [outcome] = await Promise.allSettled([call]);
  if (outcome?.status === 'rejected') return outcome.reason;
  throw new Error(`was not refused: ${JSON.stringify(outcome?.value)}`);
}

/** The places of a refusal, each once, in order. */
export const pathsOf = ({ errors }: Pick<AvowApiError, 'errors'>): string[] =>
  [...new Set(errors.map(({ path }) => path))].sort();
