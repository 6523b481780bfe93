/** A key of the contract as words in a sentence: `accept_all` → accept all. */
export const inWords = (key: string): string => key.replaceAll('_', ' ').replaceAll('.', ': ');
