import { type Avow, AvowApiError, createAvow } from '@avow/sdk';
import { elsewhere, question } from './question';
import { session } from './session';

type AnyCall = (input?: unknown, options?: unknown) => Promise<unknown>;
/** Throws when a call may not be made, or its answer not be used, by whoever is there now. */
type Check = () => void;

/** Operations whose 401 is about their input, not about the session. */
const OWN_401 = [
  ...['login', 'acceptInvitation', 'completeLogin', 'loginWithPasskey'],
  ...['finishSignOn', 'proveLink'],
];
/** A log-in at a provider, however recent, does not permit these: they need the account's own password or passkey, if it has one. */
const OWN_PROOF = [
  ...['beginLink', 'proveLink', 'finishLink', 'unlinkIdentity'],
  ...['beginPasskey', 'addPasskey', 'removePasskey'],
  ...['beginTotp', 'confirmTotp', 'removeTotp', 'renewRecoveryCodes'],
];

const plain = createAvow({ baseUrl: location.origin });
let cached: { token: string | undefined; client: Avow } | undefined;

function client(): Avow {
  const token = session.get()?.token;
  if (cached === undefined || cached.token !== token) {
    cached = { token, client: createAvow({ baseUrl: location.origin, token }) };
  }
  return cached.client;
}

function withSession(operation: string, check: Check): AnyCall {
  const call: AnyCall = async (input, options) => {
    check();
    const answer = await (client()[operation as keyof Avow] as AnyCall)(input, options);
    check();
    return answer;
  };
  return async (input, options) => {
    const before = session.get();
    try {
      return await call(input, options);
    } catch (error) {
      const isRefused = isRefusal(error) && !OWN_401.includes(operation);
      if (before === undefined || !(isRefused || wantsProof(error))) throw error;
      // Who is logged in now may be somebody else, in whose name nobody has asked for this.
      const current = () => {
        const now = session.get();
        if (now?.user.id !== before.user.id) throw error;
        return now;
      };
      const now = current();
      // Another call may have renewed the session in the meantime.
      const isRenewed = isRefused && now.token !== before.token;
      if (isRenewed && !question.hasRenewed()) throw elsewhere();
      const proof = OWN_PROOF.includes(operation) ? 'own proof' : 'proof';
      if (!isRenewed)
        await question.ask(isRefused ? 'login' : proof, now).catch((reason) => {
          throw reason ?? error;
        });
      current();
      return call(input, options);
    }
  };
}

/** The log-in is too old for what was asked. */
const wantsProof = (error: unknown): boolean =>
  AvowApiError.isApiError(error) && error.code === 'reauthentication_required';

const isRefusal = (error: unknown): boolean => AvowApiError.isApiError(error) && error.status === 401;

/** What belongs together is done by whoever is there when it begins, to its end. */
function sameAsNow(): Check {
  const begunBy = session.get()?.user.id;
  return () => {
    if (session.get()?.user.id !== begunBy) throw new Error(CHANGED);
  };
}

const CHANGED = 'Who is logged in has changed in the meantime, so this was not finished.';

/** With `each` where the SDK has it: all items of a list, page by page, with the session's token for each page. */
const method = (operation: string, check?: Check) =>
  Object.assign(
    withSession(operation, check ?? (() => undefined)),
    'each' in plain[operation as keyof Avow] && {
      async *each(input: object = {}, options?: unknown): AsyncGenerator<unknown> {
        const list = withSession(operation, check ?? sameAsNow());
        let cursor: string | null | undefined;
        do {
          const page = (await list({ ...input, ...(cursor && { cursor }) }, options)) as {
            items: unknown[];
            next_cursor: string | null;
          };
          yield* page.items;
          cursor = page.next_cursor;
        } while (cursor);
      },
    },
  );

const methods = (check?: Check): Avow =>
  Object.fromEntries(Object.keys(plain).map((operation) => [operation, method(operation, check)])) as never;

/**
 * The client of this server, with the session's token. When the token has expired, or the log-in is too old for
 * the call, a dialog asks who is there, and the call is repeated.
 */
export const api: Avow = methods();

/** The same for calls that belong together: they are refused as soon as somebody else is logged in. */
export const apiOfNow = (): Avow => methods(sameAsNow());
