import { type AvowApiError, createAvow } from '@avow/sdk';
import { Secret, TOTP } from 'otpauth';
import { clock } from '../../server/src/domain/clock';
import { checkedFetch } from './contract';
import type { Client, TestServer } from './server';

/** A client with a bearer token. */
export const clientOf = (server: Pick<TestServer, 'url'>, token: string): Client =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });

/** The code that an app shows now, or so many steps of 30 seconds later. */
export const codeNow = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() + later * 30_000 });

/** Adds an authenticator app, and goes on with it. */
export async function addApp(server: Pick<TestServer, 'url'>, client: Client) {
  const { secret } = await client.beginTotp();
  // Of the step before, so that tests have two codes more that nobody has used.
  const confirm = () => client.confirmTotp({ body: { code: codeNow(secret, -1) } });
  // That step may end on the way.
  const { session, recovery_codes = [] } = await confirm().catch(confirm);
  return { client: clientOf(server, session.token), secret, codes: recovery_codes, session };
}

/** Somebody with an authenticator app, logged in with it. */
export async function personWithApp(server: TestServer) {
  const { client, userId, email } = await server.person();
  return { userId, email, ...(await addApp(server, client)) };
}

/** What a call was refused with. */
export const refused = (call: Promise<unknown>): Promise<AvowApiError> =>
  call.then(
    () => {
      throw new Error('it was not refused');
    },
    (error) => error,
  );
