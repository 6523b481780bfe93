import type { Knex } from 'knex';
import type { Context } from '../context';
import { clock } from '../domain/clock';
import { conflict } from '../domain/errors';
import { DAY_MS } from '../domain/time';

/** The environment of requests that belong to none. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** A request that may be a repetition. */
export interface Repeatable {
  environmentId: string | undefined;
  /** Who sends what: a key of one person or operation never meets another's. */
  scope: string;
  key: string;
  bodyHash: string;
}

interface KeyRow {
  body_hash: Buffer;
  answer: Buffer | null;
}

/**
 * Runs the work in a transaction and keeps its answer for 24 hours under the key; a repetition gets that
 * answer and does nothing. Answers are encrypted, because they can hold personal data and secrets. Of two
 * concurrent requests the second waits for the first one's commit.
 */
export const once = <Data>(
  { db, vault }: Context,
  repeatable: Repeatable | undefined,
  work: (trx: Knex.Transaction) => Promise<Data>,
): Promise<Data> =>
  db.transaction((trx) =>
    repeatable === undefined ? work(trx) : underKey(trx, vault, repeatable, () => work(trx)),
  );

async function underKey<Data>(
  trx: Knex.Transaction,
  vault: Context['vault'],
  { environmentId = NIL, scope, key, bodyHash }: Repeatable,
  work: () => Promise<Data>,
): Promise<Data> {
  const where = { environment_id: environmentId, scope, key };
  const claimed = await trx('idempotency_keys')
    .insert({
      ...where,
      body_hash: Buffer.from(bodyHash, 'hex'),
      expires_at: new Date(clock.now() + DAY_MS),
    })
    .onConflict(['environment_id', 'scope', 'key'])
    .ignore()
    .returning('key');
  if (claimed.length === 0)
    return repeat<Data>(vault, await trx<KeyRow>('idempotency_keys').where(where).first(), bodyHash);
  const data = await work();
  await trx('idempotency_keys')
    .where(where)
    .update({ answer: vault.seal(JSON.stringify(data)) });
  return data;
}

function repeat<Data>(vault: Context['vault'], row: KeyRow | undefined, bodyHash: string): Data {
  if (row?.answer == null || row.body_hash.toString('hex') !== bodyHash) {
    throw conflict('This idempotency key was used for another body: take a new key for a new request.');
  }
  if (!vault.opens(row.answer)) {
    throw conflict(
      'This request was carried out, but its answer was sealed with a key that is lost: look for its result.',
    );
  }
  return JSON.parse(vault.open(row.answer)) as Data;
}
