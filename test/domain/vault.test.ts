import { randomBytes } from 'node:crypto';
import { type Drawer, type Purpose, rowOf, SealedByAnother, Vault } from '../../server/src/security/vault';

const newKey = (): string => randomBytes(32).toString('base64');
const [key, next] = [newKey(), newKey()];
const vault = new Vault(key);
const PURPOSES: Purpose[] = [
  ...(['ledger key', 'server secret ledger_groups', 'server secret mail', 'answer'] as const),
  ...(['answer part', 'attachment part', 'stored object', 'mail', 'authenticator app'] as const),
  ...(['log-in at a provider', 'log-out at a provider'] as const),
];
/** What the version before reads, too. */
const EARLY: Purpose[] = [
  ...(['mail', 'authenticator app', 'log-in at a provider', 'log-out at a provider'] as const),
];
const SECRET = randomBytes(32).toString('base64');
const drawers: Drawer[] = [vault, ...PURPOSES.map((purpose) => vault.of(purpose))];

test('what is sealed for one purpose opens for no other, and not without one', () => {
  for (const text of ['Dear Ada', SECRET])
    drawers.slice(1).forEach((drawer, n) => {
      if (EARLY.includes(PURPOSES[n] as Purpose)) return;
      const sealed = drawer.seal(text);
      expect(drawer.open(sealed)).toBe(text);
      expect(drawers.map((other) => other.opens(sealed))).toEqual(drawers.map((_, at) => at === n + 1));
    });
});

test('what is sealed for a row opens for that row alone', () => {
  const drawer = vault.of('answer');
  const sealed = drawer.seal('Dear Ada', rowOf('site', 'request'));
  expect(drawer.open(sealed, 'site/request')).toBe('Dear Ada');
  for (const row of ['site/other', 'other/request', '', undefined]) {
    expect(drawer.opens(sealed, row)).toBe(false);
    expect(() => drawer.open(sealed, row)).toThrow(SealedByAnother);
    expect(() => drawer.isCurrent(sealed, row)).toThrow(SealedByAnother);
  }
  expect(drawer.opens(drawer.seal('Dear Ada'), 'site/request')).toBe(false);
});

test('what an earlier build has sealed opens by its form, so that no secret passes for a text, nor a text for one', () => {
  const [text, secret] = [vault.seal('Dear Ada'), vault.seal(SECRET)];
  const near = ['', SECRET.slice(1), `${SECRET}A`, `whsec_${SECRET}`, `"${SECRET}"`, `${SECRET}\n`].map(
    (wrong) => vault.seal(wrong),
  );
  near.push(vault.seal(randomBytes(32).toString('base64url').padEnd(44, '-')));
  near.push(vault.sealBytes(Buffer.from(SECRET, 'base64')));
  for (const purpose of PURPOSES) {
    const drawer = vault.of(purpose);
    const isOfSecrets = /^(ledger key|server secret)/.test(purpose);
    for (const row of [undefined, 'any row']) {
      expect([purpose, drawer.opens(secret, row)]).toEqual([purpose, isOfSecrets]);
      for (const sealed of [text, ...near])
        expect([purpose, drawer.opens(sealed, row)]).toEqual([purpose, !isOfSecrets]);
    }
    expect(drawer.isCurrent(isOfSecrets ? secret : text)).toBe(EARLY.includes(purpose));
  }
  // Nor in the columns that stay as they are.
  expect([vault.opens(secret), vault.opens(text)]).toEqual([false, true]);
  expect(near.every((sealed) => vault.opens(sealed))).toBe(true);
  // What is sealed for a purpose may have any form.
  expect(vault.of('answer').open(vault.of('answer').seal(SECRET))).toBe(SECRET);
});

test('what the version before reads is sealed as it did, and may be read with a purpose already', () => {
  for (const purpose of EARLY) {
    const sealed = vault.of(purpose).seal('Hello', 'row');
    expect([vault.open(sealed), vault.of(purpose).isCurrent(sealed, 'row')]).toEqual(['Hello', true]);
    const during = new Vault(next, [key]);
    expect(during.of(purpose).isCurrent(sealed, 'row')).toBe(false);
    expect(during.of(purpose).isCurrent(during.of(purpose).seal('Hello', 'row'), 'row')).toBe(true);
  }
});

test('every key opens for a purpose, the first one seals, and both have the names of the keys themselves', () => {
  const during = new Vault(next, [key]);
  const of = (one: Vault) => one.of('attachment part');
  const [before, after] = [of(vault).seal('Hello', 'row'), of(during).seal('Hello', 'row')];
  expect(of(during).open(before, 'row')).toBe('Hello');
  expect([before, after].map((sealed) => of(during).isCurrent(sealed, 'row'))).toEqual([false, true]);
  expect(of(new Vault(next)).isCurrent(after, 'row')).toBe(true);
  expect(of(vault).opens(after, 'row')).toBe(false);
  // Sealed by an earlier build, with the key that is the second one now.
  expect(of(during).open(vault.seal('Hello'), 'row')).toBe('Hello');
  const bare = 12 + 16 + 5;
  expect(before).toHaveLength(bare);
  const mark = (sealed: Buffer) => sealed.subarray(0, -bare).toString('hex');
  expect(mark(after)).toMatch(/^61766b31.{16}$/);
  expect(mark(after)).toBe(mark(during.seal('Hello')));
});
