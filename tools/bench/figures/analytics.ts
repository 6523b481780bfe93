import type { Figure } from '../figure';
import { DAYS } from '../fill-history';
import { median } from '../numbers';
import type { Host } from '../stage';

/** How the time of a report over 90 days grows with the number of decisions. */
export const analytics: Figure = {
  name: 'analytics',
  async run({ report, quick, ...bench }) {
    const { host, bearer, small, large } = await bench.histories();
    const [few, many] = [small.decisions, large.decisions];
    const rounds = quick ? 10 : 40;
    for (const by of ['day', 'day&group_by=language', 'month']) {
      const times: { small: number; large: number }[] = [];
      // The first rounds only warm the caches.
      for (let round = -3; round < rounds; round += 1) {
        const lap = {
          small: await reportTime(host, bearer, small.token, by, few),
          large: await reportTime(host, bearer, large.token, by, many),
        };
        if (round >= 0) times.push(lap);
      }
      const milliseconds = median(times.map((lap) => lap.large));
      const about = `analytics over ${DAYS} days by ${by.replace('&group_by=', ', grouped by ')}`;
      report.outcome('analytics', `${about}: ms with ${many.toLocaleString('en')} decisions`, milliseconds);
      report.outcome(
        'analytics',
        `${about}: time with ${many.toLocaleString('en')} decisions ÷ with ${few.toLocaleString('en')}`,
        median(times.map((lap) => lap.large / lap.small)),
        { most: 1.5 },
      );
    }
  },
};

/**
 * The time of one report, in milliseconds. Throws when the report does not count nearly all decisions; those
 * of the first hours may be from before its first day.
 */
async function reportTime(
  { avow }: Host,
  bearer: string,
  token: string,
  interval: string,
  decisions: number,
): Promise<number> {
  const from = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString();
  const url = `http://127.0.0.1:${avow.port}/api/cookies/${token}/analytics?from=${from}&interval=${interval}`;
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { Authorization: `Bearer ${bearer}` } });
  const { data } = (await response.json()) as { data: { totals: { decisions: number } } };
  const took = performance.now() - startedAt;
  const share = data.totals.decisions / decisions;
  if (!(share > 1 - 2 / DAYS && share <= 1))
    throw new Error(`A report counts ${share} of the decisions, expected nearly 1`);
  return took;
}
