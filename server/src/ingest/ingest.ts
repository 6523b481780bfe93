import type { Hosts } from '../db/hosts';
import type { Entry, RecordedEntry } from './entries';
import { Lane } from './lane';
import type { LaneOptions } from './lane-options';
import { Nodes } from './nodes';
import type { Choice } from './read-choices';
import type { Site } from './site';
import type { WordMemory } from './words';

export type { Choice } from './read-choices';

export interface IngestOptions extends LaneOptions {
  hosts: Hosts;
  /** Of a cluster. */
  nodes?: Nodes;
  /** What decisions name instead of holding it. */
  words?: Pick<WordMemory, 'wordsFor' | 'storedBy'>;
}

/**
 * The visitor write path: decisions and counts by group commit, and the reading of choices in groups. A cluster has
 * a lane for each node, so that a group is that node's transaction alone, and a node that is away stops its sites only.
 */
export class Ingest {
  private readonly nodes: Nodes;
  /** To the database as its address names it: the only one on plain PostgreSQL. */
  private readonly home: Lane;
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly options: IngestOptions) {
    this.nodes = options.nodes ?? new Nodes();
    this.home = new Lane(options.hosts, options);
  }

  /** Entries that wait to be stored. */
  get waiting(): number {
    let { waiting } = this.home;
    for (const lane of this.lanes.values()) waiting += lane.waiting;
    return waiting;
  }

  /**
   * Stores an entry; resolves after the commit. Rejects with 503 when too many wait or the database is gone,
   * 409 for a reused key.
   */
  record(entry: Entry): Promise<RecordedEntry> {
    const words = this.options.words?.wordsFor(entry);
    if (words !== undefined) entry.words = words;
    entry.arrivedAt ??= performance.now();
    return this.laneOf(entry.site).record(entry);
  }

  /**
   * The latest choice of a session; reads that arrive together share a query. Rejects with 503 like `record`.
   */
  choice(site: Site, sessionId: string): Promise<Choice | undefined> {
    return this.laneOf(site).choice(site.id, sessionId);
  }

  /** Waits for all accepted entries, then closes. */
  async stop(): Promise<void> {
    await Promise.all([this.home, ...this.lanes.values()].map((lane) => lane.stop()));
  }

  private laneOf(site: Site): Lane {
    const node = this.nodes.of(site);
    return node === undefined ? this.home : (this.lanes.get(node) ?? this.open(node));
  }

  /** A node is new when the first of its sites is visited; those that left the cluster are left now. */
  private open(node: string): Lane {
    const { all } = this.nodes;
    const address = all.get(node);
    // Without an address it is switched off in the cluster, whose other nodes say so in words.
    if (address === undefined) return this.home;
    for (const [name, lane] of this.lanes) {
      if (all.has(name)) continue;
      this.lanes.delete(name);
      void lane.stop();
    }
    const lane = new Lane(this.options.hosts.at(address), this.options, node);
    this.lanes.set(node, lane);
    return lane;
  }
}
