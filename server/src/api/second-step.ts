import type { Knex } from 'knex';
import type { Context } from '../context';
import { UserRow } from '../db/models';
import { unauthorized, ValidationError } from '../domain/errors';
import { type Challenge, spendChallenge } from '../security/challenges';
import { LoginLimit } from '../security/login-limit';
import { inTurn, known } from '../security/login-turns';
import { hasCheckedPerson } from '../security/passkeys';
import { checkPassword } from '../security/password';
import type { Claims } from '../security/tokens';
import { allowedOf, demandRelyingParty, provePasskey } from '../services/passkeys';
import { demandOwnLogins } from '../services/passwords';
import { noteRefusal } from '../services/refused-logins';
import { spendCode } from '../services/second-factors';
import { beginSession, endToken, lockCaller, type Renewing, untilProvider } from '../services/sessions';
import { mustCheckPerson } from '../services/sign-on/own-proof';
import type { Handler } from './handler';

const wrong = () => unauthorized('The code or the passkey is wrong, or was used before: try the next one.');

export const completeLogin: Handler<'completeLogin'> = async (context, { body, address, client, audit }) => {
  oneOf(body);
  const challenge = await context.challenges.open(body.challenge, 'second factor');
  // It may have been made before the operator refused passwords.
  if (challenge.how === 'password') demandOwnLogins(context);
  const user = await accountOf(context.db, challenge);
  const limit = new LoginLimit(context, user.email, address, 'second factor');
  await limit.look();
  await limit.take();
  const answer = await context.db.transaction(async (trx) => {
    const locked = await accountOf(trx, challenge, true);
    if (!(await proves(context, trx, locked.id, body, challenge))) return undefined;
    await spendChallenge(trx, challenge);
    const receipt = await audit.write(trx, { userId: locked.id });
    const how = challenge.how as Renewing['how'];
    const replaces = challenge.hash;
    return receipt.with(
      await beginSession(context, trx, { user: locked, how, client, secondFactor: true, replaces }),
    );
  });
  if (answer === undefined) {
    noteRefusal(context, audit, user.id);
    throw wrong();
  }
  await limit.forgive();
  // Only now the password has let somebody in.
  await new LoginLimit(context, user.email, address).forgive();
  return answer;
};

interface Proof {
  code?: string;
  passkey?: Parameters<typeof provePasskey>[2];
}

function oneOf({ code, passkey }: Proof): void {
  if ((code === undefined) === (passkey === undefined))
    throw ValidationError.of('body.code', 'is required, or else passkey: send one of the two', 'required');
}

/** The account of a challenge that was made since its sessions were last ended. Throws 401. */
async function accountOf(db: Knex, { userId, madeAt }: Challenge, lock = false): Promise<UserRow> {
  const query = UserRow.query(db).findOne({ id: userId ?? 0, disabled_at: null });
  const user = await (lock ? query.forNoKeyUpdate() : query);
  if (user === undefined || madeAt < user.tokens_valid_from.getTime()) throw wrong();
  return user;
}

/** Whether a code or a passkey proves the account; used up, if so. */
async function proves(
  context: Context,
  trx: Knex,
  userId: number,
  { code, passkey }: Proof,
  { nonce }: Challenge,
): Promise<boolean> {
  if (passkey !== undefined)
    return (await provePasskey(context, trx, passkey, { nonce, userId, verified: false })) !== undefined;
  return code !== undefined && spendCode(context, trx, userId, code);
}

export const beginPasskeyLogin: Handler<'beginPasskeyLogin'> = async (context) => {
  demandOwnLogins(context);
  const party = demandRelyingParty(context);
  const { text, nonce } = await context.challenges.make('passkey login');
  return { challenge: text, nonce, rp_id: party.id, allowed: [], user_verification: 'required' };
};

export const loginWithPasskey: Handler<'loginWithPasskey'> = async (
  context,
  { body, address, client, audit },
) => {
  demandOwnLogins(context);
  const challenge = await context.challenges.open(body.challenge, 'passkey login');
  const answer = await context.db.transaction(async (trx) => {
    const wanted = { nonce: challenge.nonce, verified: true };
    const passkey = await provePasskey(context, trx, body.passkey, wanted);
    const user =
      passkey &&
      (await UserRow.query(trx).findOne({ id: passkey.user_id, disabled_at: null }).forNoKeyUpdate());
    if (user === undefined) return undefined;
    await spendChallenge(trx, challenge);
    const receipt = await audit.write(trx, { userId: user.id });
    const begun = await beginSession(context, trx, { user, how: 'passkey', client, secondFactor: true });
    return { email: user.email, recorded: receipt.with(begun) };
  });
  if (answer === undefined) throw unauthorized('This passkey is not known here, or its answer is wrong.');
  await new LoginLimit(context, answer.email, address).forgive();
  return answer.recorded;
};

