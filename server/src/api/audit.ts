import type { operations } from '../../../spec/generated/api';
import { NO_ACCOUNT, NO_SITE } from '../db/audit-events';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { AUDIT_COLUMNS, auditView, type ListedAuditEvent, listedAuditEvents } from '../services/audit-view';
import { exportRecords } from '../services/record-export';
import { Download, type Handler } from './handler';

type Filter = Omit<NonNullable<operations['exportAuditEvents']['parameters']['query']>, 'format'>;
type Trail = Pick<ListedAuditEvent, 'environment_id' | 'account_id'>;

const newestFirst = {
  order: ['occurred_at', 'audit_id'] as const,
  direction: 'desc' as const,
  shapes: [SHAPE_TIME, SHAPE_UUID],
  toItem: auditView,
};

const ofSite = (environment_id: string): Trail => ({ environment_id, account_id: NO_ACCOUNT });
const ofAccount = (account_id: number): Trail => ({ environment_id: NO_SITE, account_id });

/** The events of a trail that match a filter. */
function matching(db: Parameters<typeof listedAuditEvents>[0], trail: Trail, filter: Filter) {
  const rows = listedAuditEvents(db, trail);
  for (const name of ['user_id', 'key_id', 'operation', 'kind', 'resource'] as const)
    if (filter[name] !== undefined) rows.where({ [name]: filter[name] });
  // A UUID may be given in upper case; ids of keys and bundles are stored as they are.
  const { resource_id: id } = filter;
  if (id !== undefined) rows.whereIn('resource_id', [id, id.toLowerCase()]);
  return between(rows, 'occurred_at', filter);
}

export const listAuditEvents: Handler<'listAuditEvents'> = async ({ db }, { environment, query }) => {
  const { limit, cursor, ...filter } = query;
  return readPage({
    ...{ ...newestFirst, limit, cursor },
    query: matching(db, ofSite(environment.id), filter),
  });
};

export const exportAuditEvents: Handler<'exportAuditEvents'> = async ({ db }, { environment, query }) => {
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(db, ofSite(environment.id), query),
    { name: 'audit', order: newestFirst.order, columns: AUDIT_COLUMNS, toItem: auditView },
  );
  return new Download(type, name, content);
};

export const listAccountEvents: Handler<'listAccountEvents'> = async ({ db }, { caller, query }) =>
  readPage({
    ...{ ...newestFirst, limit: query.limit, cursor: query.cursor },
    query: matching(db, ofAccount(caller.userId), {}),
  });
