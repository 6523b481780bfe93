import { ValidationError } from '../../../server/src/domain/errors';
import { createPolicy, type PolicyOptions } from '../../../server/src/net/policy';
import { vetUrl } from '../../../server/src/webhooks/guard';
import { canary, closeAll, LOOPBACK, type Receiver, resolver, sender } from './receivers';

/** The answers of a name server that is out to get in. */
const NAMES = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
  'inward.example': ['127.0.0.1'],
  'inward6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'unspecified.example': ['0.0.0.0'],
  'unspecified6.example': ['::'],
  'private.example': ['10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
  'metadata6.example': ['fd00:ec2::254'],
  'metadata.google.internal': ['169.254.169.254'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed6.example': ['93.184.216.34', '2606:4700::1111', '::1'],
  'mixed-first.example': ['127.0.0.1', '93.184.216.34'],
  'linklocal.example': ['fe80::1%lo'],
  'odd.example': ['0x7f.1'],
  'public.internal': ['93.184.216.34'],
  'printer.local': ['93.184.216.34'],
  'public.localhost': ['93.184.216.34'],
  'public.example': ['93.184.216.34'],
  'public6.example': ['2606:4700::1111', '93.184.216.34'],
  'empty.example': [],
};

const policyFor = (options: Partial<PolicyOptions> = {}) =>
  createPolicy({ allowNetworks: [], allowHttp: true, lookup: resolver(NAMES), ...options });

/** Hosts, each tried with http and with https on the port of a canary. */
const HOSTS = [
  // Loopback in the notations that a URL takes.
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '017700000001', '0177.0.0.1', '0177.0.0.01', '0x7f.1'],
  ...[
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '127.0.0.1.',
    '0x7f.1.',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '0x0',
    '00',
  ],
  // Full-width digits, circled digits, ideographic full stops, percent-encoding.
  ...[
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.0.0。1',
    '%31%32%37.0.0.1',
    '127.0.0.%31',
    'ⓛocalhost',
    '%6cocalhost',
  ],
  // IPv6.
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fe80::1%25lo]',
    '[fe80::1%lo]',
    '[fec0::1]',
    '[ff02::1]',
    '[fd00::2]',
    '[fc00::1]',
  ],
  // Private, shared, documentation, broadcast.
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.2',
    '100.64.0.1',
    '198.18.0.1',
  ],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '4294967295', '0xc0a80101'],
  // Metadata.
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0xA9.254.0251.0xfe',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
  ],
  ...[
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '169.254.170.2',
  ],
  // Names.
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost.',
    'app.localhost',
    'metadata.google.internal',
    'METADATA.google.internal',
  ],
  ...Object.keys(NAMES).filter((name) => name.endsWith('.example') && !name.startsWith('public')),
  ...['public.internal', 'printer.local', 'public.localhost', 'unknown.example'],
];

const tricks = (port: number): string[] => [
  ...HOSTS.flatMap((host) => [`http://${host}:${port}/hook`, `https://${host}:${port}/hook`]),
  // Where the host begins and ends.
  `http://public.example@127.0.0.1:${port}/`,
  `http://public.example:80@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@public.example/`,
  `http://public.example%2f@127.0.0.1:${port}/`,
  `http://user:password@public.example:${port}/`,
  `http://@127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:////127.0.0.1:${port}/`,
  `\thttp://127.0.0.1:${port}/\n`,
  `h\nttp://127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://127.0.0.1:${port}?@public.example/`,
  `ftp://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `file:///etc/passwd`,
  `data:text/plain,x`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `http://`,
  ``,
];

const canaries: Receiver[] = [];
beforeAll(async () => {
  const four = await canary();
  canaries.push(four, await canary('::1'));
});
afterAll(closeAll);

test('no trick reaches a canary on loopback, neither when saved nor when sent', async () => {
  const { send } = sender({ allowNetworks: [], lookup: resolver(NAMES) });
  const urls = canaries.flatMap(({ port }) => tricks(port));
  expect(new Set(urls).size).toBeGreaterThan(300);
  for (const url of urls) {
    const vetted = vetUrl(url, policyFor()).then(
      () => 'saved',
      (error) => error,
    );
    const refusal = await vetted;
    if (!(refusal instanceof ValidationError)) throw new Error(`saved: ${url}`);
    expect(refusal.errors).toEqual([{ path: 'body.url', message: expect.any(String), code: 'url' }]);
    const outcome = await send(url);
    expect([url, outcome.ok, outcome.status]).toEqual([url, false, undefined]);
    expect(outcome.error).not.toMatch(/127\.0|user:|\n|\/hook|@/);
    // Refused at once, not after a connection that failed.
    expect(outcome.error).toMatch(/^The URL |does not resolve \(ENOTFOUND\)/);
  }
  expect(canaries.map(({ connections }) => connections)).toEqual([0, 0]);
});

test.each([
  'https://93.184.216.34/',
  'https://93.184.216.34:8443/hook?a=b#c',
  'https://[2606:4700::1111]/',
  'https://[::ffff:93.184.216.34]/',
  'https://public.example/',
  'https://PUBLIC.example:1/',
  'https://public6.example/',
])('a public receiver is saved: %s', async (url) => {
  await expect(vetUrl(url, policyFor({ allowHttp: false }))).resolves.toBeUndefined();
});

test.each([
  ['http://public.example/', 'must begin with https://', false],
  ['https://user:pw@public.example/', 'must not hold a user name or password', false],
  ['https://unknown.example/', 'does not resolve', false],
  ['https://empty.example/', 'does not resolve', false],
  ['https://127.0.0.1/', 'may not be reached (loopback, RFC 1122)', true],
  ['https://printer.local/', 'internal use', true],
  ['public.example', 'not a valid absolute URL', false],
])(
  'the refusal of %s says why, and of opening a network only where that helps',
  async (url, reason, helps) => {
    const refused = await vetUrl(url, policyFor({ allowHttp: false })).catch((error) => error);
    const { message } = refused.errors[0];
    expect(message).toContain(reason);
    expect([message, message.includes('WEBHOOK_ALLOW_NETWORKS')]).toEqual([message, helps]);
  },
);

test('opened networks may be named by inward names, metadata never', async () => {
  const policy = policyFor({ allowNetworks: [...LOOPBACK, '169.254.0.0/16', 'fd00::/8', '100.64.0.0/10'] });
  for (const url of [
    'http://localhost:1/',
    'https://app.localhost/',
    'http://127.1/',
    'https://mixed.example/',
  ]) {
    await expect(vetUrl(url, policy)).resolves.toBeUndefined();
  }
  for (const host of [
    '169.254.169.254',
    '[fd00:ec2::254]',
    '100.100.100.200',
    'metadata.google.internal',
    'public.internal',
  ]) {
    await expect(vetUrl(`https://${host}/`, policy)).rejects.toThrow(ValidationError);
  }
});

test('a name server that fails or hangs is told apart from an unknown name', async () => {
  const failing = policyFor({
    lookup: () => Promise.reject(Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' })),
  });
  const refused = await vetUrl('https://public.example/', failing).catch((error) => error);
  expect(refused.errors[0].message).toContain('cannot be resolved now');
});
