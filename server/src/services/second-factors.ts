import type { Knex } from 'knex';
import type { Context } from '../context';
import { PasskeyRow, type UserRow } from '../db/models';
import { clock } from '../domain/clock';
import type { ResealedCount } from '../security/stored-secrets';
import { stepOfCode } from '../security/totp';
import { rowOf, type Vault } from '../security/vault';
import { afterTokens } from './accounts';
import { tellOfChange } from './mailed-links';
import { makeRecoveryCodes, spendRecoveryCode } from './recovery-codes';
import { type Beginner, beginSession, type Renewing, type SessionAnswer } from './sessions';

export interface TotpRow {
  sealed: Buffer;
  confirmed_at: Date | null;
  /** The step of the last code that was used; a bigint, which the driver reads as text. */
  last_step: string;
}

/** The secret of an authenticator app; undefined without one, and when no key opens it any more. */
export async function readTotp(
  db: Knex,
  vault: Vault,
  user_id: number,
): Promise<(Omit<TotpRow, 'sealed'> & { secret: string }) | undefined> {
  const row = await db('totp_secrets')
    .where({ user_id })
    .first<TotpRow | undefined>('sealed', 'confirmed_at', 'last_step');
  const drawer = vault.of('authenticator app');
  if (row === undefined || !drawer.opens(row.sealed, rowOf(user_id))) return undefined;
  return { ...row, secret: drawer.open(row.sealed, rowOf(user_id)) };
}

export const sealTotp = (vault: Vault, user_id: number, secret: string): Buffer =>
  vault.of('authenticator app').seal(secret, rowOf(user_id));

/** Uses up a code of the app; false for a wrong one, and for one that was used. The account is locked. */
export async function spendTotp(
  trx: Knex,
  vault: Vault,
  user_id: number,
  code: string,
  isConfirmed: boolean,
): Promise<boolean> {
  const totp = await readTotp(trx, vault, user_id);
  if (totp === undefined || (totp.confirmed_at !== null) !== isConfirmed) return false;
  const digits = code.replace(/[ -]/g, '');
  const step = stepOfCode(totp.secret, digits, Number(totp.last_step), clock.now());
  if (step === undefined) return false;
  await trx('totp_secrets').where({ user_id }).update({ last_step: step });
  return true;
}

/** Uses up a code of the app or a recovery code; false for a wrong one. The account is locked. */
export async function spendCode(
  { vault, serverSecrets }: Pick<Context, 'vault' | 'serverSecrets'>,
  trx: Knex,
  userId: number,
  code: string,
): Promise<boolean> {
  return (
    (await spendTotp(trx, vault, userId, code, true)) || spendRecoveryCode(trx, serverSecrets, userId, code)
  );
}

/** What an account is left with after one of its second factors was added or removed. */
export interface FactorsAnswer {
  session: SessionAnswer;
  recovery_codes?: string[];
}

/** A second factor was added: every other session ends, and the first one brings recovery codes. */
export async function factorAdded(
  context: Beginner,
  trx: Knex.Transaction,
  user: UserRow,
  renewing: Renewing,
): Promise<FactorsAnswer> {
  const isFirst = user.second_factor_since === null;
  const patched = await user.$query(trx).patchAndFetch({
    second_factor_since: user.second_factor_since ?? clock.date(),
    tokens_valid_from: afterTokens(user),
  });
  await tellOfChange(context, trx, user, 'A second factor was added to your account');
  const session = await beginSession(context, trx, { user: patched, ...renewing, secondFactor: true });
  if (!isFirst) return { session };
  return { session, recovery_codes: await makeRecoveryCodes(trx, context.serverSecrets, user.id) };
}

/** A second factor was removed: every other session ends, and with the last one its recovery codes. */
export async function factorRemoved(
  context: Beginner,
  trx: Knex.Transaction,
  user: UserRow,
  renewing: Renewing,
): Promise<FactorsAnswer> {
  const left = await hasFactor(trx, user.id);
  if (!left) await trx('recovery_codes').where({ user_id: user.id }).delete();
  const patched = await user.$query(trx).patchAndFetch({
    tokens_valid_from: afterTokens(user),
    ...(left ? {} : { second_factor_since: null }),
  });
  await tellOfChange(context, trx, user, 'A second factor was removed from your account');
  const session = await beginSession(context, trx, { user: patched, ...renewing, secondFactor: left });
  return { session };
}

async function hasFactor(trx: Knex, user_id: number): Promise<boolean> {
  const totp = await trx('totp_secrets').where({ user_id }).whereNotNull('confirmed_at').first('user_id');
  return totp !== undefined || (await PasskeyRow.query(trx).findOne({ user_id })) !== undefined;
}

/** Takes all second factors of an account away, as the operator does for a lost device; its sessions end. */
export async function forgetFactors(trx: Knex, user: UserRow): Promise<void> {
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes'])
    await trx(table).where({ user_id: user.id }).delete();
  await user.$query(trx).patch({ second_factor_since: null, tokens_valid_from: afterTokens(user) });
}

/** Seals the secrets of authenticator apps with the first key of the vault; those that no key opens are left. */
export async function resealTotp(db: Knex, vault: Vault): Promise<ResealedCount> {
  const count = { changed: 0, lost: 0 };
  const drawer = vault.of('authenticator app');
  for (const { user_id } of await db('totp_secrets').select<{ user_id: number }[]>('user_id'))
    await db.transaction(async (trx) => {
      const row = await trx('totp_secrets').where({ user_id }).forUpdate().first<TotpRow>('sealed');
      if (row === undefined) return;
      if (!drawer.opens(row.sealed, rowOf(user_id))) count.lost += 1;
      else if (!drawer.isCurrent(row.sealed, rowOf(user_id))) {
        const sealed = sealTotp(vault, user_id, drawer.open(row.sealed, rowOf(user_id)));
        await trx('totp_secrets').where({ user_id }).update({ sealed });
        count.changed += 1;
      }
    });
  return count;
}
