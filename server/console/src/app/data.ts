import type { Avow, Item, Output, Schemas } from '@avow/sdk';
import {
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { toast } from '../ui/toast';
import { api, apiOfNow } from './api';
import { isConflict } from './errors';

/** The client of this server. */
export const useApi = (): Avow => api;

/** Query keys begin with their parent, so that a whole site or one resource can be invalidated. */
export const keys = {
  sites: ['sites'] as QueryKey,
  me: ['me'] as QueryKey,
  ownKeys: ['keys'] as QueryKey,
  factors: ['factors'] as QueryKey,
  sessions: ['sessions'] as QueryKey,
  /** All data of a site, or of one resource: `keys.site(token, 'dsar', id)`. */
  site: (token: string, ...rest: unknown[]): QueryKey => ['site', token, ...rest],
};

/** How often something is read again while it waits to be sealed, in milliseconds. */
const SEALING_MS = 5_000;

/** Reads one answer of the API; again while `isSealing` is true for it. */
export const useAnswer = <Answer>(
  key: QueryKey,
  ask: (api: Avow, signal: AbortSignal) => Promise<Answer>,
  options: {
    refetchInterval?: number | false;
    refetchOnWindowFocus?: boolean;
    enabled?: boolean;
    keep?: boolean;
    isSealing?: (answer: Answer) => boolean;
  } = {},
) => {
  const { keep, isSealing, ...rest } = options;
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(api, signal),
    ...(isSealing && {
      refetchInterval: ({ state: { data } }: { state: { data: Answer | undefined } }) =>
        data !== undefined && isSealing(data) ? SEALING_MS : false,
    }),
    ...(keep && { placeholderData: (previous: Answer | undefined) => previous as never }),
    ...rest,
  });
};

/** How often a list is read again while one of its rows is about to change, in milliseconds. */
const CHANGING_MS = 2_000;

interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}

/**
 * Reads a list page by page; `rows` holds the rows so far. Reads it again while `isChanging` is true for a
 * row.
 */
export function usePages<Row>(
  key: QueryKey,
  ask: (api: Avow, cursor: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
  { isChanging }: { isChanging?: (row: Row) => boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask(api, pageParam === '' ? {} : { cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page: Page<Row>) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      isChanging !== undefined && state.data?.pages.some(({ items }) => items.some(isChanging))
        ? CHANGING_MS
        : false,
  });
  return { ...query, rows: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

interface ActionOptions<Result> {
  /** The message after success; none where it says undefined. */
  success?: string | ((result: Result) => string | undefined);
  /** The keys of changed data, which are read again. */
  changes?: QueryKey[];
  onDone?: (result: Result) => void;
}

/**
 * An action that changes data. Give it to a `Form`, which shows errors at their fields, or run it from a
 * button. All of its calls are made for whoever ran it, or not at all.
 */
export function useAction<Input, Result>(
  call: (api: Avow, input: Input) => Promise<Result>,
  { success, changes = [], onDone }: ActionOptions<Result> = {},
) {
  const client = useQueryClient();
  const readAgain = () => Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
  const mutation = useMutation({
    mutationFn: (input: Input) => call(apiOfNow(), input),
    onSuccess: async (result) => {
      await readAgain();
      const said = typeof success === 'function' ? success(result) : success;
      if (said !== undefined) toast(said);
      onDone?.(result);
    },
    // Somebody else has changed the record: it is read again before the page says so; what was typed stays.
    onError: async (error) => {
      if (isConflict(error)) await readAgain();
    },
  });
  return { run: mutation.mutate, pending: mutation.isPending, error: mutation.error, reset: mutation.reset };
}

export type Action<Input> = Pick<ReturnType<typeof useAction<Input, unknown>>, 'run' | 'pending' | 'error'>;

export type Site = Schemas['Environment'];
export type Role = Schemas['Role'];
export type { Item, Output, Schemas };
