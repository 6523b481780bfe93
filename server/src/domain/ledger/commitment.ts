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

/** The place in the pool of random bytes that nobody had before. */
function takeBlinding(): number {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += BLINDING;
  return used - BLINDING;
}

/** As hexadecimal digits; what was handed out is not kept. */
function handOut(at: number): string {
  const blinding = POOL.toString('hex', at, at + BLINDING);
  POOL.fill(0, at, at + BLINDING);
  return blinding;
}

/** Sixteen random bytes that are used once, as 32 hexadecimal digits. */
export const newBlinding = (): string => handOut(takeBlinding());

/** Room for a blinding and a statement. */
const roomFor = (statement: string): Buffer =>
  // No character takes more than three bytes of UTF-8.
  BLINDING + 3 * statement.length <= SCRATCH.length
    ? SCRATCH
    : Buffer.allocUnsafe(BLINDING + Buffer.byteLength(statement));

/** The hash of the blinding that is in these bytes and a statement. */
const hashBehind = (bytes: Buffer, statement: string): string =>
  hash('sha256', bytes.subarray(0, BLINDING + bytes.write(statement, BLINDING, 'utf8')));

/** SHA-256 of the blinding's bytes and the statement, in hexadecimal digits. A blinding may be written as a UUID. */
export function commitmentOf(blinding: string, statement: string): string {
  const digits = blinding.length === 2 * BLINDING ? blinding : blinding.replaceAll('-', '');
  const bytes = roomFor(statement);
  bytes.write(digits, 0, BLINDING, 'hex');
  return hashBehind(bytes, statement);
}

/** Hides a statement under a new blinding: the blinding is not read from digits again, which each decision waits for. */
export function seal(statement: string): Sealed {
  const at = takeBlinding();
  const bytes = roomFor(statement);
  POOL.copy(bytes, 0, at, at + BLINDING);
  return { blinding: handOut(at), commitment: hashBehind(bytes, statement) };
}
