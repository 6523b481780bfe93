import type { Knex } from 'knex';
import { NO_SHARDS, type NodeAddress, nodeOf, readShardMap, type ShardMap } from '../db/cluster/shard-map';

/** What tells where something lies: the hash of its site's id, known on a cluster only. */
interface Placed {
  place?: number;
}

/** Which node of a cluster holds which site, as last read; on plain PostgreSQL there is none. */
export class Nodes {
  private map: ShardMap = NO_SHARDS;

  /** @param onRead gets the addresses of all nodes, each time that they are read */
  constructor(private readonly onRead: (nodes: Iterable<NodeAddress>) => void = () => undefined) {}

  /** Whether the database is distributed. */
  get areKnown(): boolean {
    return this.map.shards.length > 0;
  }

  /** By `host:port`. */
  get all(): ReadonlyMap<string, NodeAddress> {
    return this.map.nodes;
  }

  /** The node of a site, `host:port`; undefined on plain PostgreSQL. */
  of({ place }: Placed): string | undefined {
    return place === undefined ? undefined : nodeOf(this.map.shards, place);
  }

  /** Reads the map, where there can be one. Resolves to whether sites that were read before lack their places. */
  async refresh(db: Knex, isCluster: boolean): Promise<boolean> {
    const before = this.areKnown;
    if (!isCluster && !before) return false;
    this.map = isCluster ? await readShardMap(db) : NO_SHARDS;
    this.onRead(this.map.nodes.values());
    return this.areKnown !== before;
  }

  /** Things by the nodes of their sites: one part on plain PostgreSQL. */
  parted<Thing extends Placed>(things: Thing[]): Thing[][] {
    if (!this.areKnown) return [things];
    const parts = new Map<string | undefined, Thing[]>();
    for (const thing of things) {
      const node = this.of(thing);
      const part = parts.get(node);
      if (part === undefined) parts.set(node, [thing]);
      else part.push(thing);
    }
    return [...parts.values()];
  }
}
