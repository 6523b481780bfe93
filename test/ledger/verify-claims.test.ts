import { verifyEvidence } from '../../sdk/src/verify';
import {
  BUNDLE,
  hash,
  type Line,
  lineOf,
  type MadePack,
  makePack,
  RECORDS,
  receiptOf,
  zipOf,
} from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';
import type { ZipFile } from '../helpers/ledger/zip';

/** What nothing signed says; a later withdrawal may be stated of any choice. */
const UNPROVEN = [
  /^@context\b/,
  /^issued_at$/,
  /^controller\b/,
  /^purposes\.\d+\.(name|description)$/,
  /^purposes\.2\.key$/,
  /^recipients\.\d+\.(name|categories.*|privacy_policy_url|country)$/,
  /^notice\.(title|description|privacy_policy_url|imprint_url|bundle_url)$/,
  /^withdrawal$/,
  /^retention_days$/,
];

const REFUSED = { required: false, consent: 'refused' };

/** The paths of all values that hold no others. */
function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Another value of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return value === null ? 'x' : `${value}x`;
}

function changed(receipt: Line, path: string[]): Line {
  const copy = structuredClone(receipt);
  const last = path.at(-1) as string;
  const holder = path.slice(0, -1).reduce((inner, name) => inner[name], copy);
  holder[last] = other(holder[last]);
  return copy;
}

const trusting = (pack: MadePack) => ({ trustedKeys: [pack.keys.old.vkey] });

/** A decision by vendor, in a region where nobody had to be asked. */
const BY_VENDOR = RECORDS.map(([kind, record]): (typeof RECORDS)[number] => [
  kind,
  kind === 'consent'
    ? { ...record, region: 'US-CA', rule: 'opt_out', vendors: { 7: true, 12: false, 755: false } }
    : record,
]);

describe.each([
  ['of categories', RECORDS],
  ['by vendor and region', BY_VENDOR],
])('a receipt %s that says more than its statement', (_kind, records) => {
  const pack = makePack(records);
  const receipt = receiptOf(pack);
  const { evidence: _, ...said } = receipt;

  test.each(leavesOf(said).map((path) => [path.join('.'), path] as const))(
    '%s: a change fails, or is said to be unproven',
    async (name, path) => {
      const found = await verifyEvidence(JSON.stringify(changed(receipt, path)), trusting(pack));
      const isUnproven = UNPROVEN.some((one) => one.test(name));
      expect([name, found.verdict]).toEqual([name, isUnproven ? 'verified' : 'failed']);
      if (isUnproven) expect(found.steps).toContainEqual(expect.objectContaining({ ok: 'unproven' }));
      else expect(found.records).toEqual({ proven: 0, pending: 0, failed: 1 });
    },
  );

  test.each<[string, (one: Line) => Line]>([
    ['the receipt', (one) => one],
    ['its notice', (one) => one.notice],
    ['a purpose', (one) => one.purposes[2]],
    ['its evidence', (one) => one.evidence],
  ])('a member that nobody knows, in %s: is not verified', async (_name, find) => {
    // Names that the sealed statement has, or that look like what a visitor chose.
    for (const name of ['recorded_at', 'expires_at', 'categories', 'withdrawn_at', '__proto__']) {
      const copy = structuredClone(receipt);
      Object.defineProperty(find(copy), name, { value: '2020-01-01T00:00:00.000Z', enumerable: true });
      const { verdict, steps } = await verifyEvidence(JSON.stringify(copy), trusting(pack));
      expect([name, verdict]).toEqual([name, 'incomplete']);
      expect(steps).toContainEqual(
        expect.objectContaining({ ok: 'unknown', what: expect.stringContaining(`"${name}"`) }),
      );
    }
  });

  test('a purpose without a choice, which may have been added, is said to be unproven', async () => {
    const copy = structuredClone(receipt);
    const added = {
      key: 'selling',
      name: 'Selling',
      description: 'To anybody',
      required: true,
      consent: null,
    };
    copy.purposes.push(added);
    const { steps } = await verifyEvidence(JSON.stringify(copy), trusting(pack));
    const words = expect.stringContaining('purposes without choice');
    expect(steps).toContainEqual(expect.objectContaining({ ok: 'unproven', what: words }));
  });

  test.each<[string, (one: Line) => void]>([
    ['a purpose left out', (one) => one.purposes.splice(1, 1)],
    ['a purpose twice', (one) => one.purposes.push({ ...one.purposes[0] })],
    [
      'a choice that is none any more',
      (one) => Object.assign(one.purposes[0], { required: true, consent: null }),
    ],
    ['a refusal in place of a choice', (one) => Object.assign(one, { status: 'refused' })],
    ['a member left out', (one) => delete one.decision],
    ['a record of another kind', (one) => Object.assign(one.evidence, lineOf(pack, 'record', 1))],
  ])('%s: fails', async (_name, change) => {
    const copy = structuredClone(receipt);
    change(copy);
    expect((await verifyEvidence(JSON.stringify(copy), trusting(pack))).verdict).toBe('failed');
  });

  test('it holds as it is', async () => {
    const { verdict, records } = await verifyEvidence(JSON.stringify(receipt), trusting(pack));
    expect([verdict, records]).toEqual(['verified', { proven: 1, pending: 0, failed: 0 }]);
  });

  test('a genuine receipt in "data" lends nothing to what stands beside it', async () => {
    const two = JSON.stringify({ ...changed(receipt, ['decision']), data: receipt });
    expect((await verifyEvidence(two, trusting(pack))).verdict).toBe('failed');
  });
});

