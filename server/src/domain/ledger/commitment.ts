import { hash, randomFillSync } from 'node:crypto';

/** Bytes of a blinding. */
const BLINDING = 16;
/** Random bytes for some hundred blindings: asking the system for each costs more than the hash. */
const POOL = Buffer.alloc(BLINDING * 256);
let used = POOL.length;
/** Statements that fit are hashed from here without a copy of their own. */
const SCRATCH = Buffer.alloc(16_384);

/** What hides a statement in the log, and what the log holds of it; both in hexadecimal digits. */
export interface Sealed {
  blinding: string;
  commitment: string;
}

/** Sixteen random bytes that are used once, as 32 hexadecimal digits. */
export function newBlinding(): string {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const blinding = POOL.toString('hex', used, used + BLINDING);
  // What was handed out is not kept.
  POOL.fill(0, used, used + BLINDING);
  used += BLINDING;
  return blinding;
}

/** SHA-256 of the blinding's bytes and the statement, in hexadecimal digits. A blinding may be written as a UUID. */
export function commitmentOf(blinding: string, statement: string): string {
  const digits = blinding.length === 2 * BLINDING ? blinding : blinding.replaceAll('-', '');
  // No character takes more than three bytes of UTF-8.
  const bytes =
    BLINDING + 3 * statement.length <= SCRATCH.length
      ? SCRATCH
      : Buffer.allocUnsafe(BLINDING + Buffer.byteLength(statement));
  bytes.write(digits, 0, BLINDING, 'hex');
  const length = bytes.write(statement, BLINDING, 'utf8');
  return hash('sha256', bytes.subarray(0, BLINDING + length));
}

/** Hides a statement under a new blinding. */
export function seal(statement: string): Sealed {
  const blinding = newBlinding();
  return { blinding, commitment: commitmentOf(blinding, statement) };
}
