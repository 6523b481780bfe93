/** A key of the contract as it reads in a sentence: `accept_all` → accept all. */
export const inWords = (key: string): string => key.replaceAll('_', ' ').replaceAll('.', ': ');