describe('a receipt of choices by vendor, in a region', () => {
  const pack = makePack(BY_VENDOR);
  const receipt = receiptOf(pack);

  test.each<[string, (one: Line) => void]>([
    [
      'a rule under which nobody is asked, said to be consent',
      (one) => {
        delete one.rule;
        delete one.region;
        one.lawful_basis = 'consent';
      },
    ],
    ['a region left out', (one) => delete one.region],
    ['a vendor left out', (one) => one.recipients.splice(1, 1)],
    ['a vendor twice', (one) => one.recipients.push({ ...one.recipients[0] })],
    [
      'a vendor twice, and its choice as no word',
      (one) => one.recipients.push({ id: 7, name: 'A', consent: false }),
    ],
    ['a number as a text', (one) => Object.assign(one.recipients[0], { id: '7' })],
    [
      'a purpose twice, and its choice as no word',
      (one) => one.purposes.push({ ...one.purposes[0], consent: false }),
    ],
    ['a key in a list', (one) => Object.assign(one.purposes[0], { key: [one.purposes[0].key] })],
    ['a purpose that says not whether it is required', (one) => delete one.purposes[0].required],
    ['a purpose without choice twice', (one) => one.purposes.push({ ...one.purposes.at(-1) })],
    ['a choice without its vendor', (one) => delete one.recipients[1].id],
    ['a vendor without its choice', (one) => delete one.recipients[1].consent],
    ['a choice about a vendor that was not asked about', (one) => (one.recipients[3].consent = 'given')],
    ['the same with a number', (one) => Object.assign(one.recipients[3], { id: 9, consent: 'refused' })],
    ['a purpose refused that was not asked about', (one) => Object.assign(one.purposes.at(-1), REFUSED)],
  ])('%s: fails', async (_name, change) => {
    const copy = structuredClone(receipt);
    change(copy);
    expect((await verifyEvidence(JSON.stringify(copy), trusting(pack))).verdict).toBe('failed');
  });

  test.each(['constructor', 'to_string', '__proto__'])(
    'a category named %s is like any other',
    async (key) => {
      const named = BY_VENDOR.map(([kind, record]): (typeof RECORDS)[number] => [
        kind,
        kind === 'consent' ? { ...record, categories: JSON.parse(`{"${key}": false}`) } : record,
      ]);
      const one = makePack(named);
      const verdictOf = async (it: Line) => (await verifyEvidence(JSON.stringify(it), trusting(one))).verdict;
      const genuine = receiptOf(one);
      expect(await verdictOf(genuine)).toBe('verified');
      for (const consent of ['given', 'refused', false, undefined]) {
        const copy = structuredClone(genuine);
        copy.purposes.push({ key, required: false, consent });
        expect([consent, await verdictOf(copy)]).toEqual([consent, 'failed']);
      }
    },
  );

  test('one vendor alone makes it given', async () => {
    const none = BY_VENDOR.map(([kind, record]): (typeof RECORDS)[number] => [
      kind,
      kind === 'consent' ? { ...record, categories: { analytics: false } } : record,
    ]);
    const one = makePack(none);
    const { verdict } = await verifyEvidence(JSON.stringify(receiptOf(one)), trusting(one));
    expect(verdict).toBe('verified');
  });
});

