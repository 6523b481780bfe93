import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import knex from 'knex';
import type { ModelClass } from 'objection';
import * as models from '../../server/src/db/models';
import { Row } from '../../server/src/db/models/row';

const FOLDER = join(__dirname, '..', '..', 'server', 'src', 'db', 'models');
const db = knex({ client: 'pg' });
const rows = Object.entries(models).filter(([, model]) => typeof model === 'function');

test.each(rows)('%s: the first row is one row, whatever matches', (_, model) => {
  const all = model as unknown as ModelClass<Row>;
  for (const query of [all.query(db).first(), all.query(db).where({ a: 1 }).orderBy('b').first()])
    expect(query.toKnexQuery().toQuery()).toMatch(/ limit 1$/);
  expect(all.query(db).findOne({ a: 1 }).forUpdate().toKnexQuery().toQuery()).toMatch(/ limit 1 for update$/);
});

test('every model is a Row', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [name, model] of rows)
    expect([name, (model as typeof Row).prototype instanceof Row]).toEqual([name, true]);
  const others = readdirSync(FOLDER).filter(
    (file) => file !== 'row.ts' && readFileSync(join(FOLDER, file), 'utf8').includes('extends Model'),
  );
  expect(others).toEqual([]);
});
