/** The condition that an account has a way in: a password or a provider. Others were only invited. */
export const canLogIn = (users: string): string =>
  `(${users}.password_hash IS NOT NULL OR EXISTS (SELECT FROM identities i WHERE i.user_id = ${users}.id))`;
