import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { connect } from '../server/src/db/knex';
import { migrate } from '../server/src/db/migrate';
import { migrations } from '../server/src/db/migrations';
import * as keyExpiry from '../server/src/db/migrations/20261121002500_key_expiry';
import { setNotNull } from '../server/src/db/set-not-null';
import { emptyDatabase } from './helpers/database';
import { FIRST, fingerprint, knowing, later, RELEASED } from './helpers/migrations/released';
import { faultsOf, type Kind } from './helpers/migrations/rules';

jest.setTimeout(60_000);

const VERSIONS = [
  ...readFileSync(join(__dirname, '..', 'CHANGELOG.md'), 'utf8').matchAll(/^## \[?v?(\d+\.\d+\.\d+)/gm),
].map(([, version]) => version);

const databases: { knex: Knex; drop(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { knex, drop } of databases) {
    await knex.destroy();
    await drop();
  }
});

/** A database with the first released schema. */
async function firstSchema(): Promise<Knex> {
  const database = await emptyDatabase();
  const knex = connect(database.url, 2);
  databases.push({ knex, drop: database.drop });
  await knowing(
    (name) => FIRST.includes(name),
    () => migrate(knex),
  );
  return knex;
}

/** The statements that work sends. */
async function statementsOf(knex: Knex, work: (knex: Knex) => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const listen = ({ sql }: { sql: string }): void => void sent.push(sql);
  knex.on('query', listen);
  await work(knex);
  knex.removeListener('query', listen);
  return sent;
}

test('migrations are in the order of their names, and what is released stays as it is', () => {
  const names = Object.keys(migrations);
  expect(names).toEqual([...names].sort());
  expect(names.slice(0, FIRST.length)).toEqual(FIRST);
  const now = Object.fromEntries(Object.keys(RELEASED).map((name) => [name, fingerprint(name)]));
  expect(now).toEqual(RELEASED);
});

test('every migration after the first released schema says which step it is, and means it', () => {
  const faulty = later().flatMap(([name, { step, background, config, unusedSince }]) => {
    if (step === undefined) return [`${name}: export const step = 'expand' as const, or 'contract'`];
    if (background && (step !== 'expand' || config?.transaction !== false))
      return [`${name}: background is for expand steps with config = { transaction: false }`];
    if (unusedSince !== undefined && (step !== 'contract' || !VERSIONS.includes(unusedSince)))
      return [`${name}: unusedSince names a released version, in a contract step`];
    return [];
  });
  expect(faulty).toEqual([]);
});

test('no statement after the first released schema locks or rewrites a large table', async () => {
  const knex = await firstSchema();
  const faults: string[] = [];
  for (const [name, migration] of later()) {
    const isAlone = migration.config?.transaction === false;
    const run = (): Promise<unknown> =>
      isAlone ? migration.up(knex) : knex.transaction((trx) => migration.up(trx));
    const statements = await statementsOf(knex, run);
    faults.push(...faultsOf(migration, statements).map((fault) => `${name}: ${fault}`));
    // What is not in a transaction must bear being begun again.
    if (isAlone) await run();
  }
  expect(faults).toEqual([]);
});

test('the rules see what a migration sends, and would have refused the one that held writers for long', async () => {
  const knex = await firstSchema();
  const down = await statementsOf(knex, (at) => keyExpiry.down(at));
  const up = await statementsOf(knex, (at) => keyExpiry.up(at));
  expect(down).toHaveLength(3);
  expect(faultsOf({ step: 'expand' }, up)).toEqual([
    expect.stringMatching(/^ALTER TABLE idempotency_keys RENAME .*: no process bears a change of name/),
    expect.stringMatching(/^UPDATE idempotency_keys SET .*: its rows stay locked .* use backfill\(\)/),
    expect.stringMatching(/^ALTER INDEX .*: no process bears a change of name/),
  ]);
  await knex.raw('CREATE TABLE proven (n integer)');
  const proof = await statementsOf(knex, (at) => setNotNull(at, 'proven', 'n'));
  expect(faultsOf({ step: 'contract', config: { transaction: false } }, proof)).toEqual([]);
  expect(faultsOf({ step: 'contract' }, proof)).toEqual([expect.stringMatching(/VALIDATE CONSTRAINT/)]);
});

