import type { Knex } from 'knex';
import { lockKey } from '../db/key-lock';
import { ApiKeyRow, MemberRow, UserRow } from '../db/models';
import { readPage, SHAPE_KEY_ID, SHAPE_TIME } from '../db/paging';
import { SCOPE_SETS, statusOf } from '../domain/api-keys';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict, forbidden, notFound, ValidationError } from '../domain/errors';
import { HOUR_MS } from '../domain/time';
import type { Scope, ScopeSet } from '../domain/types';
import {
  isOwner,
  keyView,
  type ListedKey,
  listedKeys,
  readEnd,
  readNetworks,
  storeKey,
} from '../services/api-keys';
import type { Audit } from '../services/audit';
import { stayOwner } from '../services/owners';
import { authorise } from '../services/site-access';
import type { Handler } from './handler';

/** Keys of one account that work. */
const MAX_KEYS = 50;
/** The end of what the contract can say. */
const LATEST = Date.UTC(2099, 11, 31);

const inOrder = {
  order: ['created_at', 'key_id'] as const,
  direction: 'desc' as const,
  shapes: [SHAPE_TIME, SHAPE_KEY_ID],
};

export const listKeys: Handler<'listKeys'> = async ({ db }, { caller, query }) =>
  readPage({
    ...{ ...inOrder, ...{ limit: query.limit, cursor: query.cursor } },
    query: listedKeys(db).where({ user_id: caller.userId }),
    toItem: keyView,
  });

export const createKey: Handler<'createKey'> = async (context, { body, caller, trx, audit }) => {
  const site =
    body.site === undefined ? undefined : await authorise(trx, caller, { token: body.site }, 'owner');
  const environment_id = site?.environment.id ?? null;
  await lockAccount(trx, caller.userId);
  await refuseMany(trx, caller.userId);
  if (environment_id === null && !(await isOwner(trx, caller.userId)))
    throw forbidden('Only an owner of a site can make keys: ask an owner.');
  if (environment_id !== null) await stayOwner(trx, environment_id, caller.userId);
  const made = await storeKey(context, trx, {
    ...{ user_id: caller.userId, environment_id, name: body.name },
    scopes: scopesOf(body),
    networks: readNetworks(body.networks),
    expires_at: readEnd(body.expires_at),
  });
  audit.note({ environmentId: environment_id, changes: changesOf({}, grantsOf(made)) });
  return made;
};

/** What the audit trail tells of a key. */
const grantsOf = ({ name, scopes, networks, expires_at }: ReturnType<typeof keyView>) => ({
  ...{ name, scopes, networks, expires_at },
});

export const rotateKey: Handler<'rotateKey'> = async (context, { params, body, caller, trx, audit }) => {
  await lockAccount(trx, caller.userId);
  const { environment_id } = await rotatable(ownKey(trx, params.key_id, caller.userId));
  // The membership before the key, as those do who end a member's keys.
  if (environment_id !== null) {
    await authorise(trx, caller, { id: environment_id }, 'owner');
    await stayOwner(trx, environment_id, caller.userId);
  }
  const old = await rotatable(ownKey(trx, params.key_id, caller.userId).forUpdate());
  await refuseMany(trx, caller.userId, old.key_id);
  const now = clock.now();
  const { user_id, name, scopes, networks } = old;
  const lifetime = old.expires_at === null ? undefined : old.expires_at.getTime() - old.created_at.getTime();
  const next = lifetime === undefined ? null : new Date(Math.min(now + lifetime, LATEST));
  const expires_at = body.expires_at === undefined ? next : readEnd(body.expires_at);
  const made = await storeKey(context, trx, {
    ...{ user_id, environment_id, name, scopes, networks, expires_at },
  });
  const end = new Date(now + (body.overlap_hours ?? 24) * HOUR_MS);
  const isEarlier = old.expires_at === null || end < old.expires_at;
  // A key for one site is that site's matter, one for all of them the account's.
  const grants = { expires_at: old.expires_at?.toISOString() ?? null };
  audit.note({
    environmentId: environment_id,
    changes: changesOf(grants, {
      ...{ replaced_by: made.key_id, expires_at: expires_at?.toISOString() ?? null },
      ...(isEarlier && { ends_at: end.toISOString() }),
    }),
  });
  // What it has begun is committed before this is answered, or not at all.
  if (isEarlier && end.getTime() <= now) await lockKey(trx, old.key_id, 'end');
  await old.$query(trx).patch({ replaced_by: made.key_id, ...(isEarlier ? { expires_at: end } : {}) });
  return made;
};