export const beginReauthentication: Handler<'beginReauthentication'> = async (context, { caller, trx }) => {
  const party = demandRelyingParty(context);
  const allowed = await allowedOf(trx, caller.userId);
  const { text, nonce } = await context.challenges.make('reauthentication', { userId: caller.userId });
  const user_verification = (await mustCheckPerson(trx, caller.session)) ? 'required' : 'preferred';
  return { challenge: text, nonce, rp_id: party.id, allowed, user_verification };
};

export const reauthenticate: Handler<'reauthenticate'> = async (
  context,
  { body, caller, address, client, audit },
) => {
  const { password, code, challenge } = body;
  complete(body);
  // Before the limit, which wrong codes use up; it is looked at again below.
  if (isCodeAlone(body) && (await mustCheckPerson(context.db, caller.session))) throw notAlone();
  const opened = challenge && (await context.challenges.open(challenge, 'reauthentication'));
  const limits = [
    ...(password === undefined ? [] : [new LoginLimit(context, caller.email, address)]),
    ...(code === undefined ? [] : [new LoginLimit(context, caller.email, address, 'second factor')]),
  ];
  for (const limit of limits) await limit.take();
  const present = await UserRow.query(context.db).findById(caller.userId).throwIfNotFound();
  const turn = known(caller.group, caller.email);
  const fits =
    password === undefined || (await inTurn(turn, () => checkPassword(present.password_hash, password)));
  const answer = await context.db.transaction(async (trx) => {
    const user = await lockCaller(trx, caller.session);
    if (!fits || user.password_hash !== present.password_hash) return 'password';
    const wrongPart = await wrongPartOf(
      context,
      trx,
      { user, session: caller.session },
      body,
      opened || undefined,
    );
    if (wrongPart !== undefined) return wrongPart;
    await endToken(trx, caller.session);
    const receipt = await audit.write(trx);
    const secondFactor = user.second_factor_since !== null;
    const replaces = caller.session.tokenHash;
    const begun = { user, client, secondFactor, replaces, ...begunWith(context, caller.session, body) };
    return receipt.with(await beginSession(context, trx, begun));
  });
  if (typeof answer === 'string')
    throw ValidationError.of(
      `body.${answer}`,
      WRONG[answer],
      answer === 'code' ? 'wrong_code' : `wrong_${answer}`,
    );
  for (const limit of limits) await limit.forgive();
  return answer;
};

type Reproof = Proof & { password?: string; challenge?: string };

/** Throws 400 for a proof that lacks a part, or has one too many. */
function complete({ password, code, passkey, challenge }: Reproof): void {
  if (password === undefined && passkey === undefined && code === undefined)
    throw ValidationError.of('body.password', 'is required, or else passkey, or a code alone', 'required');
  if (passkey !== undefined && code !== undefined)
    throw ValidationError.of(
      'body.code',
      'is not for a proof with a passkey: send one of the two',
      'not_together',
    );
  if (passkey !== undefined && challenge === undefined)
    throw ValidationError.of('body.challenge', 'is required with a passkey', 'required');
}

const isCodeAlone = ({ password, passkey }: Reproof) => password === undefined && passkey === undefined;

const notAlone = () =>
  ValidationError.of(
    'body.code',
    'is enough alone only for an account without a password, in a session that began at a provider account that is linked to it: send the password, too, or else a passkey',
    'not_enough',
  );

/** Which part of a proof besides the password is wrong, if any; what is right is used up. */
async function wrongPartOf(
  context: Context,
  trx: Knex,
  { user, session }: { user: UserRow; session: Claims },
  { password, code, passkey }: Reproof,
  challenge: Challenge | undefined,
): Promise<'code' | 'passkey' | undefined> {
  const verified = password === undefined && (await mustCheckPerson(trx, session));
  if (passkey !== undefined && challenge !== undefined) {
    const wanted = { nonce: challenge.nonce, userId: user.id, verified };
    if ((await provePasskey(context, trx, passkey, wanted)) === undefined) return 'passkey';
    await spendChallenge(trx, challenge);
    return undefined;
  }
  if (password === undefined && verified) throw notAlone();
  if (password !== undefined && user.second_factor_since === null) return undefined;
  return code !== undefined && (await spendCode(context, trx, user.id, code)) ? undefined : 'code';
}

/** How a session begins after a proof, and when it ends. */
function begunWith(
  context: Context,
  session: Claims,
  { password, passkey }: Reproof,
): Pick<Renewing, 'how' | 'ownProof' | 'until'> {
  if (password !== undefined) return { how: 'password', ...untilProvider(context, session) };
  // One proof of two: the other is the log-in at the provider, which lasts no longer.
  const until = session.expiresAt;
  if (passkey === undefined) return { how: 'oidc', ownProof: true, until };
  if (!hasCheckedPerson(passkey)) return { how: 'passkey', until };
  return { how: 'passkey', ...untilProvider(context, session) };
}

const WRONG = {
  password: 'is not your present password',
  code: 'is needed and must be a code that was not used: of your authenticator app, or a recovery code',
  passkey: 'is not one of yours, or its answer is wrong',
} as const;
