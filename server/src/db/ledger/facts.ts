import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import { newIdAfter, timeOfId } from '../../domain/ids';
import { seal } from '../../domain/ledger/commitment';
import { type LeafKind, statementOf } from '../../domain/ledger/statement';
import { groupKeyOf } from './group-key';
import { type Leaf, pendingRows } from './pending';

/** A fact that an owner's change, or a job, makes. */
export interface NewFact {
  environmentId: string;
  kind: Exclude<LeafKind, 'consent'>;
  /** What the fact is about: an id, a hash or a version. */
  subject: string;
  record: object;
  /** Whether the row that it is about can change, so that its statement must be kept. */
  keep?: boolean;
  /** The fact that was sealed of the same row before: facts are ordered by their ids. */
  after?: string | undefined;
  /** When it is sealed as a fact from before the log. */
  importedOn?: string;
}

/** A fact that is ready to be stored and sealed. */
export interface MadeFact {
  fact_id: string;
  at: string;
  commitment: string;
  /** Whether the fact before it is dated ahead of the clock: then it is sealed in a group of its own. */
  isAhead: boolean;
  row: { statement: string | null };
}

/** The row of a fact, and its commitment. */
export function makeFact(site: string, fact: NewFact): MadeFact {
  const { environmentId: environment_id, kind, subject, record, keep = false, importedOn } = fact;
  const fact_id = newIdAfter(fact.after);
  const at = timeOfId(fact_id).toISOString();
  const statement = statementOf({ kind, site, record, imported_on: importedOn });
  const { blinding, commitment } = seal(statement);
  const kept = { statement: keep ? statement : null, imported: importedOn !== undefined };
  const row = { environment_id, fact_id, at, kind, subject, blinding, ...kept };
  const isAhead = fact.after !== undefined && timeOfId(fact.after).getTime() > clock.now();
  return { fact_id, at, commitment, isAhead, row };
}

/**
 * Stores a fact and what will seal it, in the transaction of the change that makes it. Resolves with the length of the
 * statement.
 */
export const sealFact = (trx: Knex, fact: NewFact): Promise<number> => sealFacts(trx, [fact]);

/** The same of several facts of one site. */
export async function sealFacts(trx: Knex, facts: readonly NewFact[]): Promise<number> {
  const [first] = facts;
  if (first === undefined) return 0;
  const { environmentId: environment_id } = first;
  const token = await tokenOf(trx, environment_id);
  const made = facts.map((fact) => makeFact(token, fact));
  await trx('ledger_facts').insert(made.map(({ row }) => row));
  const leafOf = ({ at, commitment }: MadeFact): Leaf => ({ environment_id, at, commitment });
  const key = groupKeyOf(trx);
  // Groups are sealed in the order of their ids: one that follows another fact stands by itself behind that.
  const groups = [
    ...pendingRows(key, made.filter(({ isAhead }) => !isAhead).map(leafOf)),
    ...made.filter(({ isAhead }) => isAhead).flatMap((one) => pendingRows(key, [leafOf(one)], one.fact_id)),
  ];
  await trx('ledger_pending').insert(
    groups.map(({ leaves, mac, ...group }) => ({
      ...group,
      leaves: bytes(leaves),
      mac: bytes(mac),
    })),
  );
  return made.reduce((sum, { row }) => sum + Buffer.byteLength(row.statement ?? ''), 0);
}

const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');

/** The token by which statements name a site. */
export async function tokenOf(db: Knex, environmentId: string): Promise<string> {
  const site = await db('environments').where({ id: environmentId }).first('token');
  return site.token as string;
}
