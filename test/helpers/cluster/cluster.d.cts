/** One PostgreSQL of a cluster. */
export interface Node {
  name: string;
  port: number;
  url: string;
  start(): Promise<void>;
  /** A started standby, which follows by streaming replication. */
  follow(): Promise<Node>;
  /** By SIGQUIT at once; by SIGKILL as a machine that dies. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Cluster {
  /** Of the coordinator, which is the first of the nodes. */
  url: string;
  nodes: Node[];
  /** Its folder. */
  home: string;
  stop(): Promise<void>;
}

/** The settings of every node come on top of those of the tests, with which nothing is durable. */
export function startCluster(options?: {
  workers?: number;
  settings?: Record<string, string>;
}): Promise<Cluster>;
/** Why there can be no cluster here; undefined when there can be one. */
export function whyNot(): string | undefined;
