import { jwtVerify } from 'jose';
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Context } from '../../context';
import { type IdentityRow, LoginSessionRow, ProviderSessionRow } from '../../db/models';
import { changesOf } from '../../domain/audit';
import { clock } from '../../domain/clock';
import { type ApiError, unauthorized } from '../../domain/errors';
import { FairTurns } from '../../domain/fair-turns';
import type { Claims } from '../../security/tokens';
import { rowOf, type Vault } from '../../security/vault';
import type { Audit } from '../audit';
import { ID } from './claims';
import { refusalOf } from './failures';
import { ALGORITHMS, clientOf } from './prove';
import { patience, TOLERANCE } from './provider-client';
import { TurnsByProvider } from './turns-by-provider';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Sessions that one logout token ends. */
const AT_ONCE = 1_000;
/** Anybody may claim to be a provider, so that they wait for each other. */
const CHECKS = new TurnsByProvider(() => new FairTurns(4, { each: 20, all: 100, wait: 4_000 }));

/** A log-out here: where the browser goes to log out at the provider, too. */
export async function endProviderSession(
  trx: Knex,
  vault: Vault,
  token_hash: Buffer,
): Promise<string | undefined> {
  const [session] = await ProviderSessionRow.query(trx).delete().where({ token_hash }).returning('*');
  if (session === undefined || session.logout_url === null) return undefined;
  const { logout_url, user_id, issuer } = session;
  const drawer = vault.of('log-out at a provider');
  // Not by the hash of the session, which becomes another one after a second step.
  const row = rowOf(user_id, issuer);
  return drawer.opens(logout_url, row) ? drawer.open(logout_url, row) : undefined;
}

/** Whose sessions a provider ends, and until when they had begun: a token that is sent again ends no later ones. */
interface Ended {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  at: Date;
}

/** Checks a logout token (OpenID Connect Back-Channel Logout 1.0 § 2.6). Throws 401, 404 and 503. */
export async function readLogoutToken(
  context: Context,
  id: string,
  token: string,
  address: string,
): Promise<Ended> {
  const client = clientOf(context, id);
  const { provider } = client;
  try {
    return await CHECKS.take(id, address, async () => {
      const metadata = (await client.configuration(patience())).serverMetadata();
      const { payload } = await jwtVerify(token, client.keysOf(metadata, 'strangers'), {
        ...{ issuer: metadata.issuer, audience: provider.clientId, algorithms: ALGORITHMS },
        ...{ clockTolerance: TOLERANCE, currentDate: clock.date(), maxTokenAge: 600 },
        requiredClaims: ['iat', 'jti', 'events'],
      });
      const { events, nonce, sub, sid, iat = 0, iss = '' } = payload;
      const isOne = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT);
      const [subject, session] = [idOf(sub), idOf(sid)];
      if (!isOne || nonce !== undefined || (subject ?? session) === undefined) throw noToken(provider.name);
      return { issuer: iss, subject, sid: session, at: new Date((iat + TOLERANCE) * 1000) };
    });
  } catch (error) {
    throw refusalOf(error, provider, context.log);
  }
}

const idOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && ID.test(claim) ? claim : undefined;

const noToken = (name: string): ApiError =>
  unauthorized(`This is no logout token of ${name} for this server.`);

/** Ends the sessions, each with an event in the trail of its account. */
export async function endSessionsOf(
  trx: Knex,
  { issuer, subject, sid, at }: Ended,
  provider: string,
  audit: Audit,
) {
  const those = () =>
    ProviderSessionRow.query(trx)
      .where({ issuer, ...(subject !== undefined && { subject }), ...(sid !== undefined && { sid }) })
      .where('begun_at', '<=', at);
  // The accounts first, as whoever takes the place of a session does: then none begins that is not seen here.
  const accounts = (await those().distinct('user_id')).map(({ user_id }) => user_id);
  await trx('users').whereIn('id', accounts).orderBy('id').select('id').forNoKeyUpdate();
  const users = await endAll(trx, () => those().whereIn('user_id', accounts));
  let receipt = audit.unchanged();
  for (const userId of new Set(users))
    receipt = await audit.write(trx, { userId, changes: changesOf({ logged_in_by: provider }, {}) });
  return { sessions: users.length, receipt };
}

/** Ends the sessions of an account that began at a provider account which is no longer linked to it, but for one of them. */
export async function endOthersOf(
  trx: Knex,
  { user_id, issuer, subject }: IdentityRow,
  { tokenHash }: Claims,
): Promise<void> {
  await endAll(trx, () =>
    ProviderSessionRow.query(trx).where({ user_id, issuer, subject }).whereNot({ token_hash: tokenHash }),
  );
}

/** Ends sessions, of which a person may have prepared any number; returns of whom, one for each. */
async function endAll(trx: Knex, those: () => QueryBuilder<ProviderSessionRow>): Promise<number[]> {
  const users: number[] = [];
  for (;;) {
    const some = await those().orderBy('token_hash').limit(AT_ONCE).forUpdate();
    if (some.length === 0) return users;
    const ended = some.map(({ token_hash, expires_at }) => ({ token_hash, expires_at }));
    await trx('ended_sessions').insert(ended).onConflict('token_hash').ignore();
    const hashes = ended.map(({ token_hash }) => token_hash);
    await ProviderSessionRow.query(trx).delete().whereIn('token_hash', hashes);
    await LoginSessionRow.query(trx).delete().whereIn('token_hash', hashes);
    users.push(...some.map(({ user_id }) => user_id));
  }
}
