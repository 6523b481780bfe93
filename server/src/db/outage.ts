import { nativeError } from './native-error';

/** A reason why a database fails whatever the statement. */
export interface Outage {
  kind: string;
  /** For the operator: what is wrong and what to do. */
  words: string;
}

const UNREACHABLE: Outage = {
  kind: 'unreachable',
  words: 'the database cannot be reached: check that it runs and that DATABASE_URL is right',
};

/** By prefix of PostgreSQL's error code, first match wins (PostgreSQL's manual, Appendix A). */
const BY_CODE: [code: string, kind: string, words: string][] = [
  ['53100', 'disk full', "the database's disk is full: free some space or enlarge it"],
  ['25006', 'read-only', 'the database is read-only: check that DATABASE_URL points to the primary'],
  ['53200', 'out of memory', 'the database is out of memory: give it more or reduce its load'],
  [
    '53300',
    'too many connections',
    'the database accepts no more connections: raise its max_connections, or lower DATABASE_POOL or WORKERS',
  ],
  ['53', 'out of resources', 'the database is out of resources: check its log'],
  ['28', 'login refused', 'the database refuses the login: check the user and the password in DATABASE_URL'],
  ['3D000', 'no database', 'the database does not exist: create it, or correct DATABASE_URL'],
  ['42501', 'permission denied', "the database's user lacks permissions: make it the owner of Avow's tables"],
  [
    '55P03',
    'lock timeout',
    'a table has been locked for too long: find the session that holds the lock in pg_locks, and end it',
  ],
  ['57014', 'statement timeout', 'a statement took too long: find out what keeps the database busy'],
  ['57P', 'shutting down', 'the database is starting or shutting down'],
  ['58', 'input or output', 'the database cannot read or write its files: check its log'],
  ['08', UNREACHABLE.kind, UNREACHABLE.words],
];

/** The node that was asked answers, another one does not. */
export const NODE_AWAY: Outage = {
  kind: 'node away',
  words: 'a node of the database does not answer: start it; sites on other nodes go on',
};

/** Whether the one that was asked, or a node, does not answer at all. */
export const isAway = ({ kind }: Outage): boolean => kind === UNREACHABLE.kind || kind === NODE_AWAY.kind;

/** Whether it answers, but stores nothing. */
export const takesNoWrites = ({ kind }: Outage): boolean => kind === 'disk full' || kind === 'read-only';

/** What a cluster says when one of its nodes does not answer, under different codes. */
const OF_NODE = [
  'connection to the remote node',
  'could not establish any connections to the node',
  'could not establish connection after',
  'connection establishment for node',
  'failed to get a connection to the remote node',
  'failed to execute the command on the remote node',
  'failure on connection marked as essential',
  'multiple connection failures',
];
/** The same, and what it passes on of another node's words, under no code of their own. */
const NODE = [
  'terminating connection',
  'server closed the connection unexpectedly',
  'the database system is starting up',
  'the database system is shutting down',
  'the database system is in recovery',
];

const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Why the database cannot work, or undefined when the error concerns only the statement. */
export function outageOf(thrown: unknown): Outage | undefined {
  const error = nativeError(thrown) as Error & { code?: string; severity?: string };
  const { code = '', message = '', name = '', severity } = error;
  if (name === 'KnexTimeoutError') {
    return {
      kind: 'pool exhausted',
      words:
        'all connections of DATABASE_POOL are in use: find what keeps them busy in pg_stat_activity, or raise it',
    };
  }
  if (
    CONNECTION.has(code) ||
    // The driver's own errors have no class; others may quote what somebody sent.
    (name === 'Error' && /Connection terminated|timeout expired|not queryable|connect timeout/i.test(message))
  ) {
    return UNREACHABLE;
  }
  // A message that breaks PostgreSQL's protocol is a fault of ours, unless it ends the connection or comes instead of one.
  if (code === '08P01' && severity === 'ERROR') return undefined;
  const said = message.toLowerCase();
  if (OF_NODE.some((words) => said.includes(words))) return NODE_AWAY;
  const [, kind, words] = BY_CODE.find(([begin]) => code.startsWith(begin)) ?? [];
  if (kind !== undefined && words !== undefined && /^[0-9A-Z]{5}$/.test(code)) return { kind, words };
  return NODE.some((words) => said.includes(words)) ? NODE_AWAY : undefined;
}
