import type { Knex } from 'knex';
import type { Context } from '../context';
import type { BegunBy, UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { deviceOf } from '../domain/devices';
import type { Client } from '../ingest/decision';
import { queueAccountMail } from '../mail/account-mail';
import { KNOWN_FOR } from '../security/login-limit';

type From = Pick<Client, 'ipMasked' | 'userAgent'>;

/** What ends the way by which somebody got in. */
const INSTEAD: Readonly<Partial<Record<BegunBy, string>>> = {
  password: 'choose a new password, and end all sessions, under Your account in the console',
  link: 'choose a new password, and end all sessions, under Your account in the console',
  passkey:
    'remove the passkeys that you do not know, and end all sessions, under Your account in the console',
  oidc: 'secure your account at the provider by which you log in, and end all sessions, under Your account in the console',
};

/**
 * Tells the person of an account by mail that somebody has logged in with a device, or from a place, that the account
 * has not been used with for 90 days. The first one of all is no news. Kept is only a keyed fingerprint.
 */
export async function noteDevice(
  { vault, mail }: Pick<Context, 'vault' | 'mail'>,
  trx: Knex.Transaction,
  { id, email }: UserRow,
  { userAgent, ipMasked, how }: From & { how: BegunBy },
): Promise<void> {
  const device = deviceOf(userAgent);
  const any = vault.fingerprint('any device', String(id));
  const own = vault.fingerprint('device', String(id), device, ipMasked);
  const since = new Date(clock.now() - KNOWN_FOR);
  const known: Buffer[] = await trx('login_networks')
    .whereIn('who', [any, own])
    .where('seen_at', '>', since)
    .pluck('who');
  const seen_at = clock.date();
  await trx('login_networks')
    // Always in the same order, so that two log-ins never wait for each other.
    .insert([any, own].sort(Buffer.compare).map((who) => ({ who, seen_at })))
    .onConflict('who')
    .merge(['seen_at']);
  if (!known.some((who) => who.equals(any)) || known.some((who) => who.equals(own))) return;
  await queueAccountMail(mail, trx, {
    ...{ kind: 'new_device', userId: id, to: email, subject: 'A log-in from a new device' },
    paragraphs: [
      'Somebody has logged in to your account with a device, or from a place, that it was not used with lately.',
      `If it was you, there is nothing to do. If not, ${INSTEAD[how] ?? INSTEAD.password}.`,
    ],
    facts: [
      ['Device', device],
      ['Address', ipMasked],
      ['Time', seen_at.toISOString()],
    ],
  });
}
