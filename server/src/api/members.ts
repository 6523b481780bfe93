import type { Knex } from 'knex';
import type { Context } from '../context';
import { refuseManyInvitations } from '../db/daily-limits';
import { InvitationRow, MemberRow, UserRow } from '../db/models';
import { readPage, SHAPE_INTEGER } from '../db/paging';
import { changesOf } from '../domain/audit';
import { conflict, notFound } from '../domain/errors';
import type { Role } from '../domain/types';
import { revokeKeysOf } from '../services/api-keys';
import { unassignAll } from '../services/dsar-assignees';
import { deleteViewsOf } from '../services/dsar-views';
import { invite, renewLink } from '../services/invitations';
import { withholdNotices } from '../services/mail/withhold-notices';
import { mustVerify } from '../services/mailed-links';
import { hasMember, type ListedMember, listOf, memberViews } from '../services/members';
import {
  endInvitationsOf,
  keepAnOwner,
  lockOwners,
  stayOwner,
  takeBackInvitations,
} from '../services/owners';
import type { Handler } from './handler';

export const listMembers: Handler<'listMembers'> = async ({ db }, { environment, query, role }) =>
  readPage({
    query: listOf(db, environment.id),
    order: ['user_id'],
    direction: 'desc',
    shapes: [SHAPE_INTEGER],
    limit: query.limit,
    cursor: query.cursor,
    toItem: await memberViews(db, environment.id, role),
  });

/** For owners, who alone change members. */
async function memberOf(db: Knex, environmentId: string, user_id: number) {
  const row = await listOf(db, environmentId).findOne({ user_id });
  return (await memberViews(db, environmentId, 'owner'))(row as ListedMember);
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

const givenBy = (provider: string) =>
  conflict(
    `The groups of ${provider} give this role at each log-in, also after a removal: change the groups there, or let the operator change the rule. For a role that you give, take the person out of the group there, remove them here, and invite them.`,
  );

export const updateMember: Handler<'updateMember'> = async (
  context,
  { params, body, environment, caller, trx, audit },
) => {
  const owners = await lockOwners(trx, environment.id, caller.userId);
  const key = { environment_id: environment.id, user_id: params.user_id };
  const member = await MemberRow.query(trx).findOne(key).forUpdate();
  const isMember = member !== undefined;
  if (member?.given_by != null && context.providers.has(member.given_by)) throw givenBy(member.given_by);
  audit.note({ changes: changesOf({ role: await roleOf(trx, key) }, { role: body.role }) });
  if (isMember && body.role === 'owner') await demandVerifiedOwner(context, trx, params.user_id);
  if (isMember && body.role !== 'owner') {
    await keepAnOwner(trx, environment.id, owners, params.user_id);
    await endInvitationsOf(trx, environment.id, params.user_id);
    await revokeKeysOf(trx, params.user_id, environment.id);
  }
  // Of a provider that is configured no more: from now on people give it.
  const rows = isMember
    ? MemberRow.query(trx).patch({ role: body.role, given_by: null })
    : InvitationRow.query(trx).patch({ role: body.role });
  if ((await rows.where(key)) === 0) throw notFound('This member');
  if (isMember && body.role === 'viewer') await unassignAll(trx, key, caller, 'They became a viewer.');
  if (isMember && body.role !== member.role) await withholdNotices(trx, key, body.role);
  return memberOf(trx, environment.id, params.user_id);
};

/** Throws 409 for somebody whose address is not verified, where the server can verify it. */
async function demandVerifiedOwner(context: Context, trx: Knex, userId: number): Promise<void> {
  const user = await UserRow.query(trx).findById(userId).throwIfNotFound();
  if (mustVerify(context, user))
    throw conflict('This person must verify their e-mail address before they can be an owner.');
}

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
  if ((await MemberRow.query(trx).findOne(key)) !== undefined)
    await takeBackInvitations(trx, environment.id, params.user_id);
  const removed = await MemberRow.query(trx).delete().where(key);
  // A person who was invited by mistake must not be able to use the link.
  const takenBack = await InvitationRow.query(trx).delete().where(key);
  if (removed + takenBack === 0) throw notFound('This member');
  if (removed > 0) {
    await unassignAll(trx, key, caller, 'They were removed from the site.');
    await deleteViewsOf(trx, key);
    await withholdNotices(trx, key);
  }
  return { user_id: params.user_id };
};
