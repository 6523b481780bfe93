/** Where the module reports what it does; the fields are for a structured logger. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void;

export interface EmbeddedOptions {
  /** Absolute; the cluster lives in `<dataDir>/postgres`. */
  dataDir: string;
  /** Extra PostgreSQL settings (`-c name=value`); they win over the defaults, except for where it listens. */
  settings?: Record<string, string>;
  log?: Log;
  /** The binaries' folder (with bin, lib and share); by default the installed platform package's. */
  nativeDir?: string;
}

export interface Embedded {
  /** A connection string for one database of the cluster, by default `avow`, which always exists. */
  url(database?: string): string;
  /**
   * Shuts PostgreSQL down (clients are disconnected, nothing committed is lost) and waits until it is gone.
   */
  stop(): Promise<void>;
}

/** A user and group of the operating system. */
export interface Owner {
  uid: number;
  gid: number;
}

/** A postmaster that accepts connections. */
export interface Running {
  pid: number;
  port: number;
  /** Resolves with the reason (an exit code, a signal) once it has ended, whoever ended it. */
  ended: Promise<string>;
}

/** What every step of a start needs to know. */
export interface Setup {
  dataDir: string;
  cluster: string;
  initdb: string;
  postgres: string;
  /** Whom PostgreSQL runs as; undefined for our own user. */
  user: Owner | undefined;
  settings: Record<string, string>;
  log: Log;
}
