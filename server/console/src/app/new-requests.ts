import { keys, useAnswer } from './data';

/** As many new requests as are shown; there may be more. */
export const MOST_NEW = 20;
const MINUTE = 60_000;

/** Requests of data subjects that nobody has begun to work on, by deadline; followed while the page is open. */
export const useNewRequests = (token: string) =>
  useAnswer(
    keys.site(token, 'dsar', 'new'),
    (api, signal) =>
      api.listDsar({ token, status: 'created', order: 'deadline', limit: MOST_NEW }, { signal }),
    { refetchInterval: MINUTE },
  );

/** How many there are, as text. */
export const amountOf = ({ items, next_cursor }: { items: unknown[]; next_cursor: string | null }): string =>
  `${items.length}${next_cursor === null ? '' : '+'}`;
