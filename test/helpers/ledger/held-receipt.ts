import { verifyEvidence } from '../../../sdk/src/verify';

/** A receipt as the server gave it holds, and its change of a choice does not. */
export async function expectToHold(receipt: {
  purposes: { consent: string | null }[];
  recipients: { consent?: string }[];
  evidence: { keys: { vkey: string }[] };
}): Promise<void> {
  const trustedKeys = receipt.evidence.keys.map(({ vkey }) => vkey);
  const verdictOf = async (one: object) =>
    (await verifyEvidence(JSON.stringify(one), { trustedKeys })).verdict;
  expect(await verdictOf(receipt)).toBe('verified');
  for (const list of ['purposes', 'recipients'] as const) {
    const index = receipt[list].findIndex(({ consent }) => consent === 'given');
    if (index < 0) continue;
    const copy = structuredClone(receipt);
    (copy[list][index] as { consent: string }).consent = 'refused';
    expect(await verdictOf(copy)).toBe('failed');
  }
}
