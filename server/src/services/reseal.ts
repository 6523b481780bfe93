import type { Knex } from 'knex';
import { recodeLogs, resealGroupKey } from '../ledger/group-secret';
import { resealLogKeys } from '../ledger/lost-key';
import { type Drawer, rowOf, type Vault } from '../security/vault';
import { readCanary, replaceCanary } from './canary';
import { resealMailSecret, resealSecret } from './reseal-secrets';
import { resealTotp } from './second-factors';

/**
 * Where sealed texts are: the table, the columns that identify a row, the sealed columns, and what for, unless they are
 * sealed as the first released version does it.
 */
const SEALED = [
  {
    table: 'webhooks',
    key: ['environment_id', 'webhook_id'],
    columns: ['secret', 'next_secret', 'headers'],
    purpose: undefined,
  },
  {
    table: 'idempotency_keys',
    key: ['environment_id', 'scope', 'key'],
    columns: ['answer'],
    purpose: undefined,
  },
  {
    table: 'answer_file_parts',
    key: ['environment_id', 'file_id', 'part'],
    columns: ['content'],
    purpose: 'answer part',
  },
  {
    table: 'attachment_parts',
    key: ['environment_id', 'file_id', 'part'],
    columns: ['content'],
    purpose: 'attachment part',
  },
  { table: 'dsar_requests', key: ['environment_id', 'request_id'], columns: ['answer'], purpose: 'answer' },
  { table: 'mails', key: ['environment_id', 'mail_id'], columns: ['content'], purpose: 'mail' },
] as const;
/** Rows that are locked at once. */
const CHUNK = 200;
/** Of parts of files, each half a mebibyte. */
const FEW = 8;

export interface Resealed {
  table: string;
  /** Texts that another key had sealed, or an earlier build without a purpose. */
  changed: number;
  /** Texts that no key opens. */
  lost: number;
}

type Row = Record<string, unknown>;

/**
 * Seals with the first key what another one has sealed. May be broken off and begun again at any time: the
 * canary comes last, so that the server does not start without a key that is still needed.
 * @param isLost a key is lost for good: what it sealed is left, and the server starts without it
 */
export async function reseal(db: Knex, vault: Vault, isLost = false): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const place of SEALED) {
    const result = { table: place.table, changed: 0, lost: 0 };
    // Site by site: a cluster locks rows of one site only.
    for (const { environment_id } of await db(place.table).distinct<{ environment_id: string }[]>(
      'environment_id',
    )) {
      for (let after: Row | undefined; ; ) {
        const last = await db.transaction((trx) =>
          resealChunk(trx, vault, { ...place, environment_id }, after, result),
        );
        if (last === undefined) break;
        after = last;
      }
    }
    results.push(result);
  }
  const secrets = [
    await resealSecret(db, vault, isLost),
    await resealGroupKey(db, vault, isLost),
    await resealMailSecret(db, vault, isLost),
  ];
  results.push({
    table: 'server_secrets',
    changed: secrets.reduce((sum, { changed }) => sum + changed, 0),
    lost: secrets.reduce((sum, { lost }) => sum + lost, 0),
  });
  if (isLost) results.push({ table: 'ledger_pending', changed: await recodeLogs(db, vault), lost: 0 });
  results.push({ table: 'totp_secrets', ...(await resealTotp(db, vault)) });
  results.push({ table: 'ledger_keys', ...(await resealLogKeys(db, vault, isLost)) });
  const canary = await readCanary(db);
  const opened = canary === undefined || vault.opens(canary);
  const isDone = opened && results.every(({ lost }) => lost === 0);
  if (isDone || isLost) await replaceCanary(db, vault);
  return [...results, { table: 'canaries', changed: 0, lost: opened ? 0 : 1 }];
}

async function resealChunk(
  trx: Knex,
  vault: Vault,
  { table, key, columns, purpose, environment_id }: (typeof SEALED)[number] & { environment_id: string },
  after: Row | undefined,
  result: Resealed,
): Promise<Row | undefined> {
  const places = key.map((column) => `"${column}"`).join(', ');
  const query = trx(table)
    .where({ environment_id })
    .select<Row[]>(...key, ...columns)
    .orderByRaw(places)
    .limit(table.endsWith('_parts') ? FEW : CHUNK)
    .forUpdate();
  if (after !== undefined)
    query.whereRaw(
      `(${places}) > (${key.map(() => '?').join(', ')})`,
      key.map((column) => after[column] as string),
    );
  const rows = await query;
  for (const row of rows) {
    const own = purpose === undefined ? undefined : rowOf(...key.map((column) => row[column]));
    const patch = patchOf(purpose === undefined ? vault : vault.of(purpose), row, { columns, own }, result);
    const where = Object.fromEntries(key.map((column) => [column, row[column]]));
    if (Object.keys(patch).length > 0) await trx(table).where(where).update(patch);
  }
  return rows.at(-1);
}

function patchOf(
  drawer: Drawer,
  row: Row,
  { columns, own }: { columns: readonly string[]; own: string | undefined },
  result: Resealed,
): Row {
  const patch: Row = {};
  for (const column of columns) {
    const sealed = row[column] as Buffer | null;
    if (sealed === null) continue;
    try {
      if (drawer.isCurrent(sealed, own)) continue;
      patch[column] = drawer.sealBytes(drawer.openBytes(sealed, own), own);
      result.changed += 1;
    } catch {
      result.lost += 1;
    }
  }
  return patch;
}
