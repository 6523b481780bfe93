import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { cmpOf, NO_CMP } from '../bundles/tcf-source';
import type { Context } from '../context';
import { lockSponsor } from '../db/account-groups';
import { refuseManyVersions } from '../db/daily-limits';
import { type Maker, noteMade, refuseManyMade } from '../db/made-sites';
import { ApiKeyRow, BreachRow, DsarRow, EnvironmentRow, MemberRow, WebhookRow } from '../db/models';
import { RUNNING } from '../db/models/breach-row';
import { readPage, SHAPE_UUID } from '../db/paging';
import { storeVersion } from '../db/settings-versions';
import { sitesOfFounder, sitesOfInvited } from '../db/sites-of-group';
import { reaches } from '../domain/api-keys';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict, forbidden, notFound, ValidationError } from '../domain/errors';
import { linkedDomains } from '../domain/linked-domains';
import { isShortened } from '../domain/retention';
import { changeSettings, defaultSettings } from '../domain/settings';
import type { Role, Settings } from '../domain/types';
import { insertEnvironment, readDomains, revisionOf, type SiteFacts } from '../services/environments';
import { demandVerified } from '../services/mailed-links';
import { lockOwners } from '../services/owners';
import { demandPlaced } from '../services/taken-back';
import { warningsOf } from '../services/warnings';
import type { Caller, Handler } from './handler';

type UpdateBody = operations['updateEnvironment']['requestBody']['content']['application/json'];

