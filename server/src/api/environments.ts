import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { lockGroup } from '../db/account-groups';
import { refuseManyVersions } from '../db/daily-limits';
import { EnvironmentRow, MemberRow, WebhookRow } from '../db/models';
import { readPage, SHAPE_UUID } from '../db/paging';
import { storeVersion } from '../db/settings-versions';
import { sitesOf } from '../db/sites-of-group';
import { clock } from '../domain/clock';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { changeSettings, defaultSettings } from '../domain/settings';
import type { Role, Settings } from '../domain/types';
import { insertEnvironment, readDomains, revisionOf, type SiteFacts } from '../services/environments';
import { warningsOf } from '../services/warnings';
import type { Handler } from './handler';

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
    role,
  };
}

export const listEnvironments: Handler<'listEnvironments'> = async (context, { caller, query }) => {
  const { db } = context;
  const roles = new Map<string, Role>();
  for (const { environment_id, role } of await MemberRow.query(db).where({ user_id: caller.userId }))
    roles.set(environment_id, role);
  return readPage({
    query: EnvironmentRow.query(db)
      .whereIn('id', [...roles.keys()])
      .whereNull('deleted_at'),
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
 * limited, and inviting further addresses must not multiply it.
 */
async function refuseTooMany(trx: Knex, userId: number, max: number): Promise<void> {
  // Two concurrent requests must not both pass the limit.
  const group = await lockGroup(trx, userId);
  if ((await sitesOf(trx, group, max)) < max) return;
  throw conflict(
    `An account can create or own at most ${max} sites on this server, counted together with the accounts that its invitations made: use an existing one, or ask the operator to make this account independent or to raise SITES_PER_ACCOUNT.`,
  );
}

export const createEnvironment: Handler<'createEnvironment'> = async (context, { body, caller, trx }) => {
  await refuseTooMany(trx, caller.userId, context.config.sitesPerAccount);
  const settings = changeSettings(defaultSettings(), body.settings ?? {});
  const row = await insertEnvironment(trx, { ...body, settings, createdBy: caller.userId });
  await MemberRow.query(trx).insert({
    environment_id: row.id,
    user_id: caller.userId,
    role: 'owner',
    added_at: row.created_at,
  });
  return view(context, trx, row, 'owner');
};

export const updateEnvironment: Handler<'updateEnvironment'> = async (
  context,
  { body, environment, role, caller, trx, afterCommit },
) => {
  afterCommit(() => context.sites.forget(environment.token));
  // Read again with a row lock, so that two owners who save at once do not overwrite each other's fields.
  const row = await EnvironmentRow.query(trx).findById(environment.id).forUpdate().throwIfNotFound();
  if (row.deleted_at !== null) throw notFound('This environment');
  const patch: Partial<EnvironmentRow> = { ...factsAfter(row, body), updated_at: clock.date() };
  patch.archived_at = patch.status === 'archived' ? (row.archived_at ?? clock.date()) : null;
  const settings = settingsAfter(row, body);
  if (settings !== undefined) {
    await refuseManyVersions(trx, row);
    const settings_version = row.settings_version + 1;
    Object.assign(patch, { settings, settings_version });
    await storeVersion(trx, { id: row.id, settings, settings_version }, clock.date(), caller.userId);
  }
  return view(context, trx, await row.$query(trx).patchAndFetch(patch), role);
};

export const deleteEnvironment: Handler<'deleteEnvironment'> = async (
  context,
  { query, environment, caller, trx, afterCommit },
) => {
  const row = await EnvironmentRow.query(trx).findById(environment.id).forUpdate().throwIfNotFound();
  if (row.deleted_at !== null) throw notFound('This environment');
  if (row.status !== 'archived')
    throw conflict(`The site is ${row.status}: export what must be kept and archive it first.`);
  if (query.name !== row.name)
    throw ValidationError.of('query.name', 'must be the exact name of the site', 'name');
  const deleted_at = clock.date();
  await row.$query(trx).patch({ deleted_at, updated_at: deleted_at });
  // At once, so that nobody can read it and nothing more is sent; the job erases the rest.
  await WebhookRow.query(trx).delete().where({ environment_id: row.id });
  await MemberRow.query(trx).delete().where({ environment_id: row.id });
  const about = { environment_id: row.id, user: caller.userId };
  afterCommit(() => {
    context.sites.forget(row.token);
    context.log.info(about, 'an owner deleted a site');
  });
  return { token: row.token, name: row.name, deleted_at: deleted_at.toISOString() };
};

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

/**
 * The settings after a change; undefined when they stay as they are. Throws 409 when the change was based on
 * older ones.
 */
function settingsAfter(
  { settings: present, settings_version: version }: EnvironmentRow,
  { settings: patch, expected_settings_version: expected = version }: UpdateBody,
): Settings | undefined {
  // If the stored state already equals the requested one, a client that repeats its request after a lost
  // connection succeeds.
  const isThere = patch !== undefined && isDeepStrictEqual({ ...present, ...patch }, present);
  if (expected !== version && !isThere) {
    throw conflict(
      `The settings were changed by somebody else: their version is ${version} now, and your change was made upon version ${expected}. Read the present ones, then save your change again.`,
    );
  }
  return patch === undefined || isThere ? undefined : changeSettings(present, patch);
}
