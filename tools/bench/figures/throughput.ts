import type { Bench, Figure } from '../figure';
import { beacons, consents, impressions, type Kind, preferences, scripts } from '../kinds';
import { median } from '../numbers';
import { type Contestant, race, ratio } from '../race';
import { avowWithCpu, BARE, bare, INSERTS, inserts, NAIVE, naive } from '../references';

/** The number of connections that the goals are set for. */
const GOAL_CONNECTIONS = 64;
const CONNECTIONS = [1, 16, GOAL_CONNECTIONS];

/**
 * Races Avow against its references at each number of connections. `judge` gets the laps that the goals are
 * set for.
 */
async function raceAll(
  { report, pace }: Bench,
  contestants: Contestant[],
  judge: (laps: Awaited<ReturnType<typeof race>>) => void,
): Promise<void> {
  for (const connections of CONNECTIONS) {
    const isGoal = connections === GOAL_CONNECTIONS;
    const laps = await race(contestants, connections, isGoal ? pace.goal : pace.other);
    report.laps(laps, connections);
    if (isGoal) judge(laps);
  }
}

/** Durable decisions, compared with the upper bounds of runtime and database, and with the naive design. */
export const writes: Figure = {
  name: 'writes',
  async run(bench) {
    const { stage, report } = bench;
    const host = await bench.host();
    const name = 'Avow consent write';
    const contestants = [
      avowWithCpu(stage, host, name, consents),
      await bare(stage, host, consents),
      await naive(stage, host, consents),
      await inserts(stage),
    ];
    await raceAll(bench, contestants, (laps) => {
      const outcome = report.outcome.bind(report, 'writes');
      outcome('consent writes ÷ one-insert transactions', ratio(laps, name, INSERTS), { least: 0.6 });
      outcome('consent writes ÷ bare node:http', ratio(laps, name, BARE), { least: 0.45 });
      outcome('p99 of a consent write, ms', median((laps.get(name) ?? []).map(({ p99 }) => p99)), {
        most: 10,
      });
      outcome('p99 of a consent write ÷ of the naive design', ratio(laps, name, NAIVE, 'p99'), { most: 0.6 });
      outcome('consent writes ÷ the naive design', ratio(laps, name, NAIVE));
    });
    await host.ledger.check();
  },
};

/** A kind of request, compared with a bare node:http server that answers the same bytes. */
function againstBare(name: string, contestant: string, kind: Kind, goal?: { least: number }): Figure {
  return {
    name,
    async run(bench) {
      const { stage, report } = bench;
      const host = await bench.host();
      const contestants = [avowWithCpu(stage, host, contestant, kind), await bare(stage, host, kind)];
      await raceAll(bench, contestants, (laps) =>
        report.outcome(name, `${contestant} ÷ bare node:http`, ratio(laps, contestant, BARE), goal),
      );
      await host.ledger.check();
    },
  };
}

export const reads = againstBare('reads', 'Avow preferences read', preferences, { least: 0.5 });
export const impressionsFigure = againstBare('impressions', 'Avow impression', impressions);
export const beaconsFigure = againstBare('beacons', 'Avow beacon', beacons);
export const scriptsFigure = againstBare('scripts', 'Avow banner script', scripts, { least: 0.5 });
