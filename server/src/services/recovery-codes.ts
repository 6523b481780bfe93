import { createHmac, randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { ServerSecrets } from '../security/server-secrets';

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODES = 10;
const GROUPS = 6;
const OF_GROUP = 4;

/** Replaces the recovery codes of an account; only the answer holds their texts, of 118 random bits each. */
export async function makeRecoveryCodes(
  trx: Knex,
  secrets: ServerSecrets,
  user_id: number,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  const secret = await secrets.read('api_keys');
  await trx('recovery_codes').where({ user_id }).delete();
  await trx('recovery_codes').insert(codes.map((code) => ({ user_id, hash: hashOf(secret, user_id, code) })));
  return codes;
}

/** Uses a recovery code up; false for a wrong one. */
export async function spendRecoveryCode(
  trx: Knex,
  secrets: ServerSecrets,
  user_id: number,
  code: string,
): Promise<boolean> {
  const hash = hashOf(await secrets.read('api_keys'), user_id, code);
  return (await trx('recovery_codes').where({ user_id, hash }).delete()) > 0;
}

const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: OF_GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/** People write them as they like. */
const hashOf = (secret: Buffer, userId: number, code: string): Buffer =>
  createHmac('sha256', secret)
    .update(`avow recovery code ${userId} ${code.replace(/[ -]/g, '').toLowerCase()}`)
    .digest();
