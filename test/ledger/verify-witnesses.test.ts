import { verifyEvidence } from '../../sdk/src/verify';
import { flip, inNote } from '../helpers/ledger/changes/change';
import {
  COSIGNED,
  lineOf,
  type MadePack,
  makePack,
  RECORDS,
  receiptOf,
  zipOf,
} from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';

// Witnesses come by every hour and leaves every few seconds: of an honest file they have seen an older head, mostly.

const SETTINGS = RECORDS.filter(([kind]) => kind === 'settings');
const other = new Signer('other.example/w', 4);

/** Has a witness cosign a head of a pack, as if it were the only one who did. */
function cosign(pack: MadePack, index: number, witness = pack.keys.witness): void {
  const head = lineOf(pack, 'checkpoint', index);
  head.note += witness.cosignature(head.note.slice(0, head.note.indexOf('\n\n') + 1), COSIGNED);
  head.witnesses.push({ name: witness.name, vkey: witness.vkey });
}

/** A pack whose newest head nobody has cosigned yet. */
function packOf(records = SETTINGS): MadePack {
  const pack = makePack(records);
  inNote(pack, (lines) => {
    lines.splice(5, 1);
  });
  lineOf(pack, 'checkpoint').witnesses = [];
  return pack;
}

async function verify(
  pack: MadePack,
  witnesses = [pack.keys.witness],
  file: Uint8Array | string = zipOf(pack),
) {
  const options = { trustedKeys: [pack.keys.old.vkey], witnesses: witnesses.map(({ vkey }) => vkey) };
  const { verdict, steps } = await verifyEvidence(file, options);
  const said = steps.map(({ step, ok, what }) => `${step} ${ok}: ${what}`);
  return { verdict, said: said.filter((one) => one.includes('witness')) };
}

describe('a witness that its reader names', () => {
  const has = 'the witness witness.example.net/w1 has cosigned';

  test('may have cosigned an older head, if it holds every record of the file', async () => {
    const pack = packOf();
    cosign(pack, 1);
    expect(await verify(pack)).toEqual({
      verdict: 'verified',
      said: [
        expect.stringMatching(/^cosignature true: .* had seen the head of 5 leaves by 2026-03-04T05:06:07/),
        `trust true: ${has} 5 of 10 leaves, and 0 records lie beyond`,
      ],
    });
  });

  test('has not seen the records that were sealed since: these are not known, and nothing fails', async () => {
    const pack = packOf(RECORDS);
    cosign(pack, 1);
    const { verdict, said } = await verify(pack);
    expect(verdict).toBe('incomplete');
    const wait = 'wait for it, and get a new file';
    expect(said).toContain(`trust unknown: ${has} 5 of 13 leaves, and 2 records lie beyond: ${wait}`);
    expect(said.filter((one) => one.includes('false'))).toEqual([]);
  });

  test('has cosigned no head: the file is never verified, also where its lines were taken off', async () => {
    for (const pack of [packOf(), packOf(RECORDS)]) {
      const { verdict, said } = await verify(pack);
      expect([verdict, said]).toEqual([
        'incomplete',
        [
          expect.stringMatching(
            /^trust unknown: .* has cosigned 0 of 1[03] leaves, and [14] records lie beyond: wait/,
          ),
        ],
      ]);
    }
  });

  test('a line that was taken off its head, and not off the list, is missed', async () => {
    const pack = packOf();
    cosign(pack, 1);
    const older = lineOf(pack, 'checkpoint', 1);
    older.note = older.note.replace(/— witness.*\n/, '');
    const { verdict, said } = await verify(pack);
    expect([verdict, said[0]]).toEqual([
      'failed',
      expect.stringContaining('has not cosigned, or that was changed'),
    ]);
  });

  test('a line of it that is wrong fails, on whichever head, though another one is right', async () => {
    for (const [wrong, right] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const pack = packOf();
      cosign(pack, wrong);
      const head = lineOf(pack, 'checkpoint', wrong);
      const lines = head.note.split('\n');
      lines[5] = flip(lines[5], 20);
      Object.assign(head, { note: lines.join('\n'), witnesses: [] });
      cosign(pack, right);
      expect((await verify(pack)).verdict).toBe('failed');
    }
  });

  test('a head that the one of the proofs does not continue counts for nothing', async () => {
    const pack = packOf();
    cosign(pack, 1);
    delete lineOf(pack, 'checkpoint', 1).consistency;
    const { verdict, said } = await verify(pack);
    expect(verdict).toBe('failed');
    expect(said).toContainEqual(expect.stringContaining(`${has} 0 of 10 leaves`));
  });

  test('each of several must have seen every record, on whatever head', async () => {
    const pack = packOf();
    cosign(pack, 1);
    const both = [pack.keys.witness, other];
    expect((await verify(pack, both)).verdict).toBe('incomplete');
    cosign(pack, 0, other);
    expect((await verify(pack, both)).verdict).toBe('verified');
    // What the file says of one that nobody named is no more than that.
    expect((await verify(pack, [other])).verdict).toBe('verified');
  });

  test('a receipt without its line is incomplete, one with it is verified', async () => {
    const pack = makePack();
    const receipt = receiptOf(pack);
    expect((await verify(pack, undefined, JSON.stringify(receipt))).verdict).toBe('verified');
    // As earlier versions wrote them.
    const bare = packOf(RECORDS);
    const old = receiptOf(bare);
    delete old.evidence.witnesses;
    expect(await verify(bare, undefined, JSON.stringify(old))).toEqual({
      verdict: 'incomplete',
      said: [expect.stringContaining(`trust unknown: ${has} 0 of 13 leaves, and 1 records lie beyond: wait`)],
    });
  });
});
