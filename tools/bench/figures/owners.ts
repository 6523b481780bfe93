import type { Database } from '../database';
import type { Figure } from '../figure';
import { DAYS } from '../fill-history';
import type { Histories, History } from '../histories';
import { median } from '../numbers';

/** Records of each exported file. */
const EXPORTED = 1_000;
const FLAT = 1.5;

interface Sample {
  session_id: string;
  consent_id: string;
  recorded_at: Date;
}

/** One thing that owners ask of a site, about a record that they pick, and whether the answer is what it should be. */
interface Task {
  about: string;
  method?: string;
  path(record: Sample, history: History): string;
  isRight(text: string, record: Sample): boolean;
}

const names = (text: string, { consent_id }: Sample): boolean => text.includes(consent_id);
const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** A time span around a record in which the site has about as many records as any other. */
function spanOf({ recorded_at }: Sample, { decisions }: History): string {
  const half = (DAYS * 86_400_000 * EXPORTED) / decisions / 2;
  const at = (sign: number): string => new Date(recorded_at.getTime() + sign * half).toISOString();
  return `from=${at(-1)}&to=${at(1)}`;
}

const TASKS: Task[] = [
  {
    about: 'the newest page of consents',
    path: () => '/consents?limit=50',
    isRight: (text) => JSON.parse(text).data.items.length === 50,
  },
  {
    about: 'a page of refusals from a day on',
    path: ({ recorded_at }) => `/consents?limit=50&decision=reject_all&to=${recorded_at.toISOString()}`,
    isRight: (text) => JSON.parse(text).data.items.length === 50,
  },
  {
    about: 'a search by session',
    path: ({ session_id }) => `/consents?session_id=${session_id}`,
    isRight: names,
  },
  {
    about: 'a search by the beginning of an id',
    path: ({ consent_id }) => `/consents?id=${consent_id.slice(0, 13)}`,
    isRight: names,
  },
  {
    about: `an export of ${EXPORTED.toLocaleString('en')} records`,
    path: (record, history) => `/consents/export?format=ndjson&${spanOf(record, history)}`,
    isRight: (text, record) => names(text, record) && Math.abs(linesOf(text) / EXPORTED - 1) < 0.1,
  },
  {
    about: 'an erasure of a session',
    method: 'DELETE',
    path: ({ session_id }) => `/sessions/${session_id}`,
    isRight: (text) => JSON.parse(text).data.consents === 1,
  },
];

/** How the time of what owners ask about consents grows with the number of decisions. */
export const owners: Figure = {
  name: 'owners',
  async run({ report, quick, ...bench }) {
    const histories = await bench.histories();
    const { small, large } = histories;
    const rounds = quick ? 10 : 40;
    for (const task of TASKS) {
      const [few, many] = [
        await samplesOf(histories.host.database, small, rounds + 3),
        await samplesOf(histories.host.database, large, rounds + 3),
      ];
      const laps: { small: number; large: number }[] = [];
      for (const [round, record] of few.entries()) {
        const lap = {
          small: await timed(histories, task, small, record),
          large: await timed(histories, task, large, many[round] as Sample),
        };
        // The first rounds only warm the caches.
        if (round >= 3) laps.push(lap);
      }
      const grown = median(laps.map((lap) => lap.large)) / median(laps.map((lap) => lap.small));
      const sizes = `${large.decisions.toLocaleString('en')} decisions ÷ with ${small.decisions.toLocaleString('en')}`;
      report.outcome('owners', `${task.about}: time with ${sizes}`, grown, { most: FLAT });
      report.detail(`owners, ms: ${task.about}`, laps);
    }
  },
};

/** Records from all over a site's time, each of which is used once. */
async function samplesOf({ sql }: Database, { token }: History, count: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let n = 0; n < count; n += 1) {
    const daysAgo = 5 + Math.random() * (DAYS - 15);
    samples.push(
      ...(await sql<Sample & Record<string, unknown>>(
        `SELECT session_id, consent_id, recorded_at FROM consents
         WHERE environment_id = (SELECT id FROM environments WHERE token = $1)
           AND recorded_at >= now() - $2::float8 * interval '1 day' ORDER BY recorded_at LIMIT 1`,
        [token, daysAgo],
      )),
    );
  }
  return samples;
}

/** The time of one request until its answer is read, in milliseconds. */
async function timed(
  { host, bearer }: Histories,
  { about, method = 'GET', path, isRight }: Task,
  history: History,
  record: Sample,
): Promise<number> {
  const url = `http://127.0.0.1:${host.avow.port}/api/cookies/${history.token}${path(record, history)}`;
  const startedAt = performance.now();
  const response = await fetch(url, { method, headers: { Authorization: `Bearer ${bearer}` } });
  const text = await response.text();
  const took = performance.now() - startedAt;
  if (!response.ok || !isRight(text, record))
    throw new Error(`${about}: ${response.status} ${text.slice(0, 300)}`);
  return took;
}
