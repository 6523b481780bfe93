import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { eraseSessionOf } from '../db/erase-trace';
import { ErasureNote } from '../db/erasure-log';
import { BundleRow, ConsentRow, type EnvironmentRow, SettingsVersionRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { wholeSettings } from '../db/settings-versions';
import { immutableUrl } from '../domain/banner/snippet';
import { seenOf } from '../domain/banner/sources';
import { withoutNulls } from '../domain/consent';
import { notFound } from '../domain/errors';
import { dueRule, isLaxer, regionsOf } from '../domain/regions/rules';
import type { BundleRegions, ConsentRecord, Settings } from '../domain/types';
import { toEntry, toRecord } from '../ingest/decision';
import { refuseLaxerRule } from '../ingest/lax-rule';
import { askedBy } from '../ingest/shown';
import { evidenceOf } from '../ledger/record-evidence';
import { auditErasure } from '../services/audit-erasure';
import { exportFile } from '../services/consent-export';
import { withIds } from '../services/find-ids';
import { grantedBy, laterDecisions, withdrawalOf } from '../services/later-decisions';
import { type SessionView, sessionView } from '../services/session-view';
import { tcfOf } from '../services/tcf/record';
import { describedClient, siteOf } from '../services/visitor-client';
import { Download, type Handler } from './handler';

export const logConsent: Handler<'logConsent'> = async (
  { ingest, sites },
  { site, client, body, idempotency },
) => {
  const asked = await askedBy(sites.versions, site, body);
  refuseLaxerRule(site, body, asked);
  const entry = toEntry(site, client, body, asked, idempotency);
  const { decision } = await ingest.record(entry);
  return toRecord(decision ?? entry.decision);
};

export const logConsentForVisitor: Handler<'logConsentForVisitor'> = async (
  { ingest, sites },
  { environment, body, idempotency, audit },
) => {
  const { visitor, ...stated } = body;
  const client = describedClient(visitor);
  const site = await siteOf(sites, environment);
  const asked = await askedBy(sites.versions, site, stated);
  refuseLaxerRule(site, stated, asked);
  const entry = toEntry(site, client, { method: 'api', ...stated }, asked, idempotency);
  const { consent_id: resource_id } = entry.decision;
  // Stored with the decision, and not at all when the request is a repetition.
  const receipt = audit.handOver((row) => Object.assign(entry, { audit: row }), {
    about: { resource: 'consent_record', resource_id },
  });
  const { decision } = await ingest.record(entry);
  return receipt.with(toRecord(decision ?? entry.decision));
};

function fromRow(
  { environment_id: _, recorded_at, expires_at, ...row }: ConsentRow,
  sessions: SessionView,
): ConsentRecord {
  return withoutNulls({
    ...row,
    session_id: sessions.show(row.session_id),
    recorded_at: recorded_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }) as ConsentRecord;
}

export const listConsents: Handler<'listConsents'> = async (context, request) => {
  const { db } = context;
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  return readPage({
    query: ConsentRow.records(db).modify(
      'matching',
      environment.id,
      await withIds(db, environment.id, query, sessions),
    ),
    order: ['recorded_at', 'consent_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => fromRow(row, sessions),
  });
};

export const exportConsents: Handler<'exportConsents'> = async (context, request) => {
  const { db } = context;
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  const filter = await withIds(db, environment.id, query, sessions);
  const format = query.format ?? 'ndjson';
  const { type, name, content } = await exportFile(db, environment, format, filter, sessions);
  return new Download(type, name, content);
};

export const getConsent: Handler<'getConsent'> = async (context, request) => {
  const { db, publicUrl } = context;
  const { environment, params } = request;
  const consent_id = params.consent_id.toLowerCase();
  const row = await ConsentRow.records(db)
    .where({ environment_id: environment.id })
    .modify('withId', consent_id)
    .orderBy('recorded_at')
    .first();
  if (row === undefined) throw notFound('This consent record');
  const later = await laterDecisions(db, row);
  const next = await later?.records().first();
  const shown = await SettingsVersionRow.query(db)
    .findById([environment.id, row.banner_version])
    .throwIfNotFound();
  const settings = await wholeSettings(db, environment.id, shown.settings);
  const withdrawal = await withdrawalOf(db, row, later);
  const shown_bundle = await shownBundle(db, environment, row, settings, publicUrl());
  return {
    ...fromRow(row, await sessionView(context, request)),
    superseded_by:
      next === undefined
        ? null
        : {
            consent_id: next.consent_id,
            decision: next.decision,
            recorded_at: next.recorded_at.toISOString(),
            not_asked: grantedBy(row).filter((key) => !Object.hasOwn(next.categories, key)),
          },
    withdrawn_at: withdrawal?.recorded_at.toISOString() ?? null,
    shown: { version: shown.version, created_at: shown.created_at.toISOString(), settings: seenOf(settings) },
    shown_bundle,
    matches_rule:
      shown_bundle === null ? await wasDue(db, environment, row, settings) : shown_bundle.matches_rule,
    ...(await tcfOf(db, environment.id, row)),
    evidence: await evidenceOf(db, environment, row),
  };
};

/** The bundle that showed the banner, if it was generated here; a visitor may send any hash. */
async function shownBundle(
  db: Knex,
  { id, token }: EnvironmentRow,
  { bundle_hash: hash, banner_version, region, rule }: ConsentRow,
  settings: Settings,
  server: string,
) {
  if (hash === null) return null;
  const bundle = await BundleRow.query(db)
    .findById([id, hash])
    .select('created_at', 'settings_version', raw("config->'regions'").as('regions'));
  if (bundle === undefined) return null;
  const { settings_version, regions } = bundle as BundleRow & { regions: BundleRegions | null };
  const immutable_url = immutableUrl(server, token, hash);
  const made = settings_version === banner_version ? settings : await settingsOf(db, id, settings_version);
  // A bundle that was published again unchanged is still of the first version.
  const matches_shown = isDeepStrictEqual(asks(made), asks(settings));
  const matches_rule = rule === null ? null : rule === dueRule(regions ?? undefined, region);
  return { hash, created_at: bundle.created_at.toISOString(), immutable_url, matches_shown, matches_rule };
}

/**
 * Without a bundle only settings tell which rule may have been applied, or a stricter one: those of the version that is
 * stated, which anybody can state, and those that the site had when the decision was recorded.
 */
async function wasDue(
  db: Knex,
  { id }: EnvironmentRow,
  { region, rule, recorded_at }: ConsentRow,
  stated: Settings,
): Promise<boolean | null> {
  if (rule === null) return null;
  const isAllowed = ({ regions }: Settings): boolean => !isLaxer(rule, dueRule(regionsOf(regions), region));
  if (!isAllowed(stated)) return false;
  const then = await SettingsVersionRow.query(db)
    .where({ environment_id: id })
    .where('created_at', '<=', recorded_at)
    .orderBy('version', 'desc')
    .select('settings')
    .first();
  return then === undefined || isAllowed(await wholeSettings(db, id, then.settings));
}

async function settingsOf(db: Knex, id: string, version: number): Promise<Settings> {
  const row = await SettingsVersionRow.query(db).findById([id, version]).throwIfNotFound();
  return wholeSettings(db, id, row.settings);
}

/** What a banner of some settings asks for. */
const asks = ({ policy_version, categories }: Settings) => ({
  policy_version,
  categories: Object.fromEntries(categories.map(({ key, required }) => [key, required])),
});

export const eraseSession: Handler<'eraseSession'> = async (
  { db, log },
  { environment: { id: environment_id, token }, params, caller, audit, stay },
) => {
  const session_id = params.session_id.toLowerCase();
  const note = ErasureNote.of(db, environment_id, caller, { kind: 'session', found_by: ['session_id'] });
  note.asking(stay);
  const receipt = auditErasure(note, audit, token);
  const erased = await eraseSessionOf(note, session_id);
  // Which one is not said: with the time it leads whoever restores a backup to the owner who knows.
  log.info(
    { environment_id, user: caller.userId, key: caller.key?.id, ...erased },
    'a member erased a session',
  );
  return receipt().with({ session_id, ...erased });
};
