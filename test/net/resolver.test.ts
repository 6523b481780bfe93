/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, shared } from '../../server/src/net/lookups';
import { createResolver } from '../../server/src/net/resolver';
import { type NameServer, startNameServer } from '../helpers/net/name-server';
import { until } from '../helpers/until';

let server: NameServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'avow-names-'));
  server = await startNameServer({
    a: {
      'good.test': ['127.0.0.1', '127.0.0.2'],
      'many.test': Array.from({ length: 20 }, (_, n) => `127.0.1.${n}`),
      'short.cluster.test': ['127.0.0.3'],
      'cname.test': ['127.0.0.4'],
    },
    txt: { 'good.test': ['avow=env_x', 'v=spf1'] },
    missing: /^(missing|plain)\.test$|^(good\.test|short|plain)\.|^short$/,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const resolver = (more: object = {}) =>
  createResolver({
    servers: [server.address],
    hostsPath: join(folder, 'none'),
    resolvConf: join(folder, 'none'),
    ...more,
  });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  );

test('all addresses of a name are found', async () => {
  expect(await resolver().lookup('Good.test')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]);
});

test('of a name with many addresses eight are looked at', async () => {
  expect(await resolver().lookup('many.test')).toHaveLength(8);
});

test('a name that does not exist is told apart from one that nobody answers for', async () => {
  expect(await codeOf(resolver().lookup('missing.test'))).toBe('ENOTFOUND');
  // Nothing listens there: the refusal is the name server's, not the receiver's.
  expect(await codeOf(resolver({ servers: ['127.0.0.1:1'] }).lookup('good.test'))).toBe('EAI_AGAIN');
});

test('who gives up is answered at once, and the question is cancelled', async () => {
  const stop = new AbortController();
  const answer = codeOf(resolver().lookup('silent.test', stop.signal));
  await until('it is asked', async () => server.asked.includes('silent.test'));
  stop.abort();
  expect(await answer).toBe('EAI_AGAIN');
});

test('a name server that never answers is given up by itself, and the next name is asked for', async () => {
  expect(await codeOf(resolver().lookup('silent.test'))).toBe('EAI_AGAIN');
  expect(await resolver().lookup('good.test')).toHaveLength(2);
}, 60_000);

test('texts of a name; none where there are none', async () => {
  expect(await resolver().texts('good.test')).toEqual(['avow=env_x', 'v=spf1']);
  expect(await resolver().texts('missing.test')).toEqual([]);
  expect(await resolver().texts('cname.test')).toEqual([]);
});

describe('as operators expect of a machine', () => {
  test('the hosts file comes first, and its changes are seen', async () => {
    const hostsPath = file('hosts', '# own\n10.0.0.1 db Receiver.Lan # more\r\n::1 receiver.lan\nbad line\n');
    const { lookup } = resolver({ hostsPath });
    expect(await lookup('receiver.lan')).toEqual([
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await lookup('receiver.lan.')).toHaveLength(2);
    file('hosts', '10.0.0.22 receiver.lan\n');
    expect(await lookup('receiver.lan')).toEqual([{ address: '10.0.0.22', family: 4 }]);
    expect(server.asked).not.toContain('receiver.lan');
  });

  test('localhost is this machine, whoever answers for it', async () => {
    const { lookup } = resolver();
    for (const name of ['localhost', 'localhost.', 'app.localhost'])
      expect((await lookup(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    expect(server.asked.filter((name) => name.includes('localhost'))).toEqual([]);
  });

  test('short names are completed by the search list', async () => {
    const resolvConf = file('resolv.conf', 'search old.test\nsearch a.test cluster.test\noptions ndots:2\n');
    const { lookup } = resolver({ resolvConf });
    server.asked.length = 0;
    expect(await lookup('short')).toEqual([{ address: '127.0.0.3', family: 4 }]);
    expect([...new Set(server.asked)]).toEqual(['short.a.test', 'short.cluster.test']);
    server.asked.length = 0;
    expect(await codeOf(lookup('missing.test.'))).toBe('ENOTFOUND');
    expect([...new Set(server.asked)]).toEqual(['missing.test']);
  });
});

describe('turns', () => {
  const never = () => {
    const asked: string[] = [];
    const stopped: string[] = [];
    const lookup = (name: string, signal?: AbortSignal) =>
      new Promise<never>((_, reject) => {
        asked.push(name);
        signal?.addEventListener('abort', () => {
          stopped.push(name);
          reject(signal.reason);
        });
      });
    return { asked, stopped, lookup };
  };

  test('so many questions at a time, and one that is given up makes room', async () => {
    const { asked, lookup } = never();
    const few = inTurn(lookup, 2);
    const stops = ['a', 'b', 'c', 'd'].map((name) => {
      const stop = new AbortController();
      few(name, stop.signal).catch(() => undefined);
      return stop;
    });
    await until('two are asked', async () => asked.length === 2);
    // One that waits and gives up takes no turn.
    stops[2]?.abort();
    stops[0]?.abort();
    await until('the next one is asked', async () => asked.length === 3);
    expect(asked).toEqual(['a', 'b', 'd']);
  });

  test('a question is shared, and cancelled when nobody waits for it any more', async () => {
    const { asked, stopped, lookup } = never();
    const once = shared(lookup);
    const [one, two] = [new AbortController(), new AbortController()];
    const answers = [one, two].map(({ signal }) => once('same', signal).catch(() => 'stopped'));
    one.abort();
    expect(await answers[0]).toBe('stopped');
    expect([asked, stopped]).toEqual([['same'], []]);
    two.abort();
    expect(await answers[1]).toBe('stopped');
    expect(stopped).toEqual(['same']);
    once('same').catch(() => undefined);
    expect(asked).toEqual(['same', 'same']);
  });
});
