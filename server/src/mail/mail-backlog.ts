import type { Knex } from 'knex';

/** What waits in the outbox of mails, for the metrics. */
export interface MailBacklog {
  /** When the oldest mail that waits was queued; undefined when none waits. */
  oldestAt: Date | undefined;
  /** Mails that were given up in the last 24 hours. */
  failed: number;
}

export async function measureMails(db: Knex): Promise<MailBacklog> {
  const oldest = await db('mails').where({ state: 'pending' }).min<{ at: Date | null }[]>('created_at AS at');
  const failed = await db('mails')
    .where({ state: 'failed' })
    .whereRaw("ended_at > now() - interval '24 hours'")
    .count<{ n: string }[]>('* AS n');
  return { oldestAt: oldest[0]?.at ?? undefined, failed: Number(failed[0]?.n ?? 0) };
}
