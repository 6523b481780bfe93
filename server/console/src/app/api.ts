import { type Avow, AvowApiError, createAvow } from '@avow/sdk';
import { askToLogIn } from './relogin';
import { askToProve } from './reproof';
import { type Session, session } from './session';

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
    // Who is logged in now may be somebody else, in whose name nobody has asked for this.
    const isTheirs = (): boolean => before !== undefined && session.get()?.user.id === before.user.id;
    try {
      return await call(input, options);
    } catch (error) {
      const refuse = (): never => {
        throw error;
      };
      if (!isTheirs()) refuse();
      if (wantsProof(error)) await askToProve().catch(refuse);
      else if (!isRefusal(error) || OWN_401.includes(operation)) refuse();
      // Else another call has renewed the session in the meantime.
      else if (session.get()?.token === before?.token) await askToLogIn(before as Session).catch(refuse);
      return isTheirs() ? call(input, options) : refuse();
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
    const user = session.get()?.user.id;
    let cursor: string | null | undefined;
    do {
      if (session.get()?.user.id !== user)
        throw new Error('Somebody else has logged in: read the list again.');
      const page = (await list({ ...input, ...(cursor && { cursor }) })) as {
        items: unknown[];
        next_cursor: string | null;
      };
      yield* page.items;
      cursor = page.next_cursor;
    } while (cursor);
  };
}
