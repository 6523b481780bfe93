import type { TestServer } from '../server';

/**
 * The daily counts of an environment, as `metric key language device` with their number, over all slots and
 * days.
 */
export async function countsOf(server: TestServer, token: string): Promise<Record<string, number>> {
  const rows = await query(server, 'daily_counts', token)
    .select('metric', 'key', 'language', 'device')
    .sum({ n: 'n' })
    .groupBy('metric', 'key', 'language', 'device');
  const name = (row: Record<string, string>) =>
    [row.metric, row.key, row.language, row.device].filter(Boolean).join(' ');
  return Object.fromEntries(rows.map((row) => [name(row), Number(row.n)]));
}

/** The counts by day and by hour. */
export async function bucketsOf(server: TestServer, token: string) {
  const add = (table: string, column: string) =>
    query(server, table, token)
      .groupBy(column)
      .orderBy(column)
      .select(column, server.service.context.db.raw('sum(n) AS n'));
  const days = await add('daily_counts', 'day');
  const hours = await add('hourly_counts', 'hour');
  return {
    days: days.map(({ day, n }) => [day, Number(n)]),
    hours: hours.map(({ hour, n }) => [hour.toISOString(), Number(n)]),
  };
}

const query = (server: TestServer, table: string, token: string) =>
  server.service.context
    .db(table)
    .join('environments', 'environments.id', `${table}.environment_id`)
    .where({ token });
