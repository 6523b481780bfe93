import type { Figure } from '../figure';
import { consents } from '../kinds';
import type { Host } from '../stage';

/** Statements and commits for each write; commits as counted by PostgreSQL. */
export const cost: Figure = {
  name: 'cost',
  async run({ stage, report, quick, ...bench }) {
    const host = await bench.host();
    const before = await counters(host);
    const { answers } = await stage.ask(host, consents, 64, { count: quick ? 10_000 : 50_000 });
    const after = await counters(host);
    const statements = (after.statements - before.statements) / answers;
    report.outcome('cost', 'SQL statements for each write', statements, { most: 0.3 });
    report.outcome('cost', 'commits for each write', (after.commits - before.commits) / answers, {
      most: 0.05,
    });
    report.outcome('cost', 'writes in a group', answers / (after.groups - before.groups));
  },
};

interface Counters {
  statements: number;
  groups: number;
  commits: number;
}

async function counters({ avow, database }: Host): Promise<Counters> {
  const metrics = await avow.metrics();
  // A backend reports its latest counts after up to 10 s, or when it ends; the pool replaces ended
  // connections.
  await database.sql(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'avow%' AND state = 'idle'`,
  );
  const [row] = await database.sql<{ commits: number }>(
    'SELECT xact_commit::float AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return {
    statements: metrics.get('avow_ingest_statements_total') ?? Number.NaN,
    groups: metrics.get('avow_ingest_commits_total') ?? Number.NaN,
    commits: row?.commits ?? Number.NaN,
  };
}
