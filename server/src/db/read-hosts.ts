/** Which kind of server a connection may use: libpq's target_session_attrs. */
export const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type Target = (typeof TARGETS)[number];

/** Where a database is: one host or several, tried in order. */
export interface Addresses {
  /** For each host a URL of its own, as the driver reads it. */
  urls: string[];
  target: Target;
  /** How long one host may take to accept a connection, in milliseconds; undefined: the default. */
  timeout: number | undefined;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
/** One host with its port; a colon within brackets belongs to an IPv6 address. */
const HOST = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/;

/**
 * Reads `postgres://user:password@one:5432,two:5432/avow?target_session_attrs=read-write&connect_timeout=3`,
 * with libpq's meaning (PostgreSQL's manual, 34.1.1.3); several hosts may also stand in `host` and `port`.
 * The driver knows none of this. Throws an error that never quotes the URL.
 */
export function readHosts(url: string): Addresses {
  const [, scheme, authority = '', path = '', query = ''] = ADDRESS.exec(url) ?? [];
  if (scheme === undefined) throw new Error('The database address is not a PostgreSQL URL.');
  const parameters = new URLSearchParams(query);
  const target = readTarget(take(parameters, 'target_session_attrs'));
  const timeout = readTimeout(take(parameters, 'connect_timeout'));
  const hostsAt = authority.lastIndexOf('@') + 1;
  const login = authority.slice(0, hostsAt);
  const inQuery = parameters.has('host') || parameters.has('port');
  const hosts = inQuery
    ? fromQuery(take(parameters, 'host'), take(parameters, 'port'), authority.slice(hostsAt))
    : authority.slice(hostsAt).split(',').map(readHost);
  const urls = hosts.map(({ host, port }) => {
    const own = new URLSearchParams(parameters);
    // A URL parser refuses a socket's folder in place of a host.
    const asParameter = host.startsWith('/');
    if (asParameter) own.set('host', host);
    if (asParameter && port !== '') own.set('port', port);
    const place = asParameter ? '' : `${host}${port === '' ? '' : `:${port}`}`;
    return `${scheme}${login}${place}${path}${own.size > 0 ? `?${own}` : ''}`;
  });
  return { urls, target, timeout };
}

/** The same database, user and parameters at another host of a cluster. */
export function atHost(url: string, { host, port }: { host: string; port: number }): string {
  const [, scheme, authority = '', path = '', query = ''] = ADDRESS.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  parameters.delete('host');
  parameters.delete('port');
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const place = host.includes(':') ? `[${host}]` : host;
  return `${scheme}${login}${place}:${port}${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

interface Host {
  host: string;
  port: string;
}

function readHost(text: string): Host {
  const [, host, port = ''] = HOST.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new Error('A host of the database address is not a host and port.');
  }
  return { host, port };
}

/** One port stands for all hosts. */
function fromQuery(hosts: string | undefined, ports: string | undefined, authority: string): Host[] {
  const list =
    hosts === undefined
      ? authority.split(',').map(readHost)
      : hosts.split(',').map((host) => ({ host, port: '' }));
  const given = ports === undefined ? list.map(({ port }) => port) : ports.split(',');
  if (given.length !== 1 && given.length !== list.length) {
    throw new Error('The database address must have one port for each host.');
  }
  if (given.some((port) => !/^\d*$/.test(port)))
    throw new Error('A port of the database address is not a number.');
  return list.map(({ host }, index) => ({
    host: host.includes(':') && !host.startsWith('[') && !host.startsWith('/') ? `[${host}]` : host,
    port: given[given.length === 1 ? 0 : index] as string,
  }));
}

function readTarget(text: string | undefined): Target {
  const found = TARGETS.find((target) => target === (text ?? 'any'));
  if (found === undefined) throw new Error(`target_session_attrs must be one of ${TARGETS.join(', ')}.`);
  return found;
}

/** Zero means no limit to libpq; here it means the usual one. */
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,4}$/.test(text)) throw new Error('connect_timeout must be a number of seconds.');
  return Number(text) * 1000 || undefined;
}

function take(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined;
  parameters.delete(name);
  return value;
}
