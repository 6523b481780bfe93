import type { Knex } from 'knex';
import type { Context } from '../context';
import { groupOf } from '../db/account-groups';
import { findAccount } from '../db/find-account';
import { clock } from '../domain/clock';
import { conflict, rateLimited } from '../domain/errors';
import { HeldRefusals } from '../security/held-refusals';
import { LoginLimit } from '../security/login-limit';
import { fromAddress, inTurn, known, looking } from '../security/login-turns';
import { hashPassword } from '../security/password';
import { afterTokens } from '../services/accounts';
import { noLink } from '../services/invitations';
import {
  accountOfLink,
  demandMail,
  mailLink,
  takeLink,
  tellOfChange,
  VALID_MINUTES,
} from '../services/mailed-links';
import { demandOwnLogins, refuseCommon } from '../services/passwords';
import { proveAddress } from '../services/prove-address';
import { lockCaller } from '../services/sessions';
import type { Handler } from './handler';

/** Minutes to wait for another mail, in seconds. */
const HOUR = 3_600;
const answers = new HeldRefusals();

/** With a turn of strangers for no longer than it takes. */
const inTransaction = <Result>(
  { db, turns }: Pick<Context, 'db' | 'turns'>,
  address: string,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> => turns.take(undefined, address, () => db.transaction(work));

export const requestPasswordReset: Handler<'requestPasswordReset'> = async (
  context,
  { body, address, audit },
) => {
  demandOwnLogins(context);
  demandMail(context);
  const came = performance.now();
  const receipt = await inTransaction(context, address, async (trx) => {
    const user = await findAccount(trx, body.email).where({ disabled_at: null });
    if (user === undefined || user.password_hash === null) return audit.unchanged();
    if (!(await mailLink(context, trx, user, 'password'))) return audit.unchanged();
    return audit.write(trx, { accountId: user.id });
  });
  // Whether there was something to write must not be seen by the time.
  await answers.wait(fromAddress(address), came);
  return receipt.with({ valid_minutes: VALID_MINUTES.password });
};

export const resetPassword: Handler<'resetPassword'> = async (context, { body, address, audit }) => {
  demandOwnLogins(context);
  const { code, password } = body;
  const found = await inTurn(looking(address), () => accountOfLink(context.db, code, 'password'));
  if (found === undefined) throw noLink();
  refuseCommon('body.password', password, found.email, found.name);
  const turn = known(groupOf(found), found.email);
  const passwordHash = await inTurn(turn, () => hashPassword(password));
  const answer = await inTransaction(context, address, async (trx) => {
    const user = await takeLink(trx, code, 'password');
    if (user === undefined) throw noLink();
    await user.$query(trx).patch({
      // Whoever opened the mail has the address.
      ...(await proveAddress(trx, user)),
      password_hash: passwordHash,
      tokens_valid_from: afterTokens(user),
    });
    await tellOfChange(context, trx, user, 'Your password was chosen anew');
    const receipt = await audit.write(trx, { userId: user.id });
    return receipt.with({ email: user.email });
  });
  // What others failed with keeps nobody out who has the mailbox. The link is used up: a lock that stays ends by itself.
  await new LoginLimit(context, found.email, address).forgive().catch(() => undefined);
  return answer;
};

export const verifyEmail: Handler<'verifyEmail'> = async (_context, { body, caller, trx }) => {
  await lockCaller(trx, caller.session);
  const user = await takeLink(trx, body.code, 'address');
  // Undoes that the link was taken, when it is of another account.
  if (user?.id !== caller.userId) throw noLink();
  const verified_at = user.email_verified_at ?? clock.date();
  await user.$query(trx).patch({ email_verified_at: verified_at });
  return { email: user.email, verified_at: verified_at.toISOString() };
};

export const requestEmailVerification: Handler<'requestEmailVerification'> = async (
  context,
  { caller, trx },
) => {
  demandMail(context);
  const user = await lockCaller(trx, caller.session);
  if (user.email_verified_at !== null) throw conflict('Your address is verified already.');
  if (!(await mailLink(context, trx, user, 'address')))
    throw rateLimited(
      HOUR,
      'This address has got several mails lately: look into its mailbox, or try later.',
    );
  return { valid_minutes: VALID_MINUTES.address };
};
