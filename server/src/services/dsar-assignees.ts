import type { Knex } from 'knex';
import { canLogIn } from '../db/can-log-in';
import { sealDsars } from '../db/ledger/steps';
import { DsarRow, MemberRow, UserRow } from '../db/models';
import { conflict } from '../domain/errors';
import { withEntry } from '../domain/history';

/** Requests that one statement reads: each may be some 90 KB. */
const SOME = 50;

type Actor = Parameters<typeof withEntry>[1];

/**
 * Holds somebody's membership until the transaction ends, so that whoever is removed meanwhile keeps no request. Before
 * the request is locked: a removal locks both in this order. Throws 409 for whoever may not work on requests.
 */
export async function lockAssignee(trx: Knex, environment_id: string, user_id: number): Promise<UserRow> {
  const member = await MemberRow.query(trx).findOne({ environment_id, user_id }).forNoKeyUpdate();
  const user =
    member === undefined || member.role === 'viewer'
      ? undefined
      : await UserRow.query(trx).findOne({ id: user_id, disabled_at: null }).whereRaw(canLogIn('users'));
  if (user === undefined)
    throw conflict(
      'Nobody of this id may work on requests of the site: choose an operator or owner who can log in (listMembers).',
    );
  return user;
}

/**
 * Takes all requests from somebody who may work on them no more: after their membership has changed. Of answered ones the
 * history says already who worked on them.
 */
export async function unassignAll(
  trx: Knex,
  { environment_id, user_id }: { environment_id: string; user_id: number },
  actor: Actor,
  why: string,
): Promise<void> {
  const theirs = () => DsarRow.query(trx).where({ environment_id, assignee_id: user_id });
  const nobody = { assignee_id: null, assigned_at: null, assigned_by: null };
  for (let read = SOME; read === SOME; ) {
    // In one order, so that it never waits for somebody who waits for it.
    const rows = await theirs()
      .whereNot({ status: 'resolved' })
      .orderBy('request_id')
      .limit(SOME)
      .forUpdate()
      // Of histories, which may be long, the last entry.
      .select('request_id', trx.raw('jsonb_build_array(history -> -1) AS history'));
    read = rows.length;
    const ids = rows.map(({ request_id }) => request_id);
    const entries = rows.map(({ history }) => withEntry(history, actor, 'unassigned', why).at(-1));
    const added = trx.raw('history || (?::jsonb -> array_position(?::uuid[], request_id) - 1)', [
      JSON.stringify(entries),
      ids,
    ]);
    const changed = await DsarRow.query(trx)
      .where({ environment_id })
      .whereIn('request_id', ids)
      .patch({ ...nobody, history: added as never })
      .returning('*');
    await sealDsars(trx, changed);
  }
  await theirs().patch(nobody);
}
