import { type Kind as Kept, makeClustered, startNodes, whyNoCluster } from '../citus';
import type { Figure } from '../figure';
import { consents, consentsOfAll } from '../kinds';
import { type Contestant, type Pace, race, ratio } from '../race';
import { avow } from '../references';
import type { Host } from '../stage';

const SITES = 200;
/** With few connections groups are short, and shorter on several nodes. */
const CONNECTIONS = [64, 512];
/** Decisions of each server before anything is measured. */
const WARM_UP = 4_000;
const PACE: { quick: Pace; whole: Pace } = {
  // Shorter ones would end before 512 connections are open.
  quick: { rounds: 1, seconds: 2 },
  whole: { rounds: 5, seconds: 2 },
};

const PLAIN = 'plain PostgreSQL';
const KEPT: [name: string, kept: Kept][] = [
  [PLAIN, 'plain'],
  ['Citus, one node', 'one'],
  ['Citus, three nodes', 'all'],
];

/**
 * Durable decisions on a Citus cluster, compared with plain PostgreSQL of the same version and settings: what it
 * costs that a cluster plans statements, and that groups are parted by node.
 */
export const cluster: Figure = {
  name: 'cluster',
  async run({ stage, report, quick }) {
    const missing = whyNoCluster();
    if (missing !== undefined) {
      report.warn(`SKIPPED: cluster, because ${missing}.`);
      return;
    }
    const nodes = await startNodes();
    await stage.atEnd(() => nodes.stop());
    const hosts = new Map<string, Host>();
    for (const [name, kept] of KEPT) {
      const database = await makeClustered(nodes, kept, SITES);
      await stage.atEnd(() => database.close());
      hosts.set(name, await stage.hostOf(database, {}, consentsOfAll, WARM_UP));
    }
    for (const [sites, kind] of [
      ['1 site', consents],
      [`${SITES} sites`, consentsOfAll],
    ] as const) {
      const nameOf = (name: string): string => `${name}, ${sites}`;
      const contestants: Contestant[] = Array.from(hosts, ([name, host]) =>
        avow(stage, host, nameOf(name), kind),
      );
      for (const connections of CONNECTIONS) {
        const laps = await race(contestants, connections, quick ? PACE.quick : PACE.whole);
        report.laps(laps, connections);
        for (const [name] of KEPT.slice(1)) {
          const about = `${name} ÷ ${PLAIN}: writes, ${sites}, ${connections} connections`;
          report.outcome('cluster', about, ratio(laps, nameOf(name), nameOf(PLAIN)));
        }
      }
    }
    for (const host of hosts.values()) await host.ledger.check();
  },
};
