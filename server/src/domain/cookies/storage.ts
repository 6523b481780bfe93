import type { StorageKind } from '../types';

const WORDS: Record<StorageKind, string> = {
  cookie: 'cookie',
  local_storage: 'local storage',
  session_storage: 'session storage',
  indexed_db: 'IndexedDB',
};

/** What is said behind the name of something that was found: its category, and where it is unless it is a cookie. */
export const inBrackets = ({ category, storage }: { category: string; storage?: StorageKind }): string =>
  storage === undefined || storage === 'cookie' ? category : `${category}, ${WORDS[storage]}`;
