import { type Avow, AvowApiError, createAvow } from '@avow/sdk';
import { relogin, reproof } from './question';
import { session } from './session';

type AnyCall = (input?: unknown, options?: unknown) => Promise<unknown>;

/** Operations whose 401 is about their input, not about the session. */
const OWN_401 = [
  ...['login', 'acceptInvitation', 'completeLogin', 'loginWithPasskey'],
  ...['finishSignOn', 'finishLink'],
];

let cached: { token: string | undefined; client: Avow } | undefined;

function client(): Avow {
  const token = session.get()?.token;
  if (cached === undefined || cached.token !== token) {
    cached = { token, client: createAvow({ baseUrl: location.origin, token }) };
  }
  return cached.client;
}

function withSession(operation: string): AnyCall {
  const call: AnyCall = (input, options) => (client()[operation as keyof Avow] as AnyCall)(input, options);
  return async (input, options) => {
    const before = session.get();
    try {
      return await call(input, options);
    } catch (error) {
      const isRefused = isRefusal(error) && !OWN_401.includes(operation);
      if (before === undefined || !(isRefused || wantsProof(error))) throw error;
      // Who is logged in now may be somebody else, in whose name nobody has asked for this.
      const refuseOthers = (): void => {
        if (session.get()?.user.id !== before.user.id) throw error;
      };
      refuseOthers();
      // Another call may have renewed the session in the meantime.
      if (!isRefused || session.get()?.token === before.token)
        await (isRefused ? relogin : reproof).ask(session.get() ?? before).catch(() => {
          throw error;
        });
      refuseOthers();
      return call(input, options);
    }
  };
}

/** The log-in is too old for what was asked. */
const wantsProof = (error: unknown): boolean =>
  AvowApiError.isApiError(error) && error.code === 'reauthentication_required';

const isRefusal = (error: unknown): boolean => AvowApiError.isApiError(error) && error.status === 401;

/**
 * The client of this server, with the session's token. When the token has expired, or the log-in is too old for
 * the call, a dialog asks who is there, and the call is repeated.
 */
export const api: Avow = Object.fromEntries(
  Object.entries(createAvow({ baseUrl: location.origin })).map(([operation, method]) => [
    operation,
    Object.assign(withSession(operation), 'each' in method ? { each: eachOf(operation) } : {}),
  ]),
) as unknown as Avow;

/** Iterates over all items of a list, page by page, with the session's token for each page. */
function eachOf(operation: string) {
  return async function* (input: object = {}): AsyncGenerator<unknown> {
    const list = withSession(operation);
    let cursor: string | null | undefined;
    do {
      const page = (await list({ ...input, ...(cursor && { cursor }) })) as {
        items: unknown[];
        next_cursor: string | null;
      };
      yield* page.items;
      cursor = page.next_cursor;
    } while (cursor);
  };
}
