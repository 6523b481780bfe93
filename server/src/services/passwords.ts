import { isCommonPassword } from '../domain/common-passwords';
import { ValidationError } from '../domain/errors';

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
