import type { OperationId } from '../../../server/src/contract/operations';
import { codeHash } from '../../../server/src/services/accounts';
import { authenticatorOf } from '../authenticator';
import { clientOf as clientWith, codeNow, refused } from '../second-factor';
import { PASSWORD, type TestServer } from '../server';

interface Person {
  bearer: string;
  userId: number;
  email: string;
}

/** What differs from the example of the contract. */
interface Different {
  body?: object;
  path?: Record<string, string>;
  ofSite?: boolean;
  anonymous?: boolean;
  bearer?: string;
}

/** The account of a site's owner with an authenticator app, and a token that counts. */
async function withApp(server: TestServer, { bearer }: Person) {
  const client = clientWith(server, bearer);
  const { secret } = await client.beginTotp();
  const { session } = await client.confirmTotp({ body: { code: codeNow(secret, -1) } });
  return { secret, bearer: session.token };
}

/** The same with a passkey. */
async function withPasskey(server: TestServer, { bearer }: Person) {
  const client = clientWith(server, bearer);
  const device = authenticatorOf(server);
  const { challenge, nonce } = await client.beginPasskey();
  const body = { challenge, name: 'a laptop', ...device.make(nonce) };
  const { session } = await client.addPasskey({ body });
  return { device, bearer: session.token };
}

/** The code of a link that was mailed. */
async function mailedCode(server: TestServer, user_id: number, purpose: string): Promise<string> {
  const code = `${purpose}${user_id}`.padEnd(43, 'A');
  const now = Date.now();
  const times = { created_at: new Date(now), expires_at: new Date(now + 60_000) };
  await server.service.context
    .db('mailed_links')
    .insert({ code_hash: codeHash(code), user_id, purpose, ...times });
  return code;
}

/** The states that operations of signing in need before they can succeed. */
export const SIGN_IN: { [Id in OperationId]?: (server: TestServer, site: Person) => Promise<Different> } = {
  completeLogin: async (server, site) => {
    const { secret } = await withApp(server, site);
    const { email } = site;
    const error = await refused(server.visitor.login({ body: { email, password: PASSWORD } }));
    const challenge = error.secondStep?.challenge;
    return { body: { challenge, code: codeNow(secret) }, anonymous: true, ofSite: false };
  },
  loginWithPasskey: async (server, site) => {
    const { device } = await withPasskey(server, site);
    const { challenge, nonce } = await server.visitor.beginPasskeyLogin();
    return { body: { challenge, passkey: device.answer(nonce) }, anonymous: true, ofSite: false };
  },
  requestPasswordReset: async (_, { email }) => ({ body: { email }, anonymous: true, ofSite: false }),
  resetPassword: async (server, { userId }) => ({
    body: { code: await mailedCode(server, userId, 'password'), password: 'quite another horse' },
    ...{ anonymous: true, ofSite: false },
  }),
  verifyEmail: async (server, { userId }) => ({
    body: { code: await mailedCode(server, userId, 'address') },
    ofSite: false,
  }),
  requestEmailVerification: async (server, { userId }) => {
    await server.service.context.db('users').where({ id: userId }).update({ email_verified_at: null });
    return {};
  },
  reauthenticate: async () => ({ body: { password: PASSWORD } }),
  confirmTotp: async (server, { bearer }) => {
    const { secret } = await clientWith(server, bearer).beginTotp();
    return { body: { code: codeNow(secret) } };
  },
  removeTotp: async (server, site) => ({ bearer: (await withApp(server, site)).bearer }),
  renewRecoveryCodes: async (server, site) => ({ bearer: (await withApp(server, site)).bearer }),
  setSecondFactorRule: async (server, site) => ({ bearer: (await withApp(server, site)).bearer }),
  addPasskey: async (server, { bearer }) => {
    const { challenge, nonce } = await clientWith(server, bearer).beginPasskey();
    return { body: { challenge, name: 'a laptop', ...authenticatorOf(server).make(nonce) } };
  },
  renamePasskey: async (server, site) => {
    const { bearer } = await withPasskey(server, site);
    const [passkey] = (await clientWith(server, bearer).getSecondFactors()).passkeys;
    return { bearer, path: { passkey_id: passkey?.passkey_id as string } };
  },
  removePasskey: async (server, site) => {
    const { bearer } = await withPasskey(server, site);
    const [passkey] = (await clientWith(server, bearer).getSecondFactors()).passkeys;
    return { bearer, path: { passkey_id: passkey?.passkey_id as string } };
  },
  endSession: async (server, { bearer, email }) => {
    await server.visitor.login({ body: { email, password: PASSWORD } });
    const { items } = await clientWith(server, bearer).listSessions();
    return { path: { login_session_id: items.find(({ current }) => !current)?.login_session_id as string } };
  },
};
