import type { Knex } from 'knex';
import type { Context } from '../context';
import { ApiKeyRow, MemberRow } from '../db/models';
import { endedBefore, statusOf } from '../domain/api-keys';
import { clock } from '../domain/clock';
import { ValidationError } from '../domain/errors';
import { readNetwork } from '../net/address';
import { hashOfKey, newKey } from '../security/api-key';

/** A key and the site that it is bound to. */
export class ListedKey extends ApiKeyRow {
  site_token!: string | null;
  site_name!: string | null;
}

/** Keys with their sites, without those that have ended long ago. */
export function listedKeys(db: Knex) {
  const keys = ApiKeyRow.query(db)
    .leftJoin('environments', 'environments.id', 'api_keys.environment_id')
    .whereNull('environments.deleted_at')
    .whereRaw('coalesce(least(revoked_at, expires_at), ?) > ?', [clock.date(), endedBefore(clock.now())])
    .select('api_keys.*', 'environments.token AS site_token', 'environments.name AS site_name');
  return ListedKey.query(db).from(keys.as('api_keys'));
}

/** A key as it is shown: never its text, nor what is stored of it. */
export function keyView(row: ListedKey) {
  const { key_id, name, scopes, networks, replaced_by, used_on, used_from } = row;
  return {
    key_id,
    name,
    scopes,
    site: row.site_token === null ? null : { token: row.site_token, name: row.site_name as string },
    networks,
    status: statusOf(row),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used: used_on === null ? null : { day: used_on, ip_masked: used_from as string },
    replaced_by,
  };
}

/** Stores a new key; its text is in this answer only. */
export async function storeKey(
  { serverSecrets }: Context,
  trx: Knex,
  row: Pick<ApiKeyRow, 'user_id' | 'environment_id' | 'name' | 'scopes' | 'networks' | 'expires_at'>,
) {
  const secret = await serverSecrets.read('api_keys');
  const { id, text } = newKey(secret);
  const hash = hashOfKey(secret, text);
  await ApiKeyRow.query(trx).insert({ ...row, key_id: id, hash, created_at: clock.date() });
  const stored = await listedKeys(trx).findById(id).throwIfNotFound();
  return { ...keyView(stored), key: text };
}

/** Ends the keys of an account that work: all of them, or those that are bound to a site. */
export async function revokeKeysOf(trx: Knex, user_id: number, environment_id?: string): Promise<void> {
  const keys = ApiKeyRow.query(trx).where({ user_id, revoked_at: null });
  if (environment_id !== undefined) keys.where({ environment_id });
  await keys.patch({ revoked_at: clock.date() });
}

/** Throws 400 unless it is in the future. */
export function readEnd(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const end = new Date(text);
  if (end.getTime() <= clock.now())
    throw ValidationError.of('body.expires_at', 'must be in the future', 'future');
  return end;
}

/** Throws 400 for a text that is no network. */
export function readNetworks(networks: readonly string[] = []): string[] {
  networks.forEach((network, i) => {
    try {
      readNetwork(network);
    } catch {
      throw ValidationError.of(
        `body.networks[${i}]`,
        'must be a network such as 203.0.113.0/24 or 2001:db8::/48, or an address',
        'network',
      );
    }
  });
  return [...new Set(networks)];
}

/** Whether somebody is an owner of a site, or of any. */
export async function isOwner(db: Knex, userId: number, environmentId?: string): Promise<boolean> {
  const owned = MemberRow.query(db).where({ user_id: userId, role: 'owner' });
  if (environmentId !== undefined) owned.where({ environment_id: environmentId });
  return (await owned.first()) !== undefined;
}
