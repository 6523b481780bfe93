import type { Context } from '../context';
import { isCommonPassword } from '../domain/common-passwords';
import { forbidden, ValidationError } from '../domain/errors';

/** Refuses a new password that is easy to guess: a common one, or the person's own address or name. */
export function refuseCommon(path: string, password: string, email: string, name = ''): void {
  const [local = ''] = email.split('@', 1);
  if (!isCommonPassword(password, [email, local, name, 'avow'])) return;
  throw ValidationError.of(
    path,
    'is one of the passwords that are tried first: choose another, such as four words that have nothing to do with each other',
    'common_password',
  );
}

/**
 * Throws 403 where only providers let people in, with passwords and passkeys alike: before anything is looked up, so
 * that it is the same for everybody.
 */
export function demandOwnLogins({ config, providers }: Pick<Context, 'config' | 'providers'>): void {
  if (config.passwordLogin) return;
  const names = [...providers.values()].map(({ provider }) => provider.name).join(' or ');
  throw forbidden(`This server takes no passwords and no passkeys: log in with ${names}.`);
}
