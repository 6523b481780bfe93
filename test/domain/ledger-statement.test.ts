import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { canonicalPieces, canonicalText } from '../../server/src/domain/ledger/canonical';
import { commitmentOf, newBlinding, seal } from '../../server/src/domain/ledger/commitment';
import { type ConsentFacts, consentStatement } from '../../server/src/domain/ledger/consent-statement';
import { groupMac, isGenuine } from '../../server/src/domain/ledger/group';
import {
  bytesOf,
  checkpointText,
  privateKeyOf,
  publicKeyOf,
  readCheckpoint,
  signCheckpoint,
  vkeyOf,
} from '../../server/src/domain/ledger/note';
import { longStatementOf, statementOf } from '../../server/src/domain/ledger/statement';

const TEXTS = [
  '',
  'plain',
  'quote " and \\ back',
  'tab\tline\nfeed\u0001\u001f\u007f',
  'ü 日本 😀 \u2028\u2029',
  '</script>',
  '\u00e9',
  'e\u0301',
];
const TIME = '2026-11-21T09:30:00.123Z';

/** A record that differs with `n` in every field. */
function factsOf(n: number): ConsentFacts {
  const pick = <Value>(values: readonly Value[], shift = 0): Value =>
    values[(n + shift) % values.length] as Value;
  const keys = ['marketing', 'analytics', 'z', 'a-b', 'a_b', '10', '9', 'necessary'].slice(0, 1 + (n % 8));
  const order = n % 2 === 0 ? keys : [...keys].reverse();
  return {
    banner_version: n,
    bundle_hash: pick([null, 'a'.repeat(64)]),
    categories: Object.fromEntries(order.map((key, at) => [key, (n + at) % 3 === 0])),
    consent_id: '0199f1f0-0000-7000-8000-000000000001',
    decision: pick(['accept_all', 'reject_all', 'save_preferences']),
    expires_at: TIME,
    gpc: pick([true, false], 1),
    gpp_string: pick([null, ...TEXTS]),
    region: pick([null, 'DE', 'US-CA']),
    rule: pick([null, 'opt_in', 'opt_out', 'notice']),
    ip_masked: pick(['203.0.***.***', '2001:db8::']),
    language: pick(['en', 'de-AT', 'zh-Hant']),
    linked_from: pick([null, null, '0199f1f0-0000-7000-8000-000000000002']),
    method: pick(['banner', 'settings']),
    page_url: pick([null, ...TEXTS], 2),
    policy_version: pick(['1', '2026-11', '"\\']),
    recorded_at: TIME,
    recorded_by: pick(['visitor', 'owner']),
    session_id: '7d3f0c1e-4b1a-4f5e-9c8b-1a2b3c4d5e6f',
    tc_string: pick([null, ...TEXTS], 4),
    user_agent: pick([null, ...TEXTS], 5),
    // The canonical order is that of texts: 1201 is ahead of 755.
    vendors: pick([null, { 755: true, 1201: false, 2: true }, {}], 1),
  };
}

const SITE = 'env_0123456789012345678901';

test('the statement that a visitor waits for is the canonical one, whatever the record', () => {
  for (let n = 0; n < 500; n += 1) {
    const facts = factsOf(n);
    const { tc_string, gpp_string, region, rule, vendors, linked_from, ...others } = facts;
    const record = {
      ...others,
      ...(tc_string === null ? {} : { tc_string }),
      ...(gpp_string === null ? {} : { gpp_string }),
      ...(region === null ? {} : { region }),
      ...(rule === null ? {} : { rule }),
      ...(vendors === null ? {} : { vendors }),
      ...(linked_from === null ? {} : { linked_from }),
    };
    const imported_on = n % 2 === 0 ? undefined : TIME;
    const statement = consentStatement(SITE, facts, imported_on);
    expect(statement).toBe(statementOf({ kind: 'consent', site: SITE, record, imported_on }));
    expect(canonicalize(JSON.parse(statement))).toBe(statement);
  }
});

test('a statement is the one of RFC 8785 (§3.2.3: its example)', () => {
  const record = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  expect(statementOf({ kind: 'import', site: 's', record })).toBe(
    '{"avow":1,"kind":"import","record":{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"},"site":"s"}',
  );
});

test('a commitment is SHA-256 of the blinding and the statement in UTF-8', () => {
  for (const statement of ['', 'x', 'ü😀', 'ü'.repeat(20_000)]) {
    const { blinding, commitment } = seal(statement);
    const bytes = Buffer.concat([Buffer.from(blinding, 'hex'), Buffer.from(statement)]);
    expect(commitment).toBe(createHash('sha256').update(bytes).digest('hex'));
    // As PostgreSQL writes it.
    const uuid = blinding.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    expect(commitmentOf(uuid, statement)).toBe(commitment);
  }
});

