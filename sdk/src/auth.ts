import { AvowApiError, AvowError } from './errors.js';
import type { Credentials } from './options.js';
import type { Output } from './types.js';

/**
 * A token is not used in its last minute, in milliseconds: it must still be valid when the request arrives.
 */
const RESERVE = 60_000;

/** Supplies the bearer token: the given one, or one from a login that all concurrent calls share. */
export function createAuth(
  token: string | undefined,
  credentials: Credentials | undefined,
  steps: {
    login(account: { email: string; password: string }): Promise<unknown>;
    completeLogin(step: { challenge: string; code: string }): Promise<unknown>;
  },
) {
  let session: Output<'login'> | undefined;
  let pending: Promise<string> | undefined;

  async function renew(account: Credentials): Promise<string> {
    try {
      const answer = (await logIn(account)) as Output<'login'> | null | undefined;
      if (typeof answer?.token !== 'string') {
        throw new AvowError('login: the answer holds no token; check `baseUrl` and the proxies on the way');
      }
      session = answer;
      return session.token;
    } finally {
      pending = undefined;
    }
  }

  async function logIn({ email, password, code }: Credentials): Promise<unknown> {
    try {
      return await steps.login({ email, password });
    } catch (error) {
      const step = AvowApiError.isApiError(error) ? error.secondStep : undefined;
      if (step === undefined || code === undefined) throw error;
      return steps.completeLogin({
        challenge: step.challenge,
        code: await (typeof code === 'function' ? code() : code),
      });
    }
  }

  return {
    /** The token for the next request; undefined when the client has none. */
    async bearer(): Promise<string | undefined> {
      if (!credentials) return token;
      if (session && Date.parse(session.expires_at) - Date.now() > RESERVE) return session.token;
      pending ??= renew(credentials);
      return pending;
    },

    /** Forgets a token that was refused. Returns whether the client can get a new one. */
    refused(old: string): boolean {
      if (session?.token === old) session = undefined;
      return credentials !== undefined;
    },
  };
}
