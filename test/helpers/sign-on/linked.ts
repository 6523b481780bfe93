import { randomUUID } from 'node:crypto';
import { PasskeyRow } from '../../../server/src/db/models';
import { clientOf, refused } from '../second-factor';
import { startServer } from '../server';
import { startProvider } from './provider';
import { linkTo, signOn } from './walk';

export const EVIL = { provider: 'evil' };
export const WANTS_PROOF = expect.objectContaining({ status: 403, code: 'reauthentication_required' });
export type Linked = Awaited<ReturnType<typeof startLinked>>;

/** A server with the providers `acme` and `evil`, and people of `evil` there. */
export async function startLinked() {
  const [acme, evil] = await Promise.all([startProvider(), startProvider()]);
  const access = { OIDC_ACME_ACCESS: 'account staff', OIDC_EVIL_ACCESS: 'account staff' };
  const server = await startServer({
    variables: {
      ...{ OIDC_PROVIDERS: 'acme,evil', ...access },
      ...acme.variables('acme'),
      ...evil.variables('evil'),
    },
  });
  const { context } = server.service;
  // Passkeys are for names, not for addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  context.config.publicUrl = url;
  await Promise.all([acme.register('acme', { url }), evil.register('evil', { url })]);
  const as = (token: string) => clientOf(server, token);

  /** Somebody with a password, to whose account somebody of `evil` is linked. */
  async function linkedPerson() {
    const person = await server.person();
    const login = randomUUID();
    await linkTo(person.client, login, EVIL);
    return { ...person, login };
  }

  /** Logs in at `evil`, and then with a second factor. */
  async function secondStepAt(login: string, proof: (asked: { nonce: string }) => object) {
    const { secondStep } = await refused(signOn(server.visitor, login, EVIL));
    const { challenge = '', passkey } = secondStep ?? {};
    const body = { challenge, ...proof({ nonce: passkey?.nonce ?? '' }) };
    return as((await server.visitor.completeLogin({ body })).token);
  }

  /** Somebody of `evil` whom nobody knows by another way. */
  async function withoutPassword() {
    const login = randomUUID();
    const session = await signOn(server.visitor, login, EVIL);
    return { login, session, client: as(session.token) };
  }

  /** As a browser would have added it. */
  async function givePasskey(user_id: number): Promise<string> {
    const passkey_id = randomUUID();
    await PasskeyRow.query(context.db).insert({
      ...{ passkey_id, user_id, credential_id: randomUUID() },
      ...{ public_key: Buffer.from('key'), user_handle: 'aGFuZGxl', counter: '0', transports: [] },
      ...{ synced: false, name: 'Phone', created_at: new Date(), used_on: null },
    });
    return passkey_id;
  }

  const stop = async () => {
    await server.stop();
    await Promise.all([acme.stop(), evil.stop()]);
  };
  return { acme, server, linkedPerson, secondStepAt, withoutPassword, givePasskey, stop };
}
