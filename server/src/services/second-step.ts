import type { Knex } from 'knex';
import type { Context } from '../context';
import type { BegunBy, UserRow } from '../db/models';
import { ApiError } from '../domain/errors';
import { allowedOf, relyingParty } from './passkeys';

/**
 * Throws 403 with a challenge when the account has a second factor: the first step was right, and completeLogin does
 * the second.
 */
export async function demandSecondFactor(
  context: Pick<Context, 'challenges' | 'publicUrl' | 'config'>,
  trx: Knex,
  { id, second_factor_since, tokens_valid_from: validFrom }: UserRow,
  how: BegunBy,
): Promise<void> {
  if (second_factor_since === null) return;
  const { text, nonce, expiresAt } = await context.challenges.make('second factor', {
    userId: id,
    how,
    validFrom,
  });
  const allowed = await allowedOf(trx, id);
  const party = relyingParty(context);
  const canPasskey = allowed.length > 0 && party !== undefined;
  const second_step = {
    challenge: text,
    expires_at: expiresAt.toISOString(),
    methods: [...(await codesOf(trx, id)), ...(canPasskey ? ['passkey'] : [])],
    ...(canPasskey && {
      passkey: { challenge: text, nonce, rp_id: party.id, allowed, user_verification: 'preferred' },
    }),
  };
  throw new ApiError(
    403,
    'second_factor_required',
    'This account has a second factor: send the challenge with a code or a passkey to completeLogin.',
    [],
    {},
    { second_step },
  );
}

/** What a refusal says of the second step; undefined: it is another one. */
export function secondStepOf(error: unknown): { challenge: string; expires_at: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined;
  return (error.more as { second_step?: { challenge: string; expires_at: string } }).second_step;
}

/** Which codes somebody may answer with. */
async function codesOf(db: Knex, user_id: number): Promise<string[]> {
  const totp = await db('totp_secrets').where({ user_id }).whereNotNull('confirmed_at').first('user_id');
  const recovery = await db('recovery_codes').where({ user_id }).first('user_id');
  return [...(totp === undefined ? [] : ['totp']), ...(recovery === undefined ? [] : ['recovery_code'])];
}
