import type { Knex } from 'knex';

/** Columns that hold sealed texts, or what they are made of. */
const TEXTS = ['statement', 'statements', 'history'];

const bytesOf = (row: unknown): number =>
  TEXTS.reduce((sum, column) => {
    const text: unknown = Object(row)[column];
    if (typeof text === 'string') return sum + Buffer.byteLength(text);
    return sum + (text === undefined || text === null ? 0 : Buffer.byteLength(JSON.stringify(text)));
  }, 0);

/** The bytes of sealed texts that some work reads: in all, and the most of one answer of the database. */
export async function textsRead<Result>(db: Knex, work: () => Promise<Result>) {
  let [all, most] = [0, 0];
  const count = (answer: unknown): void => {
    const rows = Object(answer).rows ?? answer;
    if (!Array.isArray(rows)) return;
    const bytes = rows.reduce((sum: number, row) => sum + bytesOf(row), 0);
    all += bytes;
    most = Math.max(most, bytes);
  };
  db.on('query-response', count);
  try {
    const result = await work();
    return { all, most, result };
  } finally {
    db.removeListener('query-response', count);
  }
}
