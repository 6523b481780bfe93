import { hash, verify } from '@node-rs/argon2';

// OWASP's second recommendation for Argon2id: 19 MiB, 2 passes, 1 lane.
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
let decoy: Promise<string> | undefined;

/** Hashes a password. What a request asks for belongs into a turn: see `login-turns.ts`. */
export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Whether the password matches; without a hash it takes the same time and returns false. */
export async function checkPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash('a password that nobody has', OPTIONS);
  const fits = await verify(passwordHash ?? (await decoy), password);
  return fits && passwordHash != null;
}
