import pino from 'pino';
import { outageOf } from '../../server/src/db/outage';
import { endFailures, logFailure } from '../../server/src/observability/failures';
import { logRequest } from '../../server/src/observability/request-line';

/** A logger, and what it has written: level, outage, failures and message. */
function listen() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const told = () => lines.map(({ level, outage, failures, msg }) => [level, outage, failures, msg]);
  return { log, told };
}

const failing = (code: string): Error =>
  Object.assign(new Error('in file base/5/1: secret'), { code, severity: 'ERROR' });

test.each([
  ['53100', 'disk full'],
  ['25006', 'read-only'],
  ['53200', 'out of memory'],
  ['53300', 'too many connections'],
  ['53400', 'out of resources'],
  ['28P01', 'login refused'],
  ['28000', 'login refused'],
  ['3D000', 'no database'],
  ['42501', 'permission denied'],
  ['55P03', 'lock timeout'],
  ['57014', 'statement timeout'],
  ['57P01', 'shutting down'],
  ['57P03', 'shutting down'],
  ['58030', 'input or output'],
  ['08006', 'unreachable'],
  ['ECONNREFUSED', 'unreachable'],
])('%s is named %s, and says what to do', (code, kind) => {
  const outage = outageOf(failing(code));
  expect(outage?.kind).toBe(kind);
  expect(outage?.words).toMatch(/^(the|a|all) .*\w$/);
});

test.each(['23505', '22001', '42703', '40001', 'P0001', undefined])('%s is no outage', (code) => {
  expect(outageOf(Object.assign(new Error('x'), { code }))).toBeUndefined();
});

test('08P01 is our own fault, unless the connection ends with it', () => {
  const of = (severity: string) =>
    outageOf(Object.assign(new Error('bind message supplies 4 parameters'), { code: '08P01', severity }));
  expect(of('ERROR')).toBeUndefined();
  expect(of('FATAL')?.kind).toBe('unreachable');
});

test.each([
  ['08006', 'connection to the remote node postgres@db1:5432 failed'],
  ['08006', 'failure on connection marked as essential: db1:5432'],
  ['XX000', 'could not establish any connections to the node db1:5432 after 5000 ms'],
  [undefined, 'terminating connection due to administrator command'],
])('%s: %s is a node that is away', (code, message) => {
  expect(outageOf(Object.assign(new Error(message), { code }))?.kind).toBe('node away');
});

describe('a failure that lasts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('is told once, counted every ten seconds, and told to be over after a silence', () => {
    const { log, told } = listen();
    const fail = (times: number): void => {
      for (let n = 0; n < times; n += 1)
        logFailure(log, 'warn', { error: failing('53100') }, 'a visitor failed');
    };
    const words = "the database's disk is full: free some space or enlarge it";
    fail(13_000);
    expect(told()).toEqual([[50, 'disk full', undefined, words]]);
    for (let second = 0; second < 65; second += 1) {
      fail(10);
      jest.advanceTimersByTime(1_000);
    }
    const still = told().slice(1);
    expect(still).toHaveLength(6);
    expect(still[0]).toEqual([50, 'disk full', 13_099, `still: ${words}`]);
    for (const line of still.slice(1)) expect(line).toEqual([50, 'disk full', 100, `still: ${words}`]);
    jest.advanceTimersByTime(30_000);
    expect(told().slice(7)).toEqual([
      [50, 'disk full', 50, `still: ${words}`],
      [30, 'disk full', 13_650, `over: ${words}`],
    ]);
    fail(1);
    expect(told()).toHaveLength(10);
    endFailures(log);
    expect(told()).toHaveLength(10);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that is no outage is told the same way, with its stack once; others beside it keep their lines', () => {
    const { log, told } = listen();
    const fail = (error: Error): void => logFailure(log, 'error', { error }, 'a request failed');
    const broken = new TypeError('x is undefined');
    for (let n = 0; n < 26_000; n += 1) fail(broken);
    fail(new RangeError('too long'));
    expect(told()).toHaveLength(2);
    jest.advanceTimersByTime(10_000);
    expect(told().slice(2)).toEqual([[50, undefined, 25_999, 'still: a request failed']]);
    jest.advanceTimersByTime(20_000);
    // The other one happened once: its line has said everything.
    expect(told().slice(3)).toEqual([[30, undefined, 26_000, 'over: a request failed']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('requests that are answered with 503 are counted by operation; other lines are written', () => {
    const { log, told } = listen();
    const ask = (operation: string, status: number): void =>
      logRequest(log, { request_id: 'x', method: 'POST', operation, status, ms: 1 });
    for (let n = 0; n < 1_000; n += 1) ask('logConsent', 503);
    ask('getPreferences', 503);
    for (const status of [500, 500, 429, 201]) ask('logConsent', status);
    expect(told().map(([level]) => level)).toEqual([40, 40, 40, 40, 30, 30]);
    jest.advanceTimersByTime(10_000);
    expect(told().slice(6)).toEqual([[40, undefined, 999, 'still: requests are answered with 503']]);
    endFailures(log);
  });

  test('very many different ones take no memory without end, and none of them is lost', () => {
    const { log, told } = listen();
    for (let n = 0; n < 1_000; n += 1) logFailure(log, 'warn', { error: new Error('x') }, `failure ${n}`);
    expect(told()).toHaveLength(1_000);
    logFailure(log, 'warn', { error: new Error('x') }, 'failure 999');
    expect(told()).toHaveLength(1_001);
    endFailures(log);
  });

  test('says nothing of what the database quotes; kinds are told apart; what is no outage keeps its line', () => {
    const { log, told } = listen();
    logFailure(log, 'warn', { error: failing('53100') }, 'one');
    logFailure(log, 'error', { error: failing('25006') }, 'two');
    logFailure(log, 'warn', { error: new Error('ours') }, 'three');
    logFailure(log, 'warn', { error: new Error('ours') }, 'three');
    expect(told().map(([, outage]) => outage)).toEqual(['disk full', 'read-only', undefined, undefined]);
    endFailures(log);
  });
});
