import { readNetwork } from '../../../server/src/net/address';
import { CLOSED, SPECIAL } from '../../../server/src/net/networks';
import { createPolicy } from '../../../server/src/net/policy';

const strict = createPolicy({ allowNetworks: [], allowHttp: false });
const wide = createPolicy({ allowNetworks: ['0.0.0.0/0', '::/0'], allowHttp: true });

/** An independent reading of addresses and networks, by numbers. */
const value4 = (text: string): bigint => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
const text4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const value6 = (text: string): bigint => {
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array(tail === undefined ? 0 : 8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((sum, part) => sum * 65536n + BigInt(`0x${part}`), 0n);
};
const text6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 65535n).toString(16)).join(':');

describe.each([
  ['special', SPECIAL],
  ['closed', CLOSED],
])('the %s networks', (_list, networks) => {
  test.each(networks)('%s are refused from first to last address: %s', (cidr) => {
    const [text = '', length] = cidr.split('/');
    const six = text.includes(':');
    const first = six ? value6(text) : value4(text);
    const size = 1n << BigInt((six ? 128 : 32) - Number(length));
    expect(first % size).toBe(0n);
    for (const value of [first, first + size / 2n, first + size - 1n]) {
      expect(strict.check(six ? text6(value) : text4(value))).toEqual(expect.any(String));
    }
  });
});

test('closed networks stay closed when everything is opened', () => {
  for (const [cidr, name] of CLOSED) {
    const address = cidr.split('/')[0] as string;
    expect(wide.check(address)).toBe(name);
    expect(wide.opened(address)).toBe(false);
  }
  expect(wide.check('169.254.169.254')).toMatch('metadata');
  expect(wide.check('fd00:ec2::254')).toMatch('metadata');
  expect(wide.check('fd00:ec2::23')).toMatch('metadata');
});

test('the neighbours of special networks are public', () => {
  const neighbours = [
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
    ...['192.0.3.0', '192.88.98.255', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
    ...['198.51.99.255', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.15', '168.63.129.17'],
    ...[
      '2001:200::',
      '2001:db7:ffff::1',
      '2001:db9::',
      '2001:ffff::',
      '2003::',
      '3ffe:ffff::',
      '3fff:1000::',
    ],
    ...['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:93.184.216.34'],
  ];
  for (const address of neighbours) expect([address, strict.check(address)]).toEqual([address, undefined]);
});

test('an IPv6 address that holds an IPv4 address is no way around', () => {
  const spellings = [
    '::ffff:127.0.0.1',
    '::FFFF:7f00:1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
  ];
  for (const address of [
    ...spellings,
    '64:ff9b::127.0.0.1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '::1%lo',
    '127.0.0.1%lo',
  ]) {
    expect(strict.check(address)).toEqual(expect.any(String));
  }
  const translating = createPolicy({ allowNetworks: ['::/0'], allowHttp: false });
  for (const address of [
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '::10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
  ]) {
    expect(translating.check(address)).toEqual(expect.any(String));
  }
  for (const address of ['64:ff9b::93.184.216.34', '::1', '::'])
    expect(translating.check(address)).toBeUndefined();
});

test('networks that the operator opens are open, and no more', () => {
  const policy = createPolicy({ allowNetworks: ['10.1.0.0/16', '127.0.0.1', 'fd12::/64'], allowHttp: false });
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::9', '8.8.8.8']) {
    expect(policy.check(address)).toBeUndefined();
  }
  for (const address of ['10.2.0.0', '127.0.0.2', 'fd12:0:0:1::', '::1', '::127.0.0.1', '192.168.0.1']) {
    expect(policy.check(address)).toEqual(expect.any(String));
  }
  expect([policy.opened('10.1.2.3'), policy.opened('8.8.8.8')]).toEqual([true, false]);
});

test.each([
  '',
  'banana',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '0177.0.0.1',
  'localhost',
  '1.2.3.4.5',
  '[::1]',
  '１.1.1.1',
])('what is not an address in the usual notation is refused: "%s"', (text) => {
  expect(strict.check(text)).toBe('not an IP address');
  expect(wide.check(text)).toBe('not an IP address');
});

test.each([
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0/8',
  'all',
  '::ffff:10.0.0.0/104',
  '10.0.0.0/-1',
  '',
])('a network that cannot be read stops the start: "%s"', (cidr) => {
  expect(() => readNetwork(cidr)).toThrow();
  expect(() => createPolicy({ allowNetworks: [cidr], allowHttp: false })).toThrow();
});

test('BlockList agrees with arithmetic on random addresses and networks', () => {
  // A linear congruential generator, so that a failure can be repeated.
  let seed = 42n;
  const random = (bits: number): bigint => {
    let value = 0n;
    for (let i = 0; i < bits; i += 16) {
      seed = (seed * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
      value = (value << 16n) | (seed >> 48n);
    }
    return value & ((1n << BigInt(bits)) - 1n);
  };
  for (let i = 0; i < 2_000; i++) {
    const bits = i % 2 === 0 ? 32 : 128;
    const write = bits === 32 ? text4 : text6;
    const length = Number(random(16)) % (bits + 1);
    const network = random(bits);
    const flip = Number(random(16)) % bits;
    const address = network ^ (1n << BigInt(bits - 1 - flip));
    const contains = readNetwork(`${write(network)}/${length}`);
    const family = bits === 32 ? 'ipv4' : 'ipv6';
    expect(contains({ text: write(network), family, embedded: undefined })).toBe(true);
    expect(contains({ text: write(address), family, embedded: undefined })).toBe(flip >= length);
  }
});

test('a name that is being resolved is not asked for again', async () => {
  let asked = 0;
  const policy = createPolicy({
    allowNetworks: [],
    allowHttp: false,
    lookup: async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [{ address: '8.8.8.8', family: 4 }];
    },
  });
  await Promise.all([policy.lookup('a.test'), policy.lookup('a.test'), policy.lookup('a.test')]);
  expect(asked).toBe(1);
  await policy.lookup('a.test');
  expect(asked).toBe(2);
});
