import { hash, verify } from '@node-rs/argon2';
import { networkOf } from '../domain/mask';
import { FairTurns } from './fair-turns';

// OWASP's second recommendation for Argon2id: 19 MiB, 2 passes, 1 lane.
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Passwords hashed at once: they share the thread pool with DNS and the file system. */
const AT_ONCE = 4;
const turns = new FairTurns(AT_ONCE);
let decoy: Promise<string> | undefined;

/** Hashes a password when it is its turn; `address` is the sender, by default the operator. */
export const hashPassword = (password: string, address = ''): Promise<string> =>
  turns.take(networkOf(address), () => hash(password, OPTIONS));

/** Whether the password matches; without a hash it takes the same time and returns false. */
export async function checkPassword(
  passwordHash: string | null | undefined,
  password: string,
  address: string,
): Promise<boolean> {
  decoy ??= hash('a password that nobody has', OPTIONS);
  const present = passwordHash ?? (await decoy);
  const fits = await turns.take(networkOf(address), () => verify(present, password));
  return fits && passwordHash != null;
}
