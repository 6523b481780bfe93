import type { Bench, Figure } from '../figure';
import { beacons, consents, impressions, type Kind, preferences, scripts } from '../kinds';
import { type Contestant, race, ratio } from '../race';
import { BARE, bare, INSERTS, inserts, NAIVE, naive } from '../references';
import type { Host, Stage } from '../stage';

/** Where the goals are. */
const GOAL_CONNECTIONS = 64;
const CONNECTIONS = [1, 16, GOAL_CONNECTIONS];

const asContestant = (stage: Stage, host: Host, name: string, kind: Kind): Contestant => ({
  name,
  run: (connections, seconds) => stage.ask(host, kind, connections, { seconds }),
  cpu: () => host.avow.cpu(),
});

/**
 * Races Avow against its references at each number of connections; `judge` sees the laps where the goals are.
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

/** Durable decisions, beside the ceilings of runtime and database and beside the naive design. */
export const writes: Figure = {
  name: 'writes',
  async run(bench) {
    const { stage, report } = bench;
    const host = await bench.host();
    const name = 'Avow consent write';
    const contestants = [
      asContestant(stage, host, name, consents),
      await bare(stage, host, consents),
      await naive(stage, host, consents),
      await inserts(stage),
    ];
    await raceAll(bench, contestants, (laps) => {
      const tell = report.outcome.bind(report, 'writes');
      tell('consent writes ÷ one-insert transactions', ratio(laps, name, INSERTS), { least: 0.5 });
      tell('consent writes ÷ bare node:http', ratio(laps, name, BARE), { least: 0.35 });
      tell('p99 of a consent write ÷ of the naive design', ratio(laps, name, NAIVE, 'p99'), { most: 0.6 });
      tell('consent writes ÷ the naive design', ratio(laps, name, NAIVE));
    });
    await host.ledger.check();
  },
};

/** A kind of request beside bare node:http with the same bytes. */
function besideBare(name: string, contestant: string, kind: Kind, goal?: { least: number }): Figure {
  return {
    name,
    async run(bench) {
      const { stage, report } = bench;
      const host = await bench.host();
      const contestants = [asContestant(stage, host, contestant, kind), await bare(stage, host, kind)];
      await raceAll(bench, contestants, (laps) =>
        report.outcome(name, `${contestant} ÷ bare node:http`, ratio(laps, contestant, BARE), goal),
      );
      await host.ledger.check();
    },
  };
}

export const reads = besideBare('reads', 'Avow preferences read', preferences, { least: 0.5 });
export const impressionsFigure = besideBare('impressions', 'Avow impression', impressions);
export const beaconsFigure = besideBare('beacons', 'Avow beacon', beacons);
export const scriptsFigure = besideBare('scripts', 'Avow banner script', scripts, { least: 0.5 });