async function view(context: Context, db: Knex, row: EnvironmentRow, role: Role) {
  const warnings = await warningsOf(context, db, row);
  return {
    token: row.token,
    name: row.name,
    domain: row.domain,
    domains: row.domains,
    url: row.url,
    status: row.status,
    revision: revisionOf(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    settings: row.settings,
    settings_version: row.settings_version,
    warnings,
    second_factor_required: row.second_factor_required,
    role,
  };
}

export const listEnvironments: Handler<'listEnvironments'> = async (context, { caller, query }) => {
  const { db } = context;
  const roles = new Map<string, Role>();
  for (const { environment_id, role } of await MemberRow.query(db).where({ user_id: caller.userId }))
    if (reaches(caller.key, environment_id, role)) roles.set(environment_id, role);
  return readPage({
    query: EnvironmentRow.query(db)
      .whereIn('id', [...roles.keys()])
      .whereNull('deleted_at')
      // Of what is closed to somebody without a second factor, getSecondFactors tells the name.
      .whereIn('second_factor_required', caller.hasSecondFactor ? [false, true] : [false]),
    order: ['id'],
    direction: 'desc',
    shapes: [SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(context, db, row, roles.get(row.id) as Role),
  });
};

export const getEnvironment: Handler<'getEnvironment'> = async (context, { environment, role }) =>
  view(context, context.db, environment, role);

/**
 * Every site has its own webhooks, scans and visitors, so the load that one account can cause must be
 * limited, and inviting further addresses must not multiply it. Half is kept for the account that began the group:
 * anybody whom it invites could use up everything else.
 */
async function refuseTooMany(trx: Knex, userId: number, max: number): Promise<Maker> {
  // Two concurrent requests must not both pass the limit.
  const { sponsor_id: group, by_invited: byInvited } = await lockSponsor(trx, userId);
  // Half, but never the last.
  const part = Math.min(Math.ceil(max / 2), max - 1);
  const ofInvited = await sitesOfInvited(trx, group, part);
  if (ofInvited + (await sitesOfFounder(trx, group, max)) >= max)
    throw conflict(
      `An account can make at most ${max} sites on this server, counted together with the accounts that its invitations made: use an existing one, or ask the operator to make this account independent or to raise SITES_PER_ACCOUNT.`,
    );
  if (byInvited && ofInvited >= part)
    throw conflict(
      `Accounts that invitations made can together make at most ${part} of the ${max} sites of their group on this server, because the others are kept for the account that began it: use an existing one, ask that account to make it, or ask the operator to make your account independent.`,
    );
  const maker = { group, byInvited };
  await refuseManyMade(trx, maker, max);
  return maker;
}

export const createEnvironment: Handler<'createEnvironment'> = async (
  context,
  { body, caller, trx, audit },
) => {
  if (caller.key !== undefined && caller.key.environmentId !== null)
    throw forbidden('This API key is bound to one site and cannot make others: make a key for all sites.');
  await demandVerified(context, trx, caller.userId);
  await demandPlaced(trx, caller.userId);
  const maker = await refuseTooMany(trx, caller.userId, context.config.sitesPerAccount);
  demandCmp(context.config, body.settings);
  const { domains } = readDomains(body.domain, body.domains ?? []);
  const settings = changeSettings(defaultSettings(), body.settings ?? {}, domains);
  const row = await insertEnvironment(trx, { ...body, settings, createdBy: caller.userId });
  await noteMade(trx, maker, row);
  await MemberRow.query(trx).insert({
    environment_id: row.id,
    user_id: caller.userId,
    role: 'owner',
    added_at: row.created_at,
  });
  const about = { resource: 'site' as const, resource_id: row.token };
  audit.note({ environmentId: row.id, about, changes: changesOf({}, factsOf(row)) });
  return view(context, trx, row, 'owner');
};

export const updateEnvironment: Handler<'updateEnvironment'> = async (
  context,
  { body, environment, role, caller, trx, afterCommit, audit },
) => {
  // Read again with a row lock, so that two owners who save at once do not overwrite each other's fields.
  const row = await EnvironmentRow.query(trx).findById(environment.id).forNoKeyUpdate().throwIfNotFound();
  if (row.deleted_at !== null) throw notFound('This environment');
  const facts = factsAfter(row, body);
  demandCmp(context.config, body.settings);
  const settings = settingsAfter(row, body, facts);
  refuseUnlinked(settings ?? row.settings, facts);
  if (settings === undefined && isDeepStrictEqual(facts, factsOf(row))) {
    // Not written, or every process would read the site again.
    audit.nothingChanged();
    return view(context, trx, row, role);
  }
  const patch: Partial<EnvironmentRow> = { ...facts, updated_at: clock.date() };
  patch.archived_at = patch.status === 'archived' ? (row.archived_at ?? clock.date()) : null;
  if (settings !== undefined) {
    if (isShortened(row.settings, settings)) mayErase(caller);
    await refuseManyVersions(trx, row, { role, caller });
    const settings_version = row.settings_version + 1;
    Object.assign(patch, { settings, settings_version });
    await storeVersion(trx, { id: row.id, settings, settings_version }, clock.date(), caller.userId);
  }
  const before = { ...factsOf(row), settings: row.settings };
  const updated = await row.$query(trx).patchAndFetch(patch);
  const changes = changesOf(before, { ...factsOf(updated), settings: updated.settings });
  if (changes.changes.length + changes.changes_left_out === 0) audit.nothingChanged();
  audit.note({ changes });
  afterCommit(() => context.sites.forget(environment.token));
  return view(context, trx, updated, role);
};

/** Nobody may ask by the framework who is no CMP of it. Throws `ValidationError`. */
function demandCmp(config: Context['config'], settings: Partial<Settings> | undefined): void {
  if (settings?.tcf != null && cmpOf(config) === undefined)
    throw ValidationError.of('body.settings.tcf', NO_CMP, 'cmp_id');
}

/** A shorter retention erases records, however small the steps. Throws 403 for a key that may not erase. */
function mayErase({ key }: Caller): void {
  if (key === undefined || key.scopes.includes('erasures:write')) return;
  throw forbidden(
    'This API key lacks the scope erasures:write, which a shorter retention needs because it erases records: make a key that has it, or log in.',
  );
}

export const deleteEnvironment: Handler<'deleteEnvironment'> = async (
  context,
  { query, environment, caller, trx, afterCommit, audit },
) => {
  const row = await EnvironmentRow.query(trx).findById(environment.id).forUpdate().throwIfNotFound();
  if (row.deleted_at !== null) throw notFound('This environment');
  await lockOwners(trx, row.id, caller.userId);
  if (row.status !== 'archived')
    throw conflict(`The site is ${row.status}: export what must be kept and archive it first.`);
  if (query.name !== row.name)
    throw ValidationError.of('query.name', 'must be the exact name of the site', 'name');
  if (!query.unanswered) await refuseUnanswered(trx, row.id);
  const deleted_at = clock.date();
  await row.$query(trx).patch({ deleted_at, updated_at: deleted_at });
  // At once, so that nobody can read it and nothing more is sent; the job erases the rest.
  await WebhookRow.query(trx).delete().where({ environment_id: row.id });
  await MemberRow.query(trx).delete().where({ environment_id: row.id });
  await ApiKeyRow.query(trx)
    .patch({ revoked_at: deleted_at })
    .where({ environment_id: row.id, revoked_at: null });
  // In the trail of the account: nobody can read that of the site any more.
  const resource = { resource: 'site' as const, resource_id: row.token };
  audit.note({ environmentId: null, about: resource, changes: changesOf(factsOf(row), {}) });
  const about = { environment_id: row.id, user: caller.userId, key: caller.key?.id };
  afterCommit(() => {
    context.sites.forget(row.token);
    context.log.info(about, 'an owner deleted a site');
  });
  return { token: row.token, name: row.name, deleted_at: deleted_at.toISOString() };
};

/** The duties to answer and to report do not end with the site (GDPR Art. 12(3), 33(1)). */
async function refuseUnanswered(trx: Knex, environment_id: string): Promise<void> {
  const requests = await DsarRow.query(trx)
    .where({ environment_id })
    .whereIn('status', ['created', 'in_progress'])
    .resultSize();
  const breaches = await BreachRow.query(trx).where({ environment_id }).whereRaw(RUNNING).resultSize();
  if (requests + breaches === 0) return;
  throw conflict(
    `The site has open data-subject requests (${requests}) or breaches that are neither reported nor decided upon (${breaches}): complete them first, or repeat with unanswered=true to delete them as they are.`,
  );
}

/** What the audit trail tells of a site besides its settings. */
const factsOf = ({ name, domain, domains, url, status }: EnvironmentRow): SiteFacts => ({
  ...{ name, domain, domains, url, status },
});

/**
 * Name, domains, address and status after a change. Throws 409 when the change was based on an older state.
 */
function factsAfter(row: EnvironmentRow, body: UpdateBody): SiteFacts {
  const { name = row.name, url = row.url, status = row.status, domain = row.domain } = body;
  const further = body.domains ?? row.domains.filter((one) => one !== row.domain);
  const areSame = body.domain === undefined && body.domains === undefined;
  const domains = areSame ? { domain, domains: row.domains } : readDomains(domain, further);
  const facts = { name, url, status, ...domains };
  const present = revisionOf(row);
  // If the stored state already equals the requested one, nothing can be lost, as with settings.
  if ((body.expected_revision ?? present) !== present && revisionOf(facts) !== present) {
    throw conflict(
      'The site was changed by somebody else: its name, domains, address or status are not those that your change was made upon. Read the present ones, then save your change again.',
    );
  }
  return facts;
}

/** Choices are taken along between domains of the site alone. Throws `ValidationError` for a domain that is taken off. */
function refuseUnlinked(settings: Settings, { domains }: SiteFacts): void {
  const gone = (settings.linked_domains ?? []).filter((name) => !linkedDomains([name], domains).length);
  if (gone.length > 0)
    throw ValidationError.of(
      'body.domains',
      `must hold ${gone.join(', ')}, between which and others visitors take their choices along: take it off settings.linked_domains, too`,
      'linked',
    );
}

/**
 * The settings after a change; undefined when they stay as they are. Throws 409 when the change was based on
 * older ones.
 */
function settingsAfter(
  { settings: present, settings_version: version }: EnvironmentRow,
  { settings: patch, expected_settings_version: expected = version }: UpdateBody,
  { domains }: SiteFacts,
): Settings | undefined {
  // If the stored state already equals the requested one, a client that repeats its request after a lost
  // connection succeeds.
  const isThere = patch !== undefined && isDeepStrictEqual({ ...present, ...patch }, present);
  if (expected !== version && !isThere) {
    throw conflict(
      `The settings were changed by somebody else: their version is ${version} now, and your change was made upon version ${expected}. Read the present ones, then save your change again.`,
    );
  }
  return patch === undefined || isThere ? undefined : changeSettings(present, patch, domains);
}
