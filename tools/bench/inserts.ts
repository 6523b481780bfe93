import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Latencies } from './latencies';
import type { Answers } from './load';
import { insertOne } from './one-insert';

/** The upper bound of the database without group commit: clients that commit one insert after the other. */
async function main(databaseUrl: string, clients: number): Promise<void> {
  const insert = insertOne('reference_inserts');
  const all = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  process.on('message', ({ seconds }: { seconds: number }) => {
    run(seconds).then(
      (value) => process.send?.({ value }),
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
  process.send?.({ value: 'ready' });

  async function run(seconds: number): Promise<Answers> {
    const latencies = new Latencies();
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    let answers = 0;
    const loop = async (client: pg.Client): Promise<void> => {
      for (let now = performance.now(); now < startedAt + seconds * 1000; ) {
        await client.query(insert(randomUUID()));
        const after = performance.now();
        latencies.add(after - now);
        answers += 1;
        now = after;
      }
    };
    await Promise.all(all.map(loop));
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      answers,
      byStatus: { committed: answers },
      seconds: (performance.now() - startedAt) / 1000,
      cpu: (user + system) / 1e6,
      ...latencies.summary(),
    };
  }
}

process.on('disconnect', () => process.exit());
void main(process.argv[2] as string, Number(process.argv[3]));
