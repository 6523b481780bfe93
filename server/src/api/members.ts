import type { Knex } from 'knex';
import { refuseManyInvitations } from '../db/daily-limits';
import { InvitationRow, MemberRow } from '../db/models';
import { readPage, SHAPE_INTEGER } from '../db/paging';
import { changesOf } from '../domain/audit';
import { conflict, notFound } from '../domain/errors';
import type { Role } from '../domain/types';
import { revokeKeysOf } from '../services/api-keys';
import { invite, renewLink } from '../services/invitations';
import { hasMember, type ListedMember, listOf, memberViews } from '../services/members';
import { endInvitationsOf, keepAnOwner, lockOwners, stayOwner } from '../services/owners';
import type { Handler } from './handler';

export const listMembers: Handler<'listMembers'> = async ({ db }, { environment, query }) =>
  readPage({
    query: listOf(db, environment.id),
    order: ['user_id'],
    direction: 'desc',
    shapes: [SHAPE_INTEGER],
    limit: query.limit,
    cursor: query.cursor,
    toItem: await memberViews(db, environment.id),
  });

async function memberOf(db: Knex, environmentId: string, user_id: number) {
  const row = await listOf(db, environmentId).findOne({ user_id });
  return (await memberViews(db, environmentId))(row as ListedMember);
}

export const addMember: Handler<'addMember'> = async (context, { body, environment, caller, trx, audit }) => {
  await stayOwner(trx, environment.id, caller.userId);
  const { email, name, role } = body;
  if (await hasMember(trx, environment.id, email))
    throw conflict('This person is a member already: change their role instead.');
  await refuseManyInvitations(trx, environment.id);
  const invited = await invite(context, trx, {
    environmentId: environment.id,
    email,
    name,
    role,
    madeBy: caller.userId,
  });
  if (invited === undefined) {
    throw conflict('This person is invited already: make a new link for their invitation instead.');
  }
  audit.note({ changes: changesOf({}, { role }) });
  const member = await memberOf(trx, environment.id, invited.row.user_id);
  return { ...member, invitation_url: invited.url };
};

export const updateMember: Handler<'updateMember'> = async (
  _context,
  { params, body, environment, caller, trx, audit },
) => {
  const owners = await lockOwners(trx, environment.id, caller.userId);
  const key = { environment_id: environment.id, user_id: params.user_id };
  const isMember = (await MemberRow.query(trx).findOne(key).forUpdate()) !== undefined;
  audit.note({ changes: changesOf({ role: await roleOf(trx, key) }, { role: body.role }) });
  if (isMember && body.role !== 'owner') {
    await keepAnOwner(trx, environment.id, owners, params.user_id);
    await endInvitationsOf(trx, environment.id, params.user_id);
    await revokeKeysOf(trx, params.user_id, environment.id);
  }
  const rows = isMember ? MemberRow.query(trx) : InvitationRow.query(trx);
  if ((await rows.patch({ role: body.role }).where(key)) === 0) throw notFound('This member');
  return memberOf(trx, environment.id, params.user_id);
};

/** The role of a member, or of somebody who is invited. */
async function roleOf(
  trx: Knex,
  key: { environment_id: string; user_id: number },
): Promise<Role | undefined> {
  const member = await MemberRow.query(trx).findOne(key);
  return (member ?? (await InvitationRow.query(trx).findOne(key)))?.role;
}

export const renewInvitation: Handler<'renewInvitation'> = async (
  context,
  { params, environment, caller, trx },
) => {
  await stayOwner(trx, environment.id, caller.userId);
  const key = { environment_id: environment.id, user_id: params.user_id };
  const renewed = await renewLink(context, trx, key, caller.userId);
  if (renewed !== undefined)
    return { user_id: params.user_id, email: renewed.email, invitation_url: renewed.url };
  if ((await MemberRow.query(trx).findOne(key)) === undefined) throw notFound('This member');
  throw conflict(
    'This person is a member already and needs no invitation: they log in, or get a new link from whoever runs the server.',
  );
};

export const removeMember: Handler<'removeMember'> = async (
  _context,
  { params, environment, caller, trx, audit },
) => {
  const owners = await lockOwners(trx, environment.id, caller.userId);
  const key = { environment_id: environment.id, user_id: params.user_id };
  await keepAnOwner(trx, environment.id, owners, params.user_id);
  await endInvitationsOf(trx, environment.id, params.user_id);
  await revokeKeysOf(trx, params.user_id, environment.id);
  audit.note({ changes: changesOf({ role: await roleOf(trx, key) }, {}) });
  const removed = await MemberRow.query(trx).delete().where(key);
  // A person who was invited by mistake must not be able to use the link.
  const takenBack = await InvitationRow.query(trx).delete().where(key);
  if (removed + takenBack === 0) throw notFound('This member');
  return { user_id: params.user_id };
};
