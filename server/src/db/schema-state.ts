import type { Knex } from 'knex';
import { isAtLeast } from '../domain/versions';
import { migrations } from './migrations';

/** A contract step that was run, or at least begun. */
export interface ContractStep {
  name: string;
  /** The released version that no longer used what it takes away; null: only who knows the step is sure. */
  unused_since: string | null;
  /** The version that ran it. */
  version: string;
}

/** What this program's migrations and those of the database have in common. */
export interface SchemaState {
  /** Whether no migration was ever applied. */
  isNew: boolean;
  /** Expand steps that this program cannot work without. */
  pending: string[];
  /** Expand steps that are done while it works. */
  background: string[];
  /** Contract steps that wait for the operator's command. */
  contracts: string[];
  /** What a newer program added; this one works nevertheless. */
  newer: string[];
  /** Contract steps that took away what this program needs. */
  beyond: ContractStep[];
}

const isContract = (name: string): boolean => migrations[name]?.step === 'contract';

/** The contract steps that this program brings, and so can do without what they take away. */
export const knownContracts = (): string[] => Object.keys(migrations).filter(isContract);

/** Whether a program of that version, which knows those contract steps, works after a contract step. */
export const bears = (
  { name, unused_since }: Pick<ContractStep, 'name' | 'unused_since'>,
  program: { version: string; contracts: readonly string[] },
): boolean =>
  program.contracts.includes(name) || (unused_since !== null && isAtLeast(program.version, unused_since));

/** Compares the database with this program. A migration that this program does not know is no fault. */
export async function schemaState(knex: Knex, version: string): Promise<SchemaState> {
  const applied = await appliedMigrations(knex);
  const done = new Set(applied);
  const missing = Object.keys(migrations).filter((name) => !done.has(name));
  const expanding = missing.filter((name) => !isContract(name));
  const isBackground = (name: string): boolean => migrations[name]?.background === true;
  const program = { version, contracts: knownContracts() };
  return {
    isNew: applied.length === 0,
    pending: expanding.filter((name) => !isBackground(name)),
    background: expanding.filter(isBackground),
    contracts: missing.filter(isContract),
    newer: applied.filter((name) => !Object.hasOwn(migrations, name)).sort(),
    beyond: (await begunContracts(knex)).filter((step) => !bears(step, program)),
  };
}

/** Names of migrations that this database does not have yet and this program cannot work without. */
export const pendingMigrations = async (knex: Knex): Promise<string[]> =>
  (await schemaState(knex, '')).pending;

/** Why this program cannot work on the database, in words; undefined when it can. */
export function refusal({ beyond }: SchemaState, version: string): string | undefined {
  const step = beyond.at(-1);
  if (step === undefined) return undefined;
  const fit = step.unused_since ?? step.version;
  return (
    `Avow ${version} cannot work on this database any more: the contract step ${step.name}, run by Avow ${step.version}, ` +
    `took away what it uses. Start Avow ${fit} or newer, or restore the backup that was made before that step.`
  );
}

async function appliedMigrations(knex: Knex): Promise<string[]> {
  if (!(await hasTable(knex, 'avow_migrations'))) return [];
  return knex('avow_migrations').pluck('name');
}

async function begunContracts(knex: Knex): Promise<ContractStep[]> {
  if (!(await hasTable(knex, 'contract_steps'))) return [];
  return knex('contract_steps').select('name', 'unused_since', 'version').orderBy('started_at');
}

/** Whether the schema has a table yet. */
export async function hasTable(knex: Knex, name: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { there: boolean }[] }>(
    'SELECT to_regclass(?) IS NOT NULL AS there',
    [name],
  );
  return rows[0]?.there === true;
}