test('no blinding comes twice', () => {
  const blindings = Array.from({ length: 5_000 }, newBlinding);
  expect(new Set(blindings).size).toBe(5_000);
  for (const blinding of blindings) expect(blinding).toMatch(/^[0-9a-f]{32}$/);
});

const GROUP = {
  ...{ environment_id: 'a', group_id: 'b', first_at: TIME, last_at: TIME, leaves: 'ab'.repeat(32) },
};

test.each(Object.keys(GROUP))('the code of a group is over its %s', (field) => {
  const key = Buffer.alloc(32, 1);
  const mac = Buffer.from(groupMac(key, GROUP), 'hex');
  expect(mac).toHaveLength(16);
  expect(isGenuine(key, GROUP, mac)).toBe(true);
  expect(isGenuine(key, { ...GROUP, [field]: 'c' }, mac)).toBe(false);
  expect(isGenuine(Buffer.alloc(32, 2), GROUP, mac)).toBe(false);
  expect(isGenuine(key, GROUP, mac.subarray(0, 15))).toBe(false);
});

test('a checkpoint is a signed note that the standard library verifies too', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = bytesOf(privateKey);
  const checkpoint = { origin: 'consent.example.com/ledger/x', size: 7, root: Buffer.alloc(32, 9) };
  const note = signCheckpoint(checkpoint, privateKey);
  const [text, line] = note.split('\n\n').map((part, n) => (n === 0 ? `${part}\n` : part)) as [
    string,
    string,
  ];
  expect(text).toBe(`consent.example.com/ledger/x\n7\n${Buffer.alloc(32, 9).toString('base64')}\n`);
  expect(text).toBe(checkpointText(checkpoint));
  const signature = Buffer.from(line.trim().split(' ')[2] as string, 'base64');
  const hash = createHash('sha256').update('consent.example.com/ledger/x\n\x01').update(publicKey).digest();
  expect(signature.subarray(0, 4)).toEqual(hash.subarray(0, 4));
  expect(verify(null, Buffer.from(text), createPublicKey(privateKey), signature.subarray(4))).toBe(true);
  expect(readCheckpoint(note, checkpoint.origin, publicKey)).toEqual(checkpoint);
  expect(readCheckpoint(note.replace('\n7\n', '\n8\n'), checkpoint.origin, publicKey)).toBeUndefined();
  expect(readCheckpoint(note, 'other', publicKey)).toBeUndefined();
  expect(vkeyOf(checkpoint.origin, publicKey)).toBe(
    `consent.example.com/ledger/x+${hash.subarray(0, 4).toString('hex')}+${Buffer.concat([Buffer.of(1), publicKey]).toString('base64')}`,
  );
});

test('keys are the 32 bytes of RFC 8032 (§7.1, test 1)', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const bytes = bytesOf(privateKeyOf(seed));
  expect(bytes.toString('hex')).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  expect(bytesOf(publicKeyOf(bytes))).toEqual(bytes);
});

/** More values than are written at once. */
const MANY = Array.from({ length: 300 }, (_, n) => ({ n, 9: 'ü', a: [n, { b: null }] }));

test.each<[string, unknown]>([
  ['keys in another order', { b: 1, a: { d: [], c: {} }, ä: 'ü', A: null }],
  ['keys that begin with a digit', { list: [{ 10: true, 9: false, a: 1 }] }],
  ['what is not there', { a: undefined, b: [undefined, 1], c: null }],
  ['an instant', { at: new Date(0) }],
  ['a key that objects have', JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "a": 3}')],
  ['numbers', [0, -0, 1e21, 1e-7, 0.1, -5]],
  ['texts', TEXTS],
  ['half a character', { a: '\ud800', '\udfff': 1 }],
  [
    'a list of vendors',
    Array.from({ length: 50 }, (_, id) => ({ name: `v${id}`, id, cookies: [{ b: 1, a: 2 }] })),
  ],
])('the canonical text has one form: %s', (_, value) => {
  expect(canonicalText(value)).toBe(canonicalize(value));
  // Beside so much that it is written in pieces.
  const many = { ...TEXTS, 2: value, 10: [...MANY, value], b: { value, MANY }, a: value, c: [[], {}] };
  for (const one of [value, many]) expect([...canonicalPieces(one)].join('')).toBe(canonicalize(one));
  expect([...canonicalPieces(many)].length).toBeGreaterThan(MANY.length);
});

test('a long statement is the same as a short one', async () => {
  const fact = { kind: 'vendors', site: 'env_1', record: { version: 1, vendors: MANY } } as const;
  for (const one of [fact, { ...fact, imported_on: '2026-11-26T00:00:00.000Z' }])
    expect(await longStatementOf(one)).toBe(statementOf(one));
});

test('a number that JSON does not have is refused', () => {
  expect(() => canonicalText({ a: [Number.NaN] })).toThrow('NaN');
  expect(() => [...canonicalPieces({ a: [...MANY, Number.NaN] })]).toThrow('NaN');
});
