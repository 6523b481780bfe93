import pg from 'pg';
import type { NodeAddress } from './cluster/shard-map';
import { type Addresses, atHost, readHosts, type Target } from './read-hosts';

/** PostgreSQL's codes for a write where none is allowed, and for a server that starts or stops. */
const READ_ONLY = '25006';
const CANNOT_CONNECT_NOW = '57P03';
/** PostgreSQL's codes for a disk that is full, and files that cannot be written. */
const NO_ROOM = ['53100', '58030'];
/**
 * The shortest time between two renewals of all connections because the server accepts no writes, in
 * milliseconds.
 */
const RENEWAL = 1_000;
/** How long a host that could not be reached is tried only after the others, in milliseconds. */
const AVOIDANCE = 30_000;

/** A connection opened here. knex drops one that is marked as disposed. */
export type Opened = pg.Client & { __knex__disposed?: unknown };

interface State {
  standby: boolean;
  readOnly: boolean;
}

/** No host is what `target_session_attrs` asks for. */
class NoSuchHost extends Error {
  override name = 'NoSuchHost';
  readonly code: string;

  constructor(target: Target) {
    super(`no host of the database is ${target}, as target_session_attrs asks for`);
    this.code = target === 'read-write' || target === 'primary' ? READ_ONLY : '08001';
  }
}

/**
 * The hosts of a database, for everything in the process that connects to it. When one connection learns that
 * its server accepts no writes, such as an old primary after a failover, all are renewed: only a new
 * connection resolves the name again.
 */
export class Hosts {
  private readonly addresses: Addresses;
  private readonly opened = new Set<Opened>();
  private readonly avoided = new Map<string, number>();
  private nodes: readonly string[] = [];
  private renewedAt = Number.NEGATIVE_INFINITY;
  /** The last write that was refused for lack of disk space, and when. */
  refusal: { code: string; at: number } | undefined;

  /** Throws when the URL cannot be read, without quoting it. */
  constructor(url: string) {
    this.addresses = readHosts(url);
  }

  /** One node of the database's cluster, with the same login. */
  at(node: NodeAddress): Hosts {
    return new Hosts(this.urlAt(node));
  }

  /** The nodes of the database's cluster: where `open` goes with `anyNode` when no host answers. */
  know(nodes: Iterable<NodeAddress>): void {
    this.nodes = Array.from(nodes, (node) => this.urlAt(node));
  }

  /** Whether the database is a cluster whose sites lie on other nodes. */
  get areNodes(): boolean {
    return this.nodes.length > 1;
  }

  private urlAt(node: NodeAddress): string {
    return atHost(this.addresses.urls[0] as string, node);
  }

  /**
   * A connection to the first suitable host, in libpq's order: unreachable hosts are skipped, a refused login
   * ends the search.
   */
  async open(settings: pg.ClientConfig, anyNode = false): Promise<Opened> {
    const { target } = this.addresses;
    const urls = this.inOrder(anyNode);
    if (target !== 'prefer-standby') return this.search(urls, settings, target);
    return this.search(urls, settings, 'standby').catch(() => this.search(urls, settings, 'any'));
  }

  /** Whether a connection should not be used again. */
  isStale(client: Opened): boolean {
    return client.__knex__disposed !== undefined;
  }

  private async search(urls: string[], settings: pg.ClientConfig, target: Target): Promise<Opened> {
    let failure: Error | undefined;
    for (const url of urls) {
      try {
        const { client, state } = await this.reach(url, settings, target !== 'any');
        this.avoided.delete(url);
        if (suits(target, state)) return client;
        failure = new NoSuchHost(target);
        await client.end().catch(() => undefined);
      } catch (error) {
        failure = failure instanceof NoSuchHost ? failure : (error as Error);
        if (isRefusal(error)) throw error;
        this.avoided.set(url, performance.now() + AVOIDANCE);
      }
    }
    throw failure;
  }

  /** Otherwise a host that is down would cost every new connection the whole timeout. */
  private inOrder(anyNode: boolean): string[] {
    const now = performance.now();
    const isAvoided = (url: string): boolean => (this.avoided.get(url) ?? 0) > now;
    const urls = anyNode ? [...this.addresses.urls, ...this.nodes] : this.addresses.urls;
    return [...urls.filter((url) => !isAvoided(url)), ...urls.filter(isAvoided)];
  }

  private async reach(
    url: string,
    settings: pg.ClientConfig,
    asks: boolean,
  ): Promise<{ client: Opened; state: State }> {
    const { timeout } = this.addresses;
    const client: Opened = new pg.Client({
      ...settings,
      connectionString: url,
      ...(timeout === undefined ? {} : { connectionTimeoutMillis: timeout }),
    });
    const told = new Map<string, string>();
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
      told.set(parameterName, parameterValue),
    );
    connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      if (code === READ_ONLY) this.renew();
      if (NO_ROOM.includes(code)) this.refusal = { code, at: performance.now() };
    });
    client.on('error', (error) => {
      client.__knex__disposed = error;
    });
    client.on('end', () => {
      client.__knex__disposed ??= 'the connection has ended';
      this.opened.delete(client);
    });
    try {
      await client.connect();
    } catch (error) {
      // A failed attempt must not keep its socket open.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw error;
    }
    this.opened.add(client);
    try {
      return { client, state: asks ? await stateOf(client, told) : { standby: false, readOnly: false } };
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  private renew(): void {
    if (performance.now() - this.renewedAt < RENEWAL) return;
    this.renewedAt = performance.now();
    for (const client of this.opened) client.__knex__disposed ??= 'the server takes no writes';
  }
}

/** PostgreSQL reports it on connect; a pooler in between may not. */
async function stateOf(client: pg.Client, told: ReadonlyMap<string, string>): Promise<State> {
  const standby = told.get('in_hot_standby');
  const readOnly = told.get('default_transaction_read_only');
  if (standby !== undefined && readOnly !== undefined) {
    return { standby: standby === 'on', readOnly: standby === 'on' || readOnly === 'on' };
  }
  const { rows } = await client.query<State>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  return rows[0] as State;
}

function suits(target: Target, { standby, readOnly }: State): boolean {
  if (target === 'any' || target === 'prefer-standby') return true;
  if (target === 'primary' || target === 'standby') return standby === (target === 'standby');
  return readOnly === (target === 'read-only');
}

/** Whether a server refused the login, as the others would too. */
const isRefusal = (error: unknown): boolean => {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity !== undefined && code !== CANNOT_CONNECT_NOW;
};
