import { keys, useAnswer } from './data';

/** The maximum number of new requests that are shown; there may be more. */
export const MAX_NEW = 20;
const MINUTE = 60_000;

/**
 * Data-subject requests that nobody has started to work on, by deadline. Read again every minute while the
 * page is open.
 */
export const useNewRequests = (token: string) =>
  useAnswer(
    keys.site(token, 'dsar', 'new'),
    (api, signal) =>
      api.listDsar({ token, status: 'created', order: 'deadline', limit: MAX_NEW }, { signal }),
    { refetchInterval: MINUTE },
  );

/** The number of items, as text: `20+` if there are more. */
export const amountOf = ({ items, next_cursor }: { items: unknown[]; next_cursor: string | null }): string =>
  `${items.length}${next_cursor === null ? '' : '+'}`;
