import type { Credentials } from './options.js';
import type { Output } from './types.js';

/** A token is not used in its last minute: it must outlive the request. */
const RESERVE = 60_000;

/** The source of the bearer token: given, or from a login that all concurrent calls share. */
export function createAuth(
  token: string | undefined,
  credentials: Credentials | undefined,
  login: (credentials: Credentials) => Promise<unknown>,
) {
  let session: Output<'login'> | undefined;
  let pending: Promise<string> | undefined;

  async function renew(by: Credentials): Promise<string> {
    try {
      session = (await login(by)) as Output<'login'>;
      return session.token;
    } finally {
      pending = undefined;
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

    /** Forgets a token that was refused; answers whether another one can be had. */
    refused(old: string): boolean {
      if (session?.token === old) session = undefined;
      return credentials !== undefined;
    },
  };
}
