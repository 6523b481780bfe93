import type { Knex } from 'knex';
import { newId, newIdAfter, timeOfId } from '../../domain/ids';
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
  row: { statement: string | null };
}

/** The row of a fact, and its commitment. @param group what it is sealed with, by its id */
export function makeFact(site: string, fact: NewFact, group?: string): MadeFact {
  const { environmentId: environment_id, kind, subject, record, keep = false, importedOn } = fact;
  const fact_id = newIdAfter(group, 1);
  const at = timeOfId(fact_id).toISOString();
  const statement = statementOf({ kind, site, record, imported_on: importedOn });
  const { blinding, commitment } = seal(statement);
  const kept = { statement: keep ? statement : null, imported: importedOn !== undefined };
  const row = { environment_id, fact_id, at, kind, subject, blinding, ...kept };
  return { fact_id, at, commitment, row };
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
  const grouped = inGroups(facts).map(([group, some]) => ({
    group,
    made: some.map((fact) => makeFact(token, fact, group)),
  }));
  const made = grouped.flatMap((one) => one.made);
  await trx('ledger_facts').insert(made.map(({ row }) => row));
  const leafOf = ({ at, commitment }: MadeFact): Leaf => ({ environment_id, at, commitment });
  const key = groupKeyOf(trx);
  const groups = grouped.flatMap((one) => pendingRows(key, one.made.map(leafOf), () => one.group));
  await trx('ledger_pending').insert(
    groups.map(({ leaves, mac, ...group }) => ({
      ...group,
      leaves: bytes(leaves),
      mac: bytes(mac),
    })),
  );
  return made.reduce((sum, { row }) => sum + Buffer.byteLength(row.statement ?? ''), 0);
}

/**
 * Groups are sealed in the order of their ids: that of a fact stands between what was sealed before of the same row and
 * the fact itself, whose id the next step knows. One that follows a fact of a clock that is ahead stands by itself.
 */
function inGroups(facts: readonly NewFact[]): [id: string, facts: NewFact[]][] {
  const common = newId();
  const isBehind = ({ after }: NewFact): boolean => after === undefined || after < common;
  const together = facts.filter(isBehind);
  const alone = facts.filter((fact) => !isBehind(fact));
  return [
    ...(together.length > 0 ? [[common, together] as [string, NewFact[]]] : []),
    ...alone.map((fact): [string, NewFact[]] => [newIdAfter(fact.after), [fact]]),
  ];
}

const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');

/** The token by which statements name a site. */
export async function tokenOf(db: Knex, environmentId: string): Promise<string> {
  const site = await db('environments').where({ id: environmentId }).first('token');
  return site.token as string;
}

/** The newest of the facts that sealed versions, by their kinds; undefined when none is sealed. */
export async function newestOf(
  trx: Knex,
  environment_id: string,
  versions: Partial<Record<LeafKind, number>>,
): Promise<string | undefined> {
  const facts: string[] = [];
  for (const [kind, version] of Object.entries(versions))
    facts.push(
      ...(await trx('ledger_facts')
        .where({ environment_id, kind, subject: String(version) })
        .pluck('fact_id')),
    );
  return facts.sort().at(-1);
}