const EXPAND: Kind = { step: 'expand' };
const CONTRACT: Kind = { step: 'contract' };

test.each<[string, RegExp | null, (RegExp | null)?]>([
  ['ALTER TABLE a DROP COLUMN b', /older processes use it: .* contract step/, null],
  ['ALTER TABLE a RENAME b TO c', /change of name/],
  ['ALTER TABLE a RENAME TO c', /change of name/],
  ['ALTER TABLE a ALTER COLUMN b TYPE bigint', /rewritten/],
  ['ALTER TABLE a ALTER b SET DATA TYPE bigint', /rewritten/],
  ['DROP TABLE a', /contract step/, null],
  ['ALTER TABLE a ADD COLUMN b text NOT NULL', /constant default/],
  ["ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT ''", null],
  ["ALTER TABLE a ADD COLUMN b text[] DEFAULT '{}', ADD COLUMN c timestamptz DEFAULT now()", null],
  ['ALTER TABLE a ADD COLUMN b text', null],
  ['ALTER TABLE a ADD b uuid DEFAULT gen_random_uuid()', /rewrites the table/],
  ['ALTER TABLE a ADD COLUMN c text, ADD COLUMN b timestamptz DEFAULT clock_timestamp()', /rewrites/],
  ['ALTER TABLE a ADD COLUMN b bigserial', /rewritten/],
  ['ALTER TABLE a ADD COLUMN b int GENERATED ALWAYS AS (c * 2) STORED', /rewritten/],
  ['ALTER TABLE a ADD COLUMN b int REFERENCES c (id)', /NOT VALID/],
  ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0)', /NOT VALID/],
  ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0) NOT VALID', null],
  ['ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c (id)', /NOT VALID/],
  ['ALTER TABLE a ADD CONSTRAINT b UNIQUE (c)', /USING INDEX/],
  ['ALTER TABLE a ADD CONSTRAINT b UNIQUE USING INDEX c', null],
  ['ALTER TABLE a VALIDATE CONSTRAINT b', /transaction: false/],
  ['ALTER TABLE a ALTER COLUMN b SET NOT NULL', /contract step/, /use setNotNull/],
  ['ALTER TABLE a SET UNLOGGED', /rewritten/],
  ['CREATE INDEX b ON a (c)', /use buildIndex/],
  ['create unique index b on a (c)', /use buildIndex/],
  ['CREATE INDEX CONCURRENTLY b ON a (c)', null],
  ['CREATE TABLE a (n int); CREATE INDEX b ON a (n); UPDATE a SET n = 1', null],
  ['DROP INDEX b', /CONCURRENTLY/],
  ['DROP INDEX CONCURRENTLY b', /ON CONFLICT/, null],
  ['DROP INDEX IF EXISTS consents_b', /ON CONFLICT/, null],
  ['UPDATE a SET b = 1', /use backfill/],
  ['DELETE FROM a', /use backfill/],
  ['WITH old AS (SELECT 1) UPDATE a SET b = 1', /use backfill/],
  ['TRUNCATE a', /contract step/],
  ['LOCK TABLE a', /keeps writers out/],
  ['DO $$ BEGIN LOCK TABLE a; END $$', /keeps writers out/],
  ['VACUUM FULL a', /rewrites/],
  ['REINDEX TABLE a', /CONCURRENTLY/],
  ["COMMENT ON TABLE a IS 'UPDATE; DROP TABLE'", null],
  ['SELECT 1 -- UPDATE a SET b = 1', null],
])('%s', (sql, inExpand, inContract = inExpand) => {
  const expectFault = (kind: Kind, fault: RegExp | null): void =>
    expect(faultsOf(kind, [sql])).toEqual(fault === null ? [] : [expect.stringMatching(fault)]);
  expectFault(EXPAND, inExpand);
  expectFault(CONTRACT, inContract);
});
