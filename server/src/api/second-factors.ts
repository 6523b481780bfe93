import type { Knex } from 'knex';
import { EnvironmentRow, PasskeyRow } from '../db/models';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { newId } from '../domain/ids';
import { spendChallenge } from '../security/challenges';
import { LoginLimit } from '../security/login-limit';
import { ALGORITHMS, checkCreation } from '../security/passkeys';
import { newTotpSecret, totpUri } from '../security/totp';
import { allowedOf, demandRelyingParty, MOST_PASSKEYS, relyingParty, userHandle } from '../services/passkeys';
import { makeRecoveryCodes } from '../services/recovery-codes';
import { factorAdded, factorRemoved, sealTotp, spendTotp } from '../services/second-factors';
import { lockCaller, renewing } from '../services/sessions';
import { demandOwnProof } from '../services/sign-on/own-proof';
import type { Handler } from './handler';

export const getSecondFactors: Handler<'getSecondFactors'> = async (context, { caller }) => {
  const { db } = context;
  const user_id = caller.userId;
  const account = await db('users').where({ id: user_id }).first('second_factor_since');
  const totp = await db('totp_secrets').where({ user_id }).first('confirmed_at');
  const passkeys = await PasskeyRow.query(db).where({ user_id }).orderBy('created_at').limit(MOST_PASSKEYS);
  const [{ count }] = (await db('recovery_codes').where({ user_id }).count()) as [{ count: string }];
  return {
    since: account?.second_factor_since?.toISOString() ?? null,
    totp_since: totp?.confirmed_at?.toISOString() ?? null,
    passkeys: passkeys.map(passkeyView),
    recovery_codes_left: Number(count),
    passkeys_possible: relyingParty(context) !== undefined,
    required_by: await requiredBy(db, user_id),
  };
};

const passkeyView = ({ passkey_id, name, created_at, used_on, synced }: PasskeyRow) => ({
  ...{ passkey_id, name, created_at: created_at.toISOString(), used_on, synced },
});

/** Names of sites that require a second factor of this member. */
async function requiredBy(db: Knex, user_id: number): Promise<string[]> {
  const rows = await EnvironmentRow.query(db)
    .join('members', 'members.environment_id', 'environments.id')
    .where({ user_id, second_factor_required: true, deleted_at: null })
    .orderBy('environments.name')
    .limit(20)
    .select('environments.name');
  return rows.map(({ name }) => name);
}

export const beginTotp: Handler<'beginTotp'> = async ({ vault }, { caller, trx, audit }) => {
  const { id: user_id, email } = await lockCaller(trx, caller.session);
  await demandOwnProof(trx, caller.session);
  const present = await trx('totp_secrets').where({ user_id }).first('confirmed_at');
  if (present?.confirmed_at)
    throw conflict('You have an authenticator app already: remove it first, or add a passkey.');
  const secret = newTotpSecret();
  const row = { sealed: sealTotp(vault, user_id, secret), created_at: clock.date(), last_step: 0 };
  await trx('totp_secrets')
    .insert({ user_id, ...row })
    .onConflict('user_id')
    .merge(row);
  // What nobody has confirmed is only replaced: its first entry stands for it.
  if (present !== undefined) audit.nothingChanged();
  return { secret, uri: totpUri(secret, email) };
};

export const confirmTotp: Handler<'confirmTotp'> = async (
  context,
  { body, caller, address, client, audit },
) => {
  // Before the limit, which wrong codes use up. What changes this proof ends the session, which is looked at again below.
  await demandOwnProof(context.db, caller.session);
  const limit = new LoginLimit(context, caller.email, address, 'second factor');
  await limit.take();
  const answer = await context.db.transaction(async (trx) => {
    const user = await lockCaller(trx, caller.session);
    const open = await trx('totp_secrets').where({ user_id: user.id, confirmed_at: null }).first('user_id');
    if (open === undefined)
      throw conflict('There is no authenticator app to confirm: begin to add one first.');
    if (!(await spendTotp(trx, context.vault, user.id, body.code, false))) return undefined;
    await trx('totp_secrets').where({ user_id: user.id }).update({ confirmed_at: clock.date() });
    const receipt = await audit.write(trx, {
      changes: changesOf({}, { second_factor: 'authenticator app' }),
    });
    return receipt.with(await factorAdded(context, trx, user, await renewing(trx, caller.session, client)));
  });
  if (answer === undefined)
    throw ValidationError.of(
      'body.code',
      'is not the code that the app shows now: check the time of the device',
      'wrong_code',
    );
  await limit.forgive();
  return answer;
};

export const removeTotp: Handler<'removeTotp'> = async (context, { caller, client, trx, audit }) => {
  const user = await lockCaller(trx, caller.session);
  await demandOwnProof(trx, caller.session);
  const next = await renewing(trx, caller.session, client);
  if ((await trx('totp_secrets').where({ user_id: user.id }).delete()) === 0)
    throw notFound('An authenticator app');
  audit.note({ changes: changesOf({ second_factor: 'authenticator app' }, {}) });
  return factorRemoved(context, trx, user, next);
};

