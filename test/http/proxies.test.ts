import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import pino from 'pino';
import { readConfig } from '../../server/src/config';
import { addressFinder } from '../../server/src/http/client';
import { post } from '../helpers/http/raw';
import { startServer } from '../helpers/server';

/** The address of a request that `peer` sent, and the peers that were distrusted. */
function find(trustProxy: string, peer: string | undefined, forwarded?: string) {
  const strangers: string[] = [];
  const find = addressFinder(readConfig({ TRUST_PROXY: trustProxy }).trustProxy, (one) =>
    strangers.push(one),
  );
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return { address: find(request), strangers };
}

const CLIENT = '198.51.100.23';
const CHOSEN = `192.0.2.66, ${CLIENT}`;

test.each([
  '127.0.0.1',
  '::1',
  '::ffff:172.18.0.1',
  '10.1.2.3',
  '192.168.1.1',
  '169.254.1.1',
  '100.64.0.7',
  'fd12::1',
  'fe80::1%eth0',
])('a number counts from the inward address %s', (peer) => {
  expect(find('1', peer, CHOSEN)).toEqual({ address: CLIENT, strangers: [] });
});

test.each(['203.0.113.9', '2606:4700::1', '::ffff:203.0.113.9', '172.32.0.1', '100.128.0.1'])(
  'whoever reaches the port from %s does not choose the address that counts',
  (peer) => {
    for (const number of ['1', '2', 'on'])
      expect(find(number, peer, CHOSEN)).toEqual({ address: peer, strangers: [peer] });
  },
);

test('only the nearest proxy must have an inward address: a CDN in front of it has a public one', () => {
  expect(find('2', '10.0.0.1', `192.0.2.66, ${CLIENT}, 203.0.113.9`).address).toBe(CLIENT);
});

test('addresses after a number are those of the nearest proxy, in place of the inward ones', () => {
  expect(find('1,203.0.113.0/24', '203.0.113.9', CHOSEN).address).toBe(CLIENT);
  expect(find('2,203.0.113.0/24', '203.0.113.9', `${CHOSEN}, 10.0.0.1`).address).toBe(CLIENT);
  for (const peer of ['127.0.0.1', '10.0.0.1', '203.0.114.1'])
    expect(find('1,203.0.113.0/24', peer, CHOSEN)).toEqual({ address: peer, strangers: [peer] });
});

test('a proxy that forwards no address, and a connection that has gone, are no strangers', () => {
  expect(find('1', '127.0.0.1')).toEqual({ address: '127.0.0.1', strangers: [] });
  expect(find('1', '203.0.113.9')).toEqual({ address: '203.0.113.9', strangers: [] });
  expect(find('10.0.0.0/8', undefined)).toEqual({ address: '', strangers: [] });
});

test('a server says once that it ignores what a stranger forwards, and names no whole address', async () => {
  const lines: { msg: string; peer?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = await startServer({ log, variables: { TRUST_PROXY: '1,203.0.113.0/24' } });
  try {
    const { token } = await server.site();
    for (let time = 0; time < 3; time++) {
      const body = { session_id: randomUUID(), decision: 'accept_all' };
      const sent = post(server.url, `/api/consents/${token}/log`, body, { 'X-Forwarded-For': CLIENT });
      expect((await sent).json.data.ip_masked).toBe('127.0.***.***');
    }
    expect(lines.map(({ msg, peer }) => [peer, msg])).toEqual([
      ['127.0.***.***', expect.stringMatching(/X-Forwarded-For .* TRUST_PROXY/)],
    ]);
  } finally {
    await server.stop();
  }
});