describe('a pack whose other files were replaced, and their hashes with them', () => {
  const replaced = (name: string): MadePack => {
    const pack = makePack();
    const content = Buffer.from('The visitor never consented.');
    const file = pack.files.find((one) => one.name === name) as ZipFile;
    file.content = content;
    const line = pack.lines.find(({ path }) => path === name) as Line;
    line.sha256 = hash('sha256', content).toString('hex');
    return pack;
  };

  test.each([`bundles/${BUNDLE}.js`, `bundles/${BUNDLE}.texts.json`])(
    '%s: is not what its bundle was sealed with',
    async (name) => {
      const pack = replaced(name);
      const { verdict, steps } = await verifyEvidence(zipOf(pack), trusting(pack));
      expect(verdict).toBe('failed');
      expect(steps).toContainEqual(expect.objectContaining({ step: 'attachment', ok: false, where: name }));
    },
  );

  test.each(['statement.html', 'README.txt'])('%s: is said to be unproven', async (name) => {
    for (const pack of [makePack(), replaced(name)]) {
      const { steps } = await verifyEvidence(zipOf(pack), trusting(pack));
      const about = steps.filter(({ where }) => where === name).map(({ step, ok }) => [step, ok]);
      expect(about).toEqual([['attachment', 'unproven']]);
    }
  });
});

test('a record that was left out leaves no trace, and no step says that all are there', async () => {
  const pack = makePack();
  const at = pack.lines.findIndex(({ type, kind }) => type === 'record' && kind === 'vendors');
  pack.lines.splice(at, 1);
  lineOf(pack, 'end').records -= 1;
  const { steps } = await verifyEvidence(zipOf(pack), trusting(pack));
  expect(steps).toContainEqual(
    // Nor that the head is the newest one.
    expect.objectContaining({
      ...{ ok: 'unproven', where: 'evidence.ndjson line 14' },
      what: 'that no record was left out of the 13 leaves of this head; later ones may exist',
    }),
  );
  expect(steps.filter(({ ok, what }) => ok === true && what.includes('left out'))).toEqual([]);
});

test('a pack of every leaf says so', async () => {
  const pack = makePack(undefined, 0);
  const { steps } = await verifyEvidence(zipOf(pack), trusting(pack));
  const what = 'that no record was left out of the 4 leaves of this head; later ones may exist';
  expect(steps).toContainEqual(expect.objectContaining({ ok: true, what }));
});

describe('what a hostile file may cost', () => {
  const checks = async (file: Uint8Array | string): Promise<number> => {
    const verify = jest.spyOn(crypto.subtle, 'verify');
    await verifyEvidence(file);
    const { length } = verify.mock.calls;
    verify.mockRestore();
    return length;
  };
  /** Wrong signatures under the name of a key. */
  const wrongLines = ({ keys: { present } }: MadePack, count: number): string =>
    Array.from({ length: count }, (_, n) => present.line(`wrong ${n}\n`)).join('');

  test('a key, a signature line and a checkpoint again and again', async () => {
    const pack = makePack();
    const key = lineOf(pack, 'key', 1);
    pack.lines.splice(2, 0, ...Array.from({ length: 200 }, () => key));
    expect(await checks(zipOf(pack))).toBeLessThan(10);
    const twice = makePack();
    const head = lineOf(twice, 'checkpoint');
    head.note += `${head.note.split('\n').at(-2)}\n`;
    expect((await verifyEvidence(zipOf(twice))).verdict).toBe('failed');
    const many = makePack();
    const older = lineOf(many, 'checkpoint', 1);
    older.note += wrongLines(many, 90);
    many.lines.splice(5, 0, ...Array.from({ length: 50 }, () => older));
    expect(await checks(zipOf(many))).toBeLessThan(1_200);
  });

  test('many keys that all sign are checked once each', async () => {
    const pack = makePack();
    const keys = Array.from({ length: 150 }, () => new Signer(pack.keys.present.name));
    const line = lineOf(pack, 'key', 1);
    pack.lines.splice(3, 0, ...keys.map(({ vkey }) => ({ ...line, vkey })));
    expect(await checks(zipOf(pack))).toBeLessThan(200);
  });

  test('long texts are cut where they are quoted', async () => {
    const pack = makePack();
    for (let n = 0; n < 10; n += 1)
      pack.lines.splice(5, 0, { ...lineOf(pack, 'record'), kind: 'x'.repeat(1_000_000) });
    const { steps } = await verifyEvidence(zipOf(pack));
    expect(Math.max(...steps.map(({ what, where }) => what.length + where.length))).toBeLessThan(2_100);
  });

  test('what repeats itself deflates to almost nothing, and is no reason to refuse it', async () => {
    const pack = makePack();
    const page = pack.files.find(({ name }) => name === 'statement.html') as ZipFile;
    page.content = Buffer.from('&amp;'.repeat(200_000));
    const line = pack.lines.find(({ path }) => path === 'statement.html') as Line;
    line.sha256 = hash('sha256', page.content).toString('hex');
    expect((await verifyEvidence(zipOf(pack), trusting(pack))).verdict).toBe('verified');
  });
});