export const beginPasskey: Handler<'beginPasskey'> = async (context, { caller, trx }) => {
  const party = demandRelyingParty(context);
  await demandOwnProof(trx, caller.session);
  const excluded = await allowedOf(trx, caller.userId);
  if (excluded.length >= MOST_PASSKEYS) throw tooMany();
  const { text, nonce } = await context.challenges.make('passkey', { userId: caller.userId });
  return {
    ...{ challenge: text, nonce, rp_id: party.id, rp_name: 'Avow' },
    ...{ user_handle: await userHandle(trx, caller.userId), user_name: caller.email },
    ...{ algorithms: ALGORITHMS, excluded },
  };
};

const tooMany = () => conflict(`An account has at most ${MOST_PASSKEYS} passkeys: remove one first.`);

export const addPasskey: Handler<'addPasskey'> = async (context, { body, caller, client, trx, audit }) => {
  const party = demandRelyingParty(context);
  const challenge = await context.challenges.open(body.challenge, 'passkey');
  const made = await checkCreation(party, body, challenge.nonce);
  if (made === undefined || challenge.userId !== caller.userId)
    throw ValidationError.of(
      'body.attestation_object',
      'does not fit the challenge: begin to add the passkey again',
      'wrong_passkey',
    );
  const user = await lockCaller(trx, caller.session);
  await demandOwnProof(trx, caller.session);
  const present = await PasskeyRow.query(trx).where({ user_id: user.id }).resultSize();
  if (present >= MOST_PASSKEYS) throw tooMany();
  await spendChallenge(trx, challenge);
  const passkey_id = newId();
  const stored = await trx('passkeys')
    .insert({
      ...{ passkey_id, user_id: user.id, name: body.name, created_at: clock.date() },
      ...{ credential_id: made.credential.id, public_key: Buffer.from(made.credential.publicKey) },
      ...{ counter: made.credential.counter, synced: made.credentialBackedUp },
      ...{ transports: body.transports ?? [], user_handle: await userHandle(trx, user.id) },
    })
    .onConflict('credential_id')
    .ignore()
    .returning('passkey_id');
  if (stored.length === 0) throw conflict('This passkey is known here already: make another.');
  audit.note({ changes: changesOf({}, { second_factor: 'passkey', name: body.name }) });
  return factorAdded(context, trx, user, await renewing(trx, caller.session, client));
};

export const renamePasskey: Handler<'renamePasskey'> = async (_, { params, body, caller, trx, audit }) => {
  const { name } = body;
  const passkey = await PasskeyRow.query(trx)
    .findOne({ user_id: caller.userId, passkey_id: params.passkey_id.toLowerCase() })
    .forUpdate();
  if (passkey === undefined) throw notFound('This passkey');
  if (passkey.name === name) audit.nothingChanged();
  else {
    audit.note({
      changes: changesOf(
        { second_factor: 'passkey', name: passkey.name },
        { second_factor: 'passkey', name },
      ),
    });
    await passkey.$query(trx).patch({ name });
  }
  return passkeyView(passkey);
};

export const removePasskey: Handler<'removePasskey'> = async (
  context,
  { params, caller, client, trx, audit },
) => {
  const user = await lockCaller(trx, caller.session);
  // Without its last passkey, an account without a password would be proved by a provider alone.
  await demandOwnProof(trx, caller.session);
  const next = await renewing(trx, caller.session, client);
  const { passkey_id } = params;
  const [removed] = await trx('passkeys').where({ user_id: user.id, passkey_id }).delete().returning('name');
  if (removed === undefined) throw notFound('This passkey');
  audit.note({ changes: changesOf({ second_factor: 'passkey', name: removed.name }, {}) });
  return factorRemoved(context, trx, user, next);
};

export const renewRecoveryCodes: Handler<'renewRecoveryCodes'> = async (
  { serverSecrets },
  { caller, trx },
) => {
  const user = await lockCaller(trx, caller.session);
  await demandOwnProof(trx, caller.session);
  if (user.second_factor_since === null)
    throw conflict('Recovery codes stand in for a second factor, and you have none: add one first.');
  return { codes: await makeRecoveryCodes(trx, serverSecrets, user.id) };
};

export const setSecondFactorRule: Handler<'setSecondFactorRule'> = async (
  _context,
  { body, environment, caller, trx, audit },
) => {
  if (body.required && !caller.hasSecondFactor)
    throw conflict('You have no second factor yourself, and would lock yourself out: add one first.');
  // Somebody else may have changed it since the look at who asks.
  const row = await EnvironmentRow.query(trx).findById(environment.id).forNoKeyUpdate().throwIfNotFound();
  const before = row.second_factor_required;
  if (before === body.required) audit.nothingChanged();
  else await row.$query(trx).patch({ second_factor_required: body.required });
  audit.note({
    changes: changesOf({ second_factor_required: before }, { second_factor_required: body.required }),
  });
  return { required: body.required };
};
