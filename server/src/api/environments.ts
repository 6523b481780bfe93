import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { EnvironmentRow, MemberRow, SettingsVersionRow } from '../db/models';
import { normaliseDomain } from '../domain/domain-name';
import { newEnvironmentToken, newId } from '../domain/ids';
import { revisionOf, type SiteFacts } from '../domain/revision';
import { changeSettings, defaultSettings } from '../domain/settings';
import type { Role, Settings } from '../domain/types';
import { conflict, ValidationError } from '../errors';
import type { Handler } from './handler';
import { readPage, SHAPE_UUID } from './paging';
import { warningsOf } from './warnings';

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

export const listEnvironments: Handler<operations['listEnvironments']> = async (
  context,
  { caller, query },
) => {
  const { db } = context;
  const roles = new Map<string, Role>();
  for (const { environment_id, role } of await MemberRow.query(db).where({ user_id: caller.userId }))
    roles.set(environment_id, role);
  return readPage({
    query: EnvironmentRow.query(db).whereIn('id', [...roles.keys()]),
    order: ['id'],
    direction: 'desc',
    shapes: [SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(context, db, row, roles.get(row.id) as Role),
  });
};

export const getEnvironment: Handler<operations['getEnvironment']> = async (context, { environment, role }) =>
  view(context, context.db, environment, role);

export const createEnvironment: Handler<operations['createEnvironment']> = async (
  context,
  { body, caller, trx },
) => {
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

export const updateEnvironment: Handler<operations['updateEnvironment']> = async (
  context,
  { body, environment, role, caller, trx, afterCommit },
) => {
  afterCommit(() => context.sites.forget(environment.token));
  // Read again under a lock: two owners who save at once must both find their part kept.
  const row = await EnvironmentRow.query(trx).findById(environment.id).forUpdate().throwIfNotFound();
  const patch: Partial<EnvironmentRow> = { ...factsAfter(row, body), updated_at: new Date() };
  const settings = settingsAfter(row, body);
  if (settings !== undefined) {
    patch.settings = settings;
    patch.settings_version = row.settings_version + 1;
    await insertVersion(trx, row.id, patch.settings_version, settings, caller.userId);
  }
  return view(context, trx, await row.$query(trx).patchAndFetch(patch), role);
};

/** Name, domains, address and status after a change. Throws 409 when the change was made upon others. */
function factsAfter(row: EnvironmentRow, body: UpdateBody): SiteFacts {
  const { name = row.name, url = row.url, status = row.status, domain = row.domain } = body;
  const further = body.domains ?? row.domains.filter((one) => one !== row.domain);
  const areSame = body.domain === undefined && body.domains === undefined;
  const domains = areSame ? { domain, domains: row.domains } : readDomains(domain, further);
  const facts = { name, url, status, ...domains };
  const present = revisionOf(row);
  // What is there already is lost to nobody, as with settings.
  if ((body.expected_revision ?? present) !== present && revisionOf(facts) !== present) {
    throw conflict(
      'The site was changed by somebody else: its name, domains, address or status are not those that your change was made upon. Read the present ones, then save your change again.',
    );
  }
  return facts;
}

/** The settings after a change; undefined when they stay as they are. Throws 409 when the change was made upon older ones. */
function settingsAfter(
  { settings: present, settings_version: version }: EnvironmentRow,
  { settings: patch, expected_settings_version: expected = version }: UpdateBody,
): Settings | undefined {
  // What is there already is lost to nobody: a client that repeats its request after a cut connection is right.
  const isThere = patch !== undefined && isDeepStrictEqual({ ...present, ...patch }, present);
  if (expected !== version && !isThere) {
    throw conflict(
      `The settings were changed by somebody else: their version is ${version} now, and your change was made upon version ${expected}. Read the present ones, then save your change again.`,
    );
  }
  return patch === undefined || isThere ? undefined : changeSettings(present, patch);
}

interface NewEnvironment {
  name: string;
  domain: string;
  domains?: string[];
  url?: string;
  settings: Settings;
  createdBy: number | null;
  demo?: boolean;
}

/** Writes a new environment and the first version of its settings. */
export async function insertEnvironment(trx: Knex, input: NewEnvironment): Promise<EnvironmentRow> {
  const now = new Date();
  const { domain, domains } = readDomains(input.domain, input.domains ?? []);
  const row = await EnvironmentRow.query(trx).insertAndFetch({
    id: newId(),
    token: newEnvironmentToken(),
    name: input.name,
    domain,
    domains,
    url: input.url ?? `https://${domain}`,
    status: 'active',
    demo: input.demo ?? false,
    settings: input.settings,
    settings_version: 1,
    bundles: [],
    created_at: now,
    updated_at: now,
  });
  await insertVersion(trx, row.id, 1, input.settings, input.createdBy);
  return row;
}

async function insertVersion(
  trx: Knex,
  environmentId: string,
  version: number,
  settings: Settings,
  createdBy: number | null,
): Promise<void> {
  await SettingsVersionRow.query(trx).insert({
    environment_id: environmentId,
    version,
    settings,
    created_at: new Date(),
    created_by: createdBy,
  });
}

function readDomains(domain: string, others: string[]): { domain: string; domains: string[] } {
  const read = (text: string, path: string): string => {
    const normal = normaliseDomain(text);
    if (normal === undefined)
      throw ValidationError.of(path, 'must be a domain name such as www.example.com', 'domain');
    return normal;
  };
  const main = read(domain, 'body.domain');
  const further = others.map((other, index) => read(other, `body.domains.${index}`));
  return { domain: main, domains: [...new Set([main, ...further])] };
}
