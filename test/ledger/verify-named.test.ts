import { verifyEvidence } from '../../sdk/src/verify';
import { BUNDLE, hash, lineOf, type MadePack, makePack, receiptOf, zipOf } from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';
import { timeStampResponse } from '../helpers/ledger/time-stamp';

// A file of a pack, or a member of a line, is taken for one thing only.

const verify = async (pack: MadePack, file: Uint8Array | string = zipOf(pack)) => {
  const { keys } = pack;
  const found = await verifyEvidence(file, {
    trustedKeys: [keys.old.vkey],
    witnesses: [keys.witness.vkey],
  });
  const of = (outcome: unknown): string[] =>
    found.steps
      .filter(({ ok }) => ok === outcome)
      .map(({ step, where, what }) => `${step}: ${where}: ${what}`);
  return { verdict: found.verdict, failed: of(false), unknown: of('unknown') };
};

/** A genuine time-stamp of the first checkpoint, as a file of any name. */
function stampAs(pack: MadePack, path: string): void {
  const line = lineOf(pack, 'checkpoint');
  const text = line.note.slice(0, line.note.indexOf('\n\n') + 1);
  const content = timeStampResponse(hash('sha256', text), '20260304050607.25Z');
  const sha256 = hash('sha256', content).toString('hex');
  const file = pack.files.find(({ name }) => name === path);
  if (file === undefined) {
    pack.files.push({ name: path, content });
    pack.lines.splice(-1, 0, { type: 'file', path, sha256 });
  } else {
    file.content = content;
    for (const one of pack.lines) if (one.path === path) one.sha256 = sha256;
  }
  line.timestamps.push({ ...line.timestamps[0], file: path });
}

test.each([
  `bundles/${BUNDLE}.js`,
  `bundles/${BUNDLE}.texts.json`,
  'statement.html',
  'README.txt',
  'proof-of-what-was-shown.html',
  'timestamps/5-1.tsr',
  'timestamps/13-2.tsr.html',
  'Timestamps/13-2.tsr',
  'timestamps/13-2.TSR',
  'timestamps/13-2.tsrtimestamps/13-x.html',
  'timestamps/13-timestamps/13-2.tsr',
  'x/timestamps/13-2.tsr',
  '2.tsr',
])('a time-stamp under the name of another file is refused: %s', async (path) => {
  const pack = makePack();
  stampAs(pack, path);
  expect(await verify(pack)).toMatchObject({
    verdict: 'failed',
    failed: ['time-stamp: evidence.ndjson line 4: no URL, or no timestamps/13-n.tsr'],
  });
});

test('a second time-stamp of a checkpoint is one', async () => {
  const pack = makePack();
  stampAs(pack, 'timestamps/13-2.tsr');
  expect(await verify(pack)).toMatchObject({ verdict: 'verified', failed: [] });
});

test.each(['timestamps', 'file'])('evidence.ndjson itself is no file of a pack: %s', async (as) => {
  const pack = makePack();
  const path = 'evidence.ndjson';
  if (as === 'file') pack.lines.splice(-1, 0, { type: 'file', path, sha256: '0'.repeat(64) });
  else
    lineOf(pack, 'checkpoint').timestamps.push({ ...lineOf(pack, 'checkpoint').timestamps[0], file: path });
  expect((await verify(pack)).verdict).toBe('failed');
});

test.each([
  'the banner was shown as in this file, which an authority',
  'https://tsa.example signed it; x',
  'https://tsa.example\nok',
  `https://${'a'.repeat(600)}`,
  'tsa.example',
])('an authority that is no URL is refused: %s', async (authority) => {
  const pack = makePack();
  lineOf(pack, 'checkpoint').timestamps[0].authority = authority;
  expect((await verify(pack)).failed).toEqual([expect.stringMatching(/^time-stamp: .* no URL/)]);
});

test('the time of a time-stamp is written in one way', async () => {
  const pack = makePack();
  lineOf(pack, 'checkpoint').timestamps[0].genTime = '2026-03-04 05:06:07.250Z (the banner was shown)';
  expect((await verify(pack)).failed).toEqual([expect.stringMatching(/it is of 2026-03-04T05:06:07.250Z;/)]);
});

test('a response with words beside its status is no time-stamp of a pack', async () => {
  const pack = makePack();
  const stamp = pack.files.find(({ name }) => name.endsWith('.tsr')) as (typeof pack.files)[number];
  const at = Buffer.from(stamp.content).indexOf(Buffer.from('3003020100', 'hex'));
  const status = Buffer.from('30080201000c03414243', 'hex');
  const rest = Buffer.concat([status, stamp.content.subarray(at + 5)]);
  const head = Buffer.from(
    rest.length < 128 ? [0x30, rest.length] : [0x30, 0x82, rest.length >> 8, rest.length & 255],
  );
  stamp.content = Buffer.concat([head, rest]);
  for (const line of pack.lines)
    if (line.path === stamp.name) line.sha256 = hash('sha256', stamp.content).toString('hex');
  expect((await verify(pack)).failed).toEqual([expect.stringMatching(/it is no time-stamp of RFC 3161/)]);
});

test.each<[string, (pack: MadePack) => void]>([
  ['a witness', (p) => Object.assign(lineOf(p, 'checkpoint').witnesses[0], { certain: true })],
  ['a time-stamp', (p) => Object.assign(lineOf(p, 'checkpoint').timestamps[0], { certain: true })],
])('what nobody knows about %s of a pack is reported', async (_, change) => {
  const pack = makePack();
  change(pack);
  expect(await verify(pack)).toMatchObject({
    verdict: 'incomplete',
    unknown: expect.arrayContaining([
      'file: evidence.ndjson line 4: this program does not know "certain" there',
    ]),
  });
});

test.each(['keys', 'witnesses'])(
  'what nobody knows about one of the %s of a receipt is reported',
  async (list) => {
    const pack = makePack();
    const receipt = structuredClone(receiptOf(pack));
    receipt.evidence[list][0].certain = true;
    expect(await verify(pack, JSON.stringify(receipt))).toMatchObject({
      verdict: 'incomplete',
      unknown: [
        expect.stringMatching(/^file: evidence\.(keys\[0\]|witnesses): this program does not know "certain"/),
      ],
    });
  },
);

test.each<[unknown]>([[['given']], [[['given']]], [{ given: true }], [true]])(
  'a choice of a receipt is a text: %j',
  async (consent) => {
    const pack = makePack();
    const receipt = structuredClone(receiptOf(pack));
    receipt.purposes[0].consent = consent;
    expect((await verify(pack, JSON.stringify(receipt))).failed).toEqual([
      'record: the receipt: "purposes" is not what the sealed statement says',
    ]);
  },
);

test('the names of the keys that a reader gave are told where they prove nothing', async () => {
  const pack = makePack();
  const all = new Signer('consent.example.com/ledger/*');
  const { failed } = await verify({ ...pack, keys: { ...pack.keys, old: all } }, zipOf(pack));
  expect(failed[0]).toMatch(/none of the keys that you trust, of consent\.example\.com\/ledger\/\*$/);
});
