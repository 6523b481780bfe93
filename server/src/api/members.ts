import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { MemberRow, UserRow } from '../db/models';
import { hashPassword } from '../domain/password';
import { conflict, notFound, ValidationError } from '../errors';
import { createLink, createUser, emailKey } from './accounts';
import type { Handler } from './handler';
import { endInvitationsOf, keepAnOwner, lockOwners, stayOwner } from './owners';
import { readPage, SHAPE_INTEGER } from './paging';

function view({ role, added_at }: Pick<MemberRow, 'role' | 'added_at'>, user: UserRow) {
  const status: 'active' | 'invited' = user.password_hash === null ? 'invited' : 'active';
  return {
    user_id: user.id,
    email: user.email,
    name: user.name,
    role,
    status,
    added_at: added_at.toISOString(),
  };
}

export const listMembers: Handler<operations['listMembers']> = async ({ db }, { environment, query }) =>
  readPage({
    query: MemberRow.query(db).withGraphFetched('user').where({ environment_id: environment.id }),
    order: ['user_id'],
    direction: 'desc',
    shapes: [SHAPE_INTEGER],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(row, row.user as UserRow),
  });

export const addMember: Handler<operations['addMember']> = async (
  context,
  { body, environment, caller, trx },
) => {
  await stayOwner(trx, environment.id, caller.userId);
  const known = await UserRow.query(trx)
    .findOne({ email_key: emailKey(body.email) })
    .forNoKeyUpdate();
  if (known !== undefined && body.password !== undefined) {
    throw ValidationError.of(
      'body.password',
      'this person has an account already: leave the password out',
      'unexpected',
    );
  }
  // Whoever holds the link gets the whole account: only who owns all that it opens may be handed one.
  if (known?.password_hash === null && (await belongsElsewhere(trx, known.id, caller.userId))) {
    throw conflict(
      'This person has not accepted an earlier invitation yet: ask them to, then add them here.',
    );
  }
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
  const user =
    known ?? (await createUser(trx, { email: body.email, name: body.name ?? body.email, passwordHash }));
  const added = await trx('members')
    .insert({ environment_id: environment.id, user_id: user.id, role: body.role, added_at: new Date() })
    .onConflict(['environment_id', 'user_id'])
    .ignore()
    .returning<MemberRow[]>('*');
  if (added[0] === undefined)
    throw conflict('This person is a member already: change their role instead, or renew their invitation.');
  const member = view(added[0], user);
  return user.password_hash === null
    ? {
        ...member,
        invitation_url: await createLink(context, trx, { userId: user.id, madeBy: caller.userId }),
      }
    : member;
};

/** Whether a person is a member of an environment that the caller does not own. */
async function belongsElsewhere(trx: Knex, userId: number, callerId: number): Promise<boolean> {
  const owned = MemberRow.query(trx).where({ user_id: callerId, role: 'owner' }).select('environment_id');
  const foreign = await MemberRow.query(trx)
    .where({ user_id: userId })
    .whereNotIn('environment_id', owned)
    .first();
  return foreign !== undefined;
}

export const updateMember: Handler<operations['updateMember']> = async (
  _context,
  { params, body, environment, caller, trx },
) => {
  const owners = await lockOwners(trx, environment.id, caller.userId);
  const key = { environment_id: environment.id, user_id: params.user_id };
  const row = await MemberRow.query(trx).findOne(key).forUpdate();
  if (row === undefined) throw notFound('This member');
  if (body.role !== 'owner') {
    await keepAnOwner(trx, owners, params.user_id);
    await endInvitationsOf(trx, environment.id, params.user_id);
  }
  await MemberRow.query(trx).patch({ role: body.role }).where(key);
  const user = await UserRow.query(trx).findById(row.user_id).throwIfNotFound();
  return view({ role: body.role, added_at: row.added_at }, user);
};

export const renewInvitation: Handler<operations['renewInvitation']> = async (
  context,
  { params, environment, caller, trx },
) => {
  await stayOwner(trx, environment.id, caller.userId);
  const user = await UserRow.query(trx).findById(params.user_id).forNoKeyUpdate();
  const member = await MemberRow.query(trx).findOne({
    environment_id: environment.id,
    user_id: params.user_id,
  });
  if (user === undefined || member === undefined) throw notFound('This member');
  if (user.password_hash !== null) {
    throw conflict('This person has an account already and needs no invitation: ask them to log in.');
  }
  if (await belongsElsewhere(trx, user.id, caller.userId)) {
    throw conflict(
      'This person is invited to environments of others too, and the link would open those: ask them to use the invitation that they have, or somebody who owns all of these environments to make a new one.',
    );
  }
  const invitation_url = await createLink(context, trx, { userId: user.id, madeBy: caller.userId });
  return { user_id: user.id, email: user.email, invitation_url };
};

export const removeMember: Handler<operations['removeMember']> = async (
  _context,
  { params, environment, caller, trx },
) => {
  const owners = await lockOwners(trx, environment.id, caller.userId);
  await keepAnOwner(trx, owners, params.user_id);
  await endInvitationsOf(trx, environment.id, params.user_id);
  const removed = await MemberRow.query(trx)
    .delete()
    .where({ environment_id: environment.id, user_id: params.user_id });
  if (removed === 0) throw notFound('This member');
  // Who was invited by mistake must not come in by the link.
  await trx('invitations')
    .where({ user_id: params.user_id })
    .whereNotExists(trx('members').where({ user_id: params.user_id }))
    .delete();
  return { user_id: params.user_id };
};
