import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { verifyEvidence } from '../../sdk/src/verify';
import { lineOf, makePack, ndjson, receiptOf, zipOf } from '../helpers/ledger/made-pack';
import { unicodePath, writeZip, type ZipFile } from '../helpers/ledger/zip';

const failing = async (file: Uint8Array | string): Promise<string[]> => {
  const { steps } = await verifyEvidence(file);
  return steps.filter(({ ok }) => ok === false).map(({ step, where, what }) => `${step}: ${where}: ${what}`);
};

const FILE: ZipFile = { name: 'evidence.ndjson', content: Buffer.from('{}\n') };
const zeroes = (length: number): Buffer => Buffer.alloc(length);

describe('a ZIP file that is no pack is refused with words', () => {
  test.each<[string, ZipFile[], RegExp]>([
    ['two files of one name', [FILE, FILE], /evidence.ndjson: two files have this name/],
    ['an encrypted file', [{ ...FILE, says: { flags: 1 } }], /it is encrypted/],
    ['another method', [{ ...FILE, method: 12 }], /unknown method/],
    ['ZIP64 sizes', [{ ...FILE, says: { size: 0xffffffff } }], /ZIP64/],
    ['strange flags', [{ ...FILE, says: { flags: 0x2000 } }], /flags/],
    ['overlapping files', [FILE, { ...FILE, name: 'b', says: { header: 0 } }], /overlaps|unknown bytes/],
    ['a header of another name', [{ ...FILE, says: { localName: 'evidence.ndjsom' } }], /says two things/],
    ['a path that leads out', [{ ...FILE, name: '../evidence.ndjson' }], /name of a file has other signs/],
    ['a name that ends in a dot', [FILE, { ...FILE, name: 'b.' }], /name of a file has other signs/],
    [
      'two names that differ in case alone',
      [FILE, { ...FILE, name: 'Evidence.ndjson' }],
      /two files have this name/,
    ],
    [
      'another name for other readers, in the directory',
      [FILE, { ...FILE, name: 'b', extra: unicodePath('b', 'evidence.ndjson') }],
      /b: it has an extra field/,
    ],
    [
      'another name for other readers, in its header',
      [{ ...FILE, ownExtra: unicodePath('evidence.ndjson', 'b') }],
      /says two things/,
    ],
    ['a comment', [{ ...FILE, comment: 'hello' }], /it has an extra field or a comment/],
    ['a link', [{ ...FILE, says: { attributes: 0o120777 * 65_536 } }], /a link/],
    [
      'a directory that is too long',
      [{ ...FILE, name: 'b'.repeat(5000) }],
      /directory is not where it should be/,
    ],
    ['an absolute path', [{ ...FILE, name: '/etc/passwd' }], /name of a file has other signs/],
    ['a name that turns direction', [{ ...FILE, name: 'a\u202eb' }], /name of a file has other signs/],
    ['a wrong checksum', [{ ...FILE, content: Buffer.from('{}'), says: { crc: 5 } }], /content is damaged/],
    ['a wrong size', [{ ...FILE, says: { size: 2 } }], /content is damaged/],
    [
      'a stored file of another size',
      [{ ...FILE, method: 0, says: { size: 2 } }],
      /it is stored, and its size follows or is another/,
    ],
    [
      'a stored file whose size follows',
      [{ ...FILE, method: 0, follows: true }],
      /evidence.ndjson: it is stored, and its size follows/,
    ],
    ['no evidence.ndjson', [{ ...FILE, name: 'other' }], /no evidence pack/],
    ['content that is not deflated', [{ ...FILE, method: 8, says: { packed: 5 } }], /./],
    ['a bomb', [{ ...FILE, content: zeroes(50_000_000) }], /line is longer than 4 MiB/],
    [
      'a bomb that says to be small',
      [{ ...FILE, content: zeroes(50_000_000), says: { size: 1000 } }],
      /content is damaged|line is longer/,
    ],
  ])('%s', async (_, files, said) => {
    expect(await failing(writeZip(files))).toEqual([expect.stringMatching(said)]);
  });

  test('with something before, between, behind', async () => {
    const zip = writeZip([FILE]);
    expect(await failing(Buffer.concat([zip, Buffer.of(0)]))).toEqual([
      expect.stringMatching(/does not end as a ZIP/),
    ]);
    const ahead = Buffer.concat([zip.subarray(0, 4), zip]);
    expect(await failing(ahead)).toEqual([expect.stringMatching(/directory is not where it should be/)]);
    const between = Buffer.concat([zip.subarray(0, 50), Buffer.of(1, 2, 3), zip.subarray(50)]);
    expect(await failing(between)).toEqual([expect.stringMatching(/directory is not where it should be/)]);
  });

  test('which is not a ZIP file at all', async () => {
    for (const file of ['', 'PK', 'hello', '[]', 'null', Buffer.from([0xff, 0xfe]), '{"a":1}'])
      expect(await failing(file)).toEqual([expect.stringMatching(/^file: /)]);
  });

  test('with 65,534 files, in time that grows as its size does', async () => {
    const cost = async (count: number): Promise<number> => {
      const files = Array.from({ length: count }, (_, i) => ({ ...FILE, name: `f${i}`, method: 0 as const }));
      const zip = writeZip(files);
      const start = performance.now();
      expect(await failing(zip)).toEqual([expect.stringMatching(/no evidence pack/)]);
      return (performance.now() - start) / count;
    };
    await cost(1000);
    // Per file, with much room for a busy machine: a quadratic loop is 30 times as slow.
    expect((await cost(32_000)) / (await cost(1000))).toBeLessThan(10);
  });
});

