import type { Knex } from 'knex';
import { eraseConsentsOf } from '../db/consent-words';
import { BundleRow, ConsentRow, type EnvironmentRow, FormConsentRow, SettingsVersionRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { wholeSettings } from '../db/settings-versions';
import { addressesOf } from '../domain/banner/snippet';
import { notFound } from '../domain/errors';
import { timeOfId } from '../domain/ids';
import type { ConsentRecord } from '../domain/types';
import { eraseEvents } from '../events/outbox';
import { toEntry, toRecord } from '../ingest/decision';
import { exportFile } from '../services/consent-export';
import { withIds } from '../services/find-ids';
import { describedClient, siteOf } from '../services/visitor-client';
import { Download, type Handler } from './handler';

export const logConsent: Handler<'logConsent'> = async ({ ingest }, { site, client, body, idempotency }) => {
  const entry = toEntry(site, client, body, idempotency && { scope: 'logConsent', ...idempotency });
  const { decision } = await ingest.record(entry);
  return toRecord(decision ?? entry.decision);
};

export const logConsentForVisitor: Handler<'logConsentForVisitor'> = async (
  { ingest, sites },
  { environment, body, idempotency },
) => {
  const { visitor, ...stated } = body;
  const client = describedClient(visitor);
  const site = await siteOf(sites, environment);
  const dedupe = idempotency && { scope: 'logConsentForVisitor', ...idempotency };
  const entry = toEntry(site, client, { method: 'api', ...stated }, dedupe);
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

export const listConsents: Handler<'listConsents'> = async ({ db }, { environment, query }) =>
  readPage({
    query: ConsentRow.records(db).modify(
      'matching',
      environment.id,
      await withIds(db, environment.id, query),
    ),
    order: ['recorded_at', 'consent_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: fromRow,
  });

export const exportConsents: Handler<'exportConsents'> = async ({ db }, { environment, query }) => {
  const filter = await withIds(db, environment.id, query);
  const { type, name, content } = await exportFile(db, environment, query.format ?? 'ndjson', filter);
  return new Download(type, name, content);
};

export const getConsent: Handler<'getConsent'> = async ({ db, publicUrl }, { environment, params }) => {
  const consent_id = params.consent_id.toLowerCase();
  // The time is in the id, so that only one month's partition is read.
  const row = await ConsentRow.records(db)
    .where({ environment_id: environment.id, consent_id, recorded_at: timeOfId(consent_id) })
    .first();
  if (row === undefined) throw notFound('This consent record');
  const later = await laterDecisions(db, row);
  const shown = await SettingsVersionRow.query(db)
    .findById([environment.id, row.banner_version])
    .throwIfNotFound();
  const settings = await wholeSettings(db, environment.id, shown.settings);
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
    shown: { version: shown.version, created_at: shown.created_at.toISOString(), settings },
    shown_bundle: await shownBundle(db, environment, row, publicUrl()),
  };
};

/**
 * What the session decided after a record. The session's choice is the decision that was stored last: a
 * record with a later date got its time from a wrong clock and was made before it.
 */
async function laterDecisions(db: Knex, row: ConsentRow): Promise<ConsentRow[]> {
  const { environment_id, session_id, consent_id, recorded_at } = row;
  const choice = await db('session_choices')
    .where({ environment_id, session_id })
    .first<Pick<ConsentRow, 'consent_id' | 'recorded_at'> | undefined>('consent_id', 'recorded_at');
  if (choice?.consent_id === consent_id) return [];
  const isMisdated =
    choice !== undefined &&
    (recorded_at > choice.recorded_at ||
      (recorded_at.getTime() === choice.recorded_at.getTime() && consent_id > choice.consent_id));
  const records = ConsentRow.records(db).where({ environment_id }).modify('ofSession', session_id);
  if (isMisdated) return records.where(choice);
  // The times are also compared by themselves, so that only the partitions between them are read.
  records
    .where('recorded_at', '>=', recorded_at)
    .whereRaw('(recorded_at, consent_id) > (?, ?)', [recorded_at, consent_id]);
  if (choice !== undefined) {
    records
      .where('recorded_at', '<=', choice.recorded_at)
      .whereRaw('(recorded_at, consent_id) <= (?, ?)', [choice.recorded_at, choice.consent_id]);
  }
  return records.orderBy(['recorded_at', 'consent_id']).limit(1000);
}

/** The bundle that showed the banner, if it was generated here; a visitor may send any hash. */
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

export const eraseSession: Handler<'eraseSession'> = async (_context, { environment, params, trx }) => {
  const where = { environment_id: environment.id, session_id: params.session_id.toLowerCase() };
  const consents = await eraseConsentsOf(trx, environment.id, [where.session_id]);
  await trx('session_choices').where(where).delete();
  const form_consents = await FormConsentRow.query(trx).delete().where(where);
  await eraseEvents(trx, environment.id, where.session_id);
  return { session_id: where.session_id, consents, form_consents };
};
