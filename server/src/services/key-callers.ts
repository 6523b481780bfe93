import type { Knex } from 'knex';
import type { Context } from '../context';
import { groupOf } from '../db/account-groups';
import { lockKey } from '../db/key-lock';
import { ApiKeyRow, type UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { unauthorized } from '../domain/errors';
import { patienceOfOwners } from '../domain/fair-turns';
import { maskAddress } from '../domain/mask';
import { readAddress, readNetwork } from '../net/address';
import { logFailure } from '../observability/failures';
import { idOfKey, isHashOf, isOwnKey, looksLikeKey } from '../security/api-key';

type Found = ApiKeyRow &
  Pick<UserRow, 'email' | 'sponsor_id' | 'by_invited' | 'was_claimed' | 'second_factor_since'> & {
    user_name: string;
    user_created_at: Date;
  };

const noKey = () => unauthorized('This API key does not work: it is wrong, revoked or expired.');

/**
 * The maker of an API key, for whom it acts; undefined for another kind of bearer token. What this server never made
 * costs no connection. Throws 401.
 */
export async function callerOfKey(
  context: Context,
  text: string,
  address: string,
  inTurn: <Result>(id: string, look: () => Promise<Result>) => Promise<Result>,
) {
  if (!looksLikeKey(text)) return undefined;
  const { db, serverSecrets } = context;
  const id = idOfKey(text);
  if (id === undefined) throw noKey();
  const secret = await serverSecrets.read('api_keys');
  if (!isOwnKey(secret, text)) throw noKey();
  const found = await inTurn(id, () => find(db, id));
  if (found === undefined || !isHashOf(found.hash, secret, text)) throw noKey();
  const now = clock.now();
  if (hasExpired(found)) throw unauthorized('This API key has expired: take a new one.');
  if (!isInside(found.networks, address))
    throw unauthorized('This API key may be used from other networks only: its owner has named them.');
  const { user_id: userId, user_name: name, email, user_created_at: createdAt } = found;
  const group = groupOf({ ...found, id: userId });
  return {
    ...{ userId, name, email, createdAt, group, byInvited: found.by_invited },
    patience: patienceOfOwners(),
    hasSecondFactor: found.second_factor_since !== null,
    key: { id, scopes: found.scopes, environmentId: found.environment_id, usedOn: found.used_on },
    session: {
      ...{ userId, issuedAt: now, authenticatedAt: now, secondFactor: false, ownProof: false, sessionId: '' },
      ...{ tokenHash: found.hash, expiresAt: found.expires_at ?? new Date(now) },
    },
  };
}

/** A key that works still, and goes on to do so until the transaction has ended. Throws 401. */
export async function stayKey(trx: Knex, id: string): Promise<void> {
  await lockKey(trx, id, 'use');
  const found = await find(trx, id);
  if (found === undefined || hasExpired(found)) throw noKey();
}

const find = async (db: Knex, key_id: string): Promise<Found | undefined> =>
  (await ApiKeyRow.query(db)
    .join('users', 'users.id', 'api_keys.user_id')
    .findOne({ key_id, revoked_at: null, 'users.disabled_at': null })
    .select('api_keys.*', 'email', 'sponsor_id', 'by_invited', 'was_claimed', 'second_factor_since')
    .select('users.name AS user_name')
    .select('users.created_at AS user_created_at')) as Found | undefined;

const hasExpired = ({ expires_at }: Found): boolean =>
  expires_at !== null && expires_at.getTime() <= clock.now();

function isInside(networks: readonly string[], text: string): boolean {
  if (networks.length === 0) return true;
  const address = readAddress(text);
  return address !== undefined && networks.some((network) => readNetwork(network)(address));
}

/** The day is enough to find keys that nobody uses, and costs one write a day. A request does not fail for it. */
export async function noteUse(
  { db, log }: Context,
  { id, usedOn }: { id: string; usedOn: string | null },
  address: string,
  inTurn: <Done>(note: () => Promise<Done>) => Promise<Done>,
): Promise<void> {
  const today = clock.date().toISOString().slice(0, 10);
  if (usedOn === today) return;
  try {
    await inTurn(async () => {
      await ApiKeyRow.query(db)
        .patch({ used_on: today, used_from: maskAddress(address) })
        .where({ key_id: id })
        // Of several at once the first one counts.
        .where((rows) => rows.whereNull('used_on').orWhere('used_on', '<', today));
    });
  } catch (error) {
    logFailure(log, 'warn', { error, key: id }, 'the last use of an API key was not noted');
  }
}