const ownKey = (trx: Knex, key_id: string, user_id: number) =>
  ApiKeyRow.query(trx).findOne({ key_id, user_id });

/** A key that can be replaced. Throws 404 and 409. */
async function rotatable(key: PromiseLike<ApiKeyRow | undefined>): Promise<ApiKeyRow> {
  const row = await key;
  if (row === undefined) throw notFound('This key');
  if (row.replaced_by !== null)
    throw conflict(`This key was replaced by ${row.replaced_by} already: rotate that one.`);
  if (statusOf(row) !== 'active') throw conflict('This key works no more: make a new one.');
  return row;
}

export const revokeKey: Handler<'revokeKey'> = async (_context, { params, caller, trx, audit }) => {
  const row = await ownKey(trx, params.key_id, caller.userId).forUpdate();
  if (row === undefined) throw notFound('This key');
  return revoke(trx, row, audit);
};

export const listSiteKeys: Handler<'listSiteKeys'> = async ({ db }, { environment, query, caller }) => {
  // A new query each time: a page of several parts asks for it once for each.
  const owners = () =>
    MemberRow.query(db).where({ environment_id: environment.id, role: 'owner' }).select('user_id');
  return readPage({
    ...{ ...inOrder, ...{ limit: query.limit, cursor: query.cursor } },
    query: listedKeys(db).where((reaching) =>
      reaching
        .where('environment_id', environment.id)
        .orWhere((general) => general.whereNull('environment_id').whereIn('user_id', owners())),
    ),
    toItem: async (row: ListedKey) => {
      const { id: user_id, name, email } = await UserRow.query(db).findById(row.user_id).throwIfNotFound();
      // What their key is for elsewhere is its maker's business.
      const isForElsewhere = row.environment_id === null && user_id !== caller.userId;
      const hidden = isForElsewhere ? { name: null, networks: [], last_used: null } : {};
      return { ...keyView(row), ...hidden, made_by: { user_id, name, email } };
    },
  });
};

export const revokeSiteKey: Handler<'revokeSiteKey'> = async (
  _context,
  { params, environment, caller, trx, audit },
) => {
  const row = await ApiKeyRow.query(trx).findById(params.key_id).forUpdate();
  if (row?.environment_id === environment.id) return revoke(trx, row, audit);
  const reaches = row?.environment_id === null && (await isOwner(trx, row.user_id, environment.id));
  if (row === undefined || !reaches) throw notFound('This key');
  if (row.user_id === caller.userId) return revoke(trx, row, audit);
  throw conflict(
    'This key reaches other sites of its maker too: ask them to revoke it, or change their role here, which ends it for this site.',
  );
};

async function revoke(trx: Knex, row: ApiKeyRow, audit: Audit) {
  // One for all sites is a matter of the account, whoever asks for its end.
  audit.note({ environmentId: row.environment_id });
  const revoked_at = row.revoked_at ?? clock.date();
  await lockKey(trx, row.key_id, 'end');
  if (row.revoked_at === null) await row.$query(trx).patch({ revoked_at });
  else audit.nothingChanged();
  return { key_id: row.key_id, revoked_at: revoked_at.toISOString() };
}

/**
 * Makes requests of one account wait for each other, and for what ends all of its keys. Before any lock of a key, as
 * there, so that no two wait for each other.
 */
async function lockAccount(trx: Knex, userId: number): Promise<void> {
  await UserRow.query(trx).findById(userId).forNoKeyUpdate().throwIfNotFound();
}

/** Throws 409 for too many besides one. */
async function refuseMany(trx: Knex, userId: number, without = ''): Promise<void> {
  const working = await ApiKeyRow.query(trx)
    .where({ user_id: userId, revoked_at: null })
    .whereNot({ key_id: without })
    .where((rows) => rows.whereNull('expires_at').orWhere('expires_at', '>', clock.date()))
    .resultSize();
  if (working >= MAX_KEYS)
    throw conflict(`An account has at most ${MAX_KEYS} keys that work: revoke those that nobody uses.`);
}

function scopesOf({ scopes = [], set }: { scopes?: Scope[]; set?: ScopeSet }): Scope[] {
  const all = [...new Set([...scopes, ...(set === undefined ? [] : SCOPE_SETS[set])])];
  if (all.length === 0)
    throw ValidationError.of('body.scopes', 'is required unless set is given', 'required');
  return all.sort();
}
