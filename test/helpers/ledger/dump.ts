import type { Knex } from 'knex';
import { tablesOf } from '../site/rows';

/** Every row of every table as text, to look for what must not be there. */
export async function dumpOf(db: Knex): Promise<string> {
  const parts: string[] = [];
  for (const name of (await tablesOf(db)).keys()) {
    const { rows } = await db.raw<{ rows: { text: string }[] }>('SELECT t::text AS text FROM ?? AS t', [
      name,
    ]);
    parts.push(...rows.map(({ text }) => text));
  }
  return parts.join('\n');
}
