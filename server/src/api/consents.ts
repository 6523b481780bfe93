import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { BundleRow, ConsentRow, type EnvironmentRow, SettingsVersionRow } from '../db/models';
import { addressesOf } from '../domain/bundle/snippet';
import { timeOfId } from '../domain/ids';
import type { ConsentRecord } from '../domain/types';
import { notFound } from '../errors';
import { toEntry, toRecord } from './decisions';
import { eraseEvents } from './erasure';
import { exportFile } from './export';
import type { Handler } from './handler';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';

export const logConsent: Handler<operations['logConsent']> = async (
  { ingest },
  { site, client, body, idempotency },
) => {
  const entry = toEntry(site, client, body, idempotency && { scope: 'logConsent', ...idempotency });
  const { decision } = await ingest.record(entry);
  return toRecord(decision ?? entry.decision);
};

function fromRow({
  environment_id: _,
  recorded_at,
  expires_at,
  tc_string,
  gpp_string,
  ...row
}: ConsentRow): ConsentRecord {
  return {
    ...row,
    recorded_at: recorded_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(tc_string === null ? {} : { tc_string }),
    ...(gpp_string === null ? {} : { gpp_string }),
  } as ConsentRecord;
}

export const listConsents: Handler<operations['listConsents']> = async ({ db }, { environment, query }) =>
  readPage({
    query: ConsentRow.query(db).modify('matching', environment.id, query),
    order: ['recorded_at', 'consent_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: fromRow,
  });

export const exportConsents: Handler<operations['exportConsents']> = async (
  context,
  { environment, query },
) => exportFile(context, environment, query.format ?? 'ndjson', query);

export const getConsent: Handler<operations['getConsent']> = async (
  { db, publicUrl },
  { environment, params },
) => {
  const consent_id = params.consent_id.toLowerCase();
  // The time is in the id, so that only one month's partition is read.
  const row = await ConsentRow.query(db).findOne({
    environment_id: environment.id,
    consent_id,
    recorded_at: timeOfId(consent_id),
  });
  if (row === undefined) throw notFound('This consent record');
  const later = await ConsentRow.query(db)
    .where({ environment_id: environment.id, session_id: row.session_id })
    .whereRaw('(recorded_at, consent_id) > (?, ?)', [row.recorded_at, row.consent_id])
    .orderBy(['recorded_at', 'consent_id'])
    .limit(1000);
  const shown = await SettingsVersionRow.query(db)
    .findById([environment.id, row.banner_version])
    .throwIfNotFound();
  const granted = Object.keys(row.categories).filter((key) => row.categories[key]);
  const withdrawal = later.find(({ categories }) => granted.some((key) => categories[key] === false));
  const next = later[0];
  return {
    ...fromRow(row),
    superseded_by:
      next === undefined
        ? null
        : {
            consent_id: next.consent_id,
            decision: next.decision,
            recorded_at: next.recorded_at.toISOString(),
          },
    withdrawn_at: withdrawal?.recorded_at.toISOString() ?? null,
    shown: { version: shown.version, created_at: shown.created_at.toISOString(), settings: shown.settings },
    shown_bundle: await shownBundle(db, environment, row, publicUrl()),
  };
};

/** The script that showed the banner, where it was generated here: anybody may state a hash. */
async function shownBundle(
  db: Knex,
  { id, token }: EnvironmentRow,
  { bundle_hash: hash }: ConsentRow,
  server: string,
) {
  if (hash === null) return null;
  const bundle = await BundleRow.query(db).findById([id, hash]).select('integrity', 'created_at');
  if (bundle === undefined) return null;
  const { immutable_url } = addressesOf(server, token, { hash, integrity: bundle.integrity });
  return { hash, created_at: bundle.created_at.toISOString(), immutable_url };
}

export const eraseSession: Handler<operations['eraseSession']> = async (
  _context,
  { environment, params, trx },
) => {
  const where = { environment_id: environment.id, session_id: params.session_id.toLowerCase() };
  const consents = await ConsentRow.query(trx).delete().where(where);
  await trx('session_choices').where(where).delete();
  await eraseEvents(trx, environment.id, where.session_id);
  return { session_id: where.session_id, consents };
};
