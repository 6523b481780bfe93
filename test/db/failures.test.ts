import pino from 'pino';
import { outageOf } from '../../server/src/db/outage';
import { endFailures, logFailure } from '../../server/src/observability/failures';

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

describe('a failure that lasts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('is told once, counted every minute, and told to be over after a silence', () => {
    const { log, told } = listen();
    const fail = (times: number): void => {
      for (let n = 0; n < times; n += 1)
        logFailure(log, 'warn', { error: failing('53100') }, 'a visitor failed');
    };
    const words = "the database's disk is full: free some space on it, or give it more";
    fail(13_000);
    expect(told()).toEqual([[50, 'disk full', undefined, words]]);
    for (let second = 0; second < 65; second += 1) {
      fail(10);
      jest.advanceTimersByTime(1_000);
    }
    expect(told()).toHaveLength(2);
    expect(told()[1]).toEqual([50, 'disk full', expect.any(Number), `still: ${words}`]);
    jest.advanceTimersByTime(30_000);
    expect(told().slice(2)).toEqual([[30, 'disk full', 13_650, `over: ${words}`]]);
    fail(1);
    expect(told()).toHaveLength(4);
    endFailures(log);
    expect(told()).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
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
