import type { Knex } from 'knex';
import type { Topic } from '../../domain/notices';
import { DAY_MS } from '../../domain/time';
import type { SiteNotice } from './told';

/** Notices of one topic in 24 hours about a site, over all its members, who have equal shares of them. */
const OF_TOPIC = 1_000;
/** What each member is told of a topic in any case, and at most: nobody reads more one by one. */
const SHARE = { least: 20, most: 200 };

/** How many notices of each topic the members of a site were told in 24 hours, as `user topic`. */
export type Counted = Map<string, number>;

export async function countedToday(
  db: Knex,
  environment_id: string,
  members: readonly number[],
  now: Date,
): Promise<Counted> {
  const rows: { user_id: number; topic: Topic; count: string }[] = await db('notices')
    .where({ environment_id })
    .whereIn('user_id', members)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .groupBy('user_id', 'topic')
    .select('user_id', 'topic')
    .count();
  return new Map(rows.map(({ user_id, topic, count }) => [`${user_id} ${topic}`, Number(count)]));
}

/** The newest of each topic that a member is still told today, and one that says that there is more. */
export function shareOf<One extends SiteNotice>(
  user_id: number,
  members: number,
  wanted: readonly One[],
  counted: Counted,
  now: Date,
): One[] {
  const share = Math.min(SHARE.most, Math.max(SHARE.least, Math.floor(OF_TOPIC / members)));
  const topics = new Map<Topic, One[]>();
  for (const notice of wanted) {
    const ofTopic = topics.get(notice.topic);
    if (ofTopic === undefined) topics.set(notice.topic, [notice]);
    else ofTopic.push(notice);
  }
  return [...topics].flatMap(([topic, ofTopic]) => {
    const had = counted.get(`${user_id} ${topic}`) ?? 0;
    // The one that says that there is more has been told.
    if (had > share) return [];
    if (had + ofTopic.length <= share) return ofTopic;
    const newest = [...ofTopic].sort((one, other) => timeOf(other) - timeOf(one)).slice(0, share - had);
    return [...newest, moreOf(ofTopic[0] as One, now)];
  });
}

/** What has no time lasts, and is as new as can be. */
const timeOf = ({ at }: SiteNotice): number => at?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** Of a kind that strangers can make as much of as they like, nobody is told everything one by one. */
const moreOf = <One extends SiteNotice>(one: One, now: Date): One => ({
  ...one,
  key: `more ${one.topic} ${now.toISOString().slice(0, 10)}`,
  at: now,
  message: 'There is more of this kind than is told one by one in a day: the console shows all of it.',
  path: `/${one.path.split('/')[1] ?? ''}`,
});
