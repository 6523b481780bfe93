import { type Kind, misfit } from './lines.js';
import { verifyInclusion } from './merkle.js';
import type { Checkpoint } from './note.js';
import { commitmentOf, readStatement, type Statement, subjectOf } from './statement.js';

/** What was found of one record. */
export interface Outcome {
  ok: boolean | 'unknown';
  what: string;
  where: string;
  /** Undefined when it could not be read. */
  statement?: Statement | undefined;
  /** Undefined where none was looked for: it waits, or it failed before. */
  leaf?: number;
}

export const RECORD_MEMBERS: Record<string, Kind> = {
  kind: 'text',
  statement: 'text',
  blinding: 'text?',
  leaf: 'number?',
  proof: 'list?',
  'pending?': 'any',
  'unproven?': 'any',
};

export const PENDING = 'not sealed yet: ask again';
/** What a log says itself of a record that was changed or added behind its back, or whose proof is gone. */
export const UNPROVEN = 'it is not in the log: it, or its proof, was changed, added or removed';

const KINDS = 'consent form_consent settings vendors bundle dsar breach erasure import'.split(' ');

/** Verifies one record against a checkpoint. @param site the token of the site that it must be of */
export async function verifyRecord(
  value: Record<string, unknown>,
  site: string,
  head: Checkpoint | undefined,
  where: string,
): Promise<Outcome> {
  const wrong = misfit(value, RECORD_MEMBERS);
  if (wrong !== undefined) return { ok: false, what: wrong, where };
  const { kind, leaf, pending, proof } = value as {
    kind: string;
    leaf: number;
    pending: unknown;
    proof: string[];
  };
  try {
    const statement = readStatement(value.statement as string);
    const about = `${statement.kind} ${nameOf(statement)}`.trim();
    const found = (ok: Outcome['ok'], what: string, more?: Partial<Outcome>): Outcome => ({
      ok,
      what: `${about}: ${what}`,
      where,
      ...more,
    });
    if (statement.kind !== kind) return found(false, `the line says to be of the kind "${kind}"`);
    if (statement.site !== site) return found(false, `it is of the site ${statement.site}, not of ${site}`);
    if (value.unproven === true) return found(false, UNPROVEN, { statement });
    const isPending = pending === true;
    if (isPending !== (leaf === null) || isPending !== (proof === null))
      return found(false, 'leaf, proof and pending do not agree');
    if (isPending) return found('unknown', PENDING, { statement });
    if (head === undefined) return found(false, 'no checkpoint stands before it');
    const whole = { statement, leaf };
    const commitment = await commitmentOf(value.blinding as string, value.statement as string);
    const { size, root } = head;
    if (leaf >= size) return found(false, `leaf ${leaf} is not in a tree of ${size} leaves`, whole);
    if (!(await verifyInclusion({ commitment, leaf, size, root, proof })))
      return found(false, UNPROVEN, whole);
    if (!KINDS.includes(kind))
      return found('unknown', `leaf ${leaf}; this program knows no such kind`, whole);
    const since = statement.imported_on;
    const imported =
      since === undefined
        ? ''
        : `; the operator says imported on ${since}: nothing is proven of the time before`;
    const by = statement.record.recorded_by === 'owner' ? ", recorded by the owner's program" : '';
    return found(true, `leaf ${leaf} of the log${by}${imported}`, whole);
  } catch (error) {
    return { ok: false, what: (error as Error).message, where };
  }
}

/** What people know a record by. */
function nameOf({ kind, record }: Statement): string {
  const name = record.consent_id ?? record.form_consent_id ?? record.erasure_id ?? subjectOf(kind, record);
  const value = name ?? record.hash ?? record.version ?? '';
  // Who took a step, and what they wrote; earlier versions did not seal it.
  const said = [record.step, record.actor, record.note].filter((text) => typeof text === 'string');
  return `${String(value)} ${said.join(', ')}`.trim().slice(0, 600);
}
