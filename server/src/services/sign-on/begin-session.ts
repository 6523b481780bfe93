import type { Knex } from 'knex';
import type { Context } from '../../context';
import { ProviderSessionRow, type UserRow } from '../../db/models';
import { clock } from '../../domain/clock';
import type { Client as Visitor } from '../../ingest/decision';
import { hashOf } from '../../security/tokens';
import { rowOf } from '../../security/vault';
import { secondStepOf } from '../second-step';
import { beginSession, type SessionAnswer } from '../sessions';
import type { Proof } from './prove';

/** Where a request came from, as far as its person is shown it. */
export type Client = Pick<Visitor, 'ipMasked' | 'userAgent'>;

/**
 * Begins a session that the provider can end, and whose log-out goes on there. Throws 403 for a second step: then the
 * provider can end that until the session takes its place.
 */
export async function beginAtProvider(
  context: Context,
  trx: Knex.Transaction,
  user: UserRow,
  { person, logoutUrl }: Proof,
  client: Client,
): Promise<SessionAnswer> {
  const { secondFactor, authenticatedAt, issuer, subject, sid = null } = person;
  const note = (token_hash: Buffer, expires_at: Date) =>
    ProviderSessionRow.query(trx).insert({
      ...{ token_hash, user_id: user.id, expires_at, begun_at: clock.date(), issuer, subject, sid },
      logout_url:
        logoutUrl === undefined
          ? null
          : context.vault.of('log-out at a provider').seal(logoutUrl, rowOf(user.id, issuer)),
    });
  try {
    const answer = await beginSession(context, trx, {
      user,
      how: 'oidc',
      client,
      secondFactor,
      authenticatedAt,
    });
    await note(hashOf(answer.token), new Date(answer.expires_at));
    return answer;
  } catch (error) {
    const step = secondStepOf(error);
    if (step !== undefined) await note(hashOf(step.challenge), new Date(step.expires_at));
    throw error;
  }
}
