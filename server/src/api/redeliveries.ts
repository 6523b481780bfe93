import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { RedeliveryRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import { findWebhook } from '../services/find-webhook';
import type { Handler } from './handler';

/** Redeliveries of one site that may run at once. */
const MAX_RUNNING = 10;
const NIL = '00000000-0000-0000-0000-000000000000';

export const redeliverFailed: Handler<'redeliverFailed'> = async (
  context,
  { environment, body, trx, afterCommit },
) => {
  const until = await databaseTime(trx);
  const since = new Date(body.since);
  if (since > until)
    throw ValidationError.of('body.since', 'must be in the past: nothing can have failed since', 'past');
  const webhook = body.webhook_id && (await findWebhook(trx, environment, body.webhook_id));
  const asked = {
    environment_id: environment.id,
    webhook_id: webhook ? webhook.webhook_id : null,
    event: body.event ?? null,
    since,
    scope: [webhook ? webhook.webhook_id : '*', body.event ?? '*', since.toISOString()].join(' '),
  };
  const redelivery_id = newId();
  const created_at = timeOfId(redelivery_id);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `INSERT INTO redeliveries (environment_id, redelivery_id, scope, webhook_id, event, since, until, after_at, after_id,
       created_at, advanced_at)
     VALUES (:environment_id, :redelivery_id, :scope, :webhook_id, :event, :since, :until, :since, :nil, :created_at, :until)
     ON CONFLICT (environment_id, scope) WHERE finished_at IS NULL DO NOTHING RETURNING redelivery_id`,
    { ...asked, redelivery_id, until, created_at, nil: NIL },
  );
  if (rows.length > 0) await refuseTooMany(trx, environment.id);
  afterCommit(() => context.dispatcher.choresSoon());
  // A repeated request gets the running one.
  return view(await running(trx, asked));
};

/** The running one, or one that another process has just finished. */
const running = (
  trx: Knex,
  { environment_id, scope }: Pick<RedeliveryRow, 'environment_id' | 'scope'>,
): Promise<RedeliveryRow> =>
  RedeliveryRow.query(trx)
    .where({ environment_id, scope })
    .orderBy('created_at', 'desc')
    .first()
    .throwIfNotFound()
    .execute();

async function refuseTooMany(trx: Knex, environment_id: string): Promise<void> {
  const count = await RedeliveryRow.query(trx)
    .where({ environment_id })
    .whereNull('finished_at')
    .resultSize();
  if (count > MAX_RUNNING)
    throw conflict(`${MAX_RUNNING} redeliveries of this site are running: wait until one of them is done.`);
}

export const listRedeliveries: Handler<'listRedeliveries'> = async ({ db }, { environment, query }) =>
  readPage({
    query: RedeliveryRow.query(db).where({ environment_id: environment.id }),
    order: ['created_at', 'redelivery_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });

export const getRedelivery: Handler<'getRedelivery'> = async ({ db }, { environment, params }) => {
  const row = await RedeliveryRow.query(db).findById([environment.id, params.redelivery_id.toLowerCase()]);
  if (row === undefined) throw notFound('This redelivery');
  return view(row);
};

const view = (row: RedeliveryRow) => ({
  redelivery_id: row.redelivery_id,
  status: row.finished_at === null ? ('running' as const) : ('done' as const),
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  event: row.event,
  webhook_id: row.webhook_id,
  deliveries: row.deliveries,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