test.each([
  ['a byte', Buffer.of(0)],
  ['another file', writeZip([{ ...FILE, name: 'b' }])],
])('a pack with %s behind the end of a file’s content is refused', async (_, tail) => {
  const pack = makePack();
  const [first] = pack.files as [ZipFile];
  first.tail = tail;
  expect(await failing(zipOf(pack))).toEqual([
    expect.stringMatching(/^file: statement.html: its content is damaged/),
  ]);
});

describe('bytes of a pack', () => {
  test('each that is flipped is found, but for those that say nothing of any file', async () => {
    const pack = makePack();
    const trustedKeys = [pack.keys.old.vkey];
    const witnesses = [pack.keys.witness.vkey];
    // Stored: deflate has several ways to say the same.
    const evidence = { name: 'evidence.ndjson', content: Buffer.from(ndjson(pack.lines)) };
    const zip = writeZip([evidence, ...pack.files].map((file) => ({ ...file, method: 0 })));
    const directory = zip.readUInt32LE(zip.length - 6);
    const quiet: number[] = [];
    for (let at = 0; at < zip.length; at += at < directory ? 5 : 1) {
      const other = Buffer.from(zip);
      other[at] = (other[at] as number) ^ (1 << (at % 8));
      const { verdict } = await verifyEvidence(other, { trustedKeys, witnesses });
      if (verdict !== 'failed') quiet.push(at);
    }
    // In the directory: the version of the writer.
    const where = quiet.map((at) => offsetInEntry(zip, directory, at));
    expect(where.filter((offset) => ![4, 5].includes(offset))).toEqual([]);
  }, 120_000);

  test('each end is found', async () => {
    const zip = zipOf(makePack());
    for (let length = 0; length < zip.length; length += 23)
      expect((await verifyEvidence(zip.subarray(0, length))).verdict).toBe('failed');
  }, 120_000);

  test('whatever they are, the verifier answers', async () => {
    const zip = zipOf(makePack());
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ maxLength: 200 }),
      fc.json({ maxDepth: 3 }),
      fc
        .array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 })
        .map((changes) =>
          changes.reduce((all, [at, value]) => {
            all[at] = value;
            return all;
          }, Buffer.from(zip)),
        ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (file) => {
        const { verdict, steps } = await verifyEvidence(file as Uint8Array);
        expect(['failed', 'incomplete']).toContain(verdict);
        for (const { what, where } of steps)
          expect([typeof what, typeof where]).toEqual(['string', 'string']);
      }),
      { numRuns: 600 },
    );
  }, 120_000);
});

/** Where a byte lies in its entry of the directory; -1 outside of it. */
function offsetInEntry(zip: Buffer, directory: number, at: number): number {
  for (let entry = directory; entry < zip.length - 22; ) {
    const length = 46 + zip.readUInt16LE(entry + 28);
    if (at >= entry && at < entry + length) return at - entry;
    entry += length;
  }
  return -1;
}

describe('a receipt', () => {
  const make = () => {
    const pack = makePack();
    return { pack, receipt: receiptOf(pack), options: { trustedKeys: [pack.keys.old.vkey] } };
  };

  test('is verified, also as the answer of the API and with blanks', async () => {
    const { receipt, options } = make();
    const answer = { status: 200, data: receipt, message: 'ok' };
    for (const text of [JSON.stringify(receipt), JSON.stringify(receipt, null, 2), JSON.stringify(answer)]) {
      const found = await verifyEvidence(text, options);
      expect([found.verdict, found.kind, found.records.proven]).toEqual(['verified', 'receipt', 1]);
    }
  });

  test('that is pending proves nothing yet', async () => {
    const found = await verifyEvidence(JSON.stringify({ evidence: { pending: true } }));
    expect([found.verdict, found.records.pending]).toEqual(['incomplete', 1]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests change whatever they like
  test.each<[string, (evidence: any) => void, RegExp]>([
    [
      'statement',
      (e) => {
        e.statement = e.statement.replace('accept_all', 'reject_all');
      },
      /^record: evidence: .*not in the log/,
    ],
    [
      'blinding',
      (e) => {
        e.blinding = Buffer.alloc(16).toString('base64');
      },
      /^record: evidence: .*not in the log/,
    ],
    [
      'leaf',
      (e) => {
        e.leaf = 1;
      },
      /^record: evidence: .*not in the log/,
    ],
    [
      'proof',
      (e) => {
        e.proof.pop();
      },
      /^record: evidence: .*not in the log/,
    ],
    [
      'site',
      (e) => {
        e.site = 'env_x';
      },
      /^file: evidence.origin: .*not that of the site/,
    ],
    [
      'origin',
      (e) => {
        e.origin = `x/ledger/${e.site}`;
      },
      /^keys: evidence.keys\[0\]/,
    ],
    [
      'checkpoint',
      (e) => {
        e.checkpoint = e.checkpoint.replace('\n13\n', '\n14\n');
      },
      /^checkpoint: evidence.checkpoint: .*no right signature/,
    ],
    [
      'keys',
      (e) => {
        e.keys.shift();
      },
      /^trust: evidence.checkpoint/,
    ],
    [
      'key',
      (e) => {
        e.keys[0] = null;
      },
      /^keys: evidence.keys\[0\]: it is no object/,
    ],
    [
      'everything',
      (e) => {
        for (const name of Object.keys(e)) delete e[name];
      },
      /^file: evidence: "site" must be a text/,
    ],
  ])('with another %s is refused', async (_, change, said) => {
    const { receipt, options } = make();
    change(receipt.evidence);
    const { steps, verdict } = await verifyEvidence(JSON.stringify(receipt), options);
    const wrong = steps
      .filter(({ ok }) => ok === false)
      .map(({ step, where, what }) => `${step}: ${where}: ${what}`);
    expect(wrong).toContainEqual(expect.stringMatching(said));
    expect(verdict).toBe('failed');
  });

  test('with a member twice is refused: its readers might see two', async () => {
    const text = JSON.stringify(receiptOf(makePack()));
    expect(await failing(text.replace('"evidence":', '"evidence":{},"evidence":'))).toEqual([
      expect.stringMatching(/a member twice/),
    ]);
  });
});

test('a hostile file cannot fill the memory with its faults, and each step is told', async () => {
  const pack = makePack();
  const record = { ...lineOf(pack, 'record'), statement: '{}' };
  const blinding = () => randomBytes(16).toString('base64');
  const many = Array.from({ length: 3000 }, () => ({ ...record, blinding: blinding() }));
  pack.lines.splice(5, 4, ...many);
  lineOf(pack, 'end').records = many.length;
  const told: unknown[] = [];
  const found = await verifyEvidence(zipOf(pack), { onStep: (step) => told.push(step) });
  expect(found.records.failed).toBe(3000);
  expect(found.steps.length + found.leftOut).toBe(told.length);
  expect(found.steps.filter(({ ok }) => ok === false)).toHaveLength(1000);
});

test('a key that its caller gives and that is none is refused', async () => {
  const { keys } = makePack();
  for (const key of ['', 'x', keys.old.vkey.slice(0, -1), keys.old.vkey.replace('+', ' '), undefined])
    await expect(verifyEvidence('{}', { trustedKeys: [key as string] })).rejects.toThrow(/key/);
});
