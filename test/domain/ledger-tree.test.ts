import { createHash } from 'node:crypto';
import { type ChangedTile, edgeOf, GrowingTree } from '../../server/src/domain/ledger/append';
import { EMPTY_ROOT, leafHash, rootOf } from '../../server/src/domain/ledger/hash';
import { HashedTile, numberPath, readTilePath, tileOf } from '../../server/src/domain/ledger/tiles';
import {
  fold,
  type Node,
  type ProofPlan,
  planConsistency,
  planInclusion,
  rootNodes,
} from '../../server/src/domain/ledger/tree';
import { rootByInclusion, rootOfEntries, rootsByConsistency } from '../helpers/ledger/verify';

/** The inputs and roots that certificate-transparency's programs are tested with (RFC 6962). */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const KNOWN = INPUTS.map((hex) => Buffer.from(hex, 'hex'));

const hashOf = ({ level, index }: Node, entries: readonly Buffer[]): Buffer =>
  rootOf(Buffer.concat(entries.slice(index * 2 ** level, (index + 1) * 2 ** level).map(leafHash)));
const proofBy = (plan: ProofPlan, entries: readonly Buffer[]): Buffer[] =>
  plan.map((nodes) => fold(nodes.map((node) => hashOf(node, entries))));

test('the root of nothing is the hash of nothing', () => {
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test.each(ROOTS.map((root, n) => [n + 1, root] as const))('the root of %i known inputs', (size, root) => {
  const entries = KNOWN.slice(0, size);
  expect(rootOfEntries(entries).toString('hex')).toBe(root);
  expect(fold(rootNodes(size).map((node) => hashOf(node, entries))).toString('hex')).toBe(root);
});

test.each([
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
])('the known proof that leaf %i is among %i', (leaf, size, proof) => {
  expect(proofBy(planInclusion(leaf, size), KNOWN).map((hash) => hash.toString('hex'))).toEqual(proof);
});

const entryOf = (n: number): Buffer => createHash('sha256').update(String(n)).digest();

/** Keeps tiles as the database does. */
class Store {
  readonly tiles = new Map<string, ChangedTile>();

  write(tiles: readonly ChangedTile[]): void {
    for (const tile of tiles) this.tiles.set(`${tile.level} ${tile.tile}`, tile);
  }

  read(wanted: readonly { level: number; tile: number }[]): ChangedTile[] {
    return wanted.flatMap(({ level, tile }) => this.tiles.get(`${level} ${tile}`) ?? []);
  }

  proof(plan: ProofPlan): { hashes: Buffer[]; rows: number } {
    const rows = new Set<string>();
    const hashes = plan.map((nodes) =>
      fold(
        nodes.map((node) => {
          const { level, tile } = tileOf(node);
          rows.add(`${level} ${tile}`);
          const at = { level, tile };
          return new HashedTile(at, this.read([at])[0]?.hashes ?? Buffer.alloc(0)).hashOf(node);
        }),
      ),
    );
    return { hashes, rows: rows.size };
  }
}

test('a tree that grows in any steps, forgotten in between, has the root and the proofs of its entries', () => {
  const store = new Store();
  const entries: Buffer[] = [];
  const roots = new Map<number, Buffer>();
  // Beyond 256 × 256, so that there are three levels of tiles.
  for (const step of [1, 1, 2, 251, 1, 1, 255, 300, 5_000, 60_000, 3, 1_000]) {
    const tree = new GrowingTree(entries.length, store.read(edgeOf(entries.length)));
    const more = Array.from({ length: step }, (_, n) => entryOf(entries.length + n));
    tree.append(Buffer.concat(more));
    entries.push(...more);
    store.write(tree.takeChanged());
    expect(tree.size).toBe(entries.length);
    expect(tree.root()).toEqual(rootOfEntries(entries));
    roots.set(entries.length, tree.root());
  }
  const size = entries.length;
  const root = roots.get(size) as Buffer;
  for (const leaf of [0, 1, 255, 256, 511, 512, 65_535, 65_536, size - 2, size - 1]) {
    const { hashes } = store.proof(planInclusion(leaf, size));
    expect(rootByInclusion(leaf, size, entries[leaf] as Buffer, hashes)).toEqual(root);
  }
  for (const [from, before] of roots) {
    if (from === size) continue;
    const { hashes } = store.proof(planConsistency(from, size));
    expect(rootsByConsistency(from, size, before, hashes)).toEqual([before, root]);
    // Also against heads of before, from the rows of now.
    const { hashes: older } = store.proof(planInclusion(from - 1, from));
    expect(rootByInclusion(from - 1, from, entries[from - 1] as Buffer, older)).toEqual(before);
  }
});

test('proofs of every leaf, and between any two sizes, of small trees', () => {
  const entries = Array.from({ length: 40 }, (_, n) => entryOf(n));
  for (let size = 1; size <= entries.length; size += 1) {
    const some = entries.slice(0, size);
    const root = rootOfEntries(some);
    for (let leaf = 0; leaf < size; leaf += 1) {
      const proof = proofBy(planInclusion(leaf, size), some);
      expect(rootByInclusion(leaf, size, some[leaf] as Buffer, proof)).toEqual(root);
    }
    for (let from = 1; from < size; from += 1) {
      const before = rootOfEntries(some.slice(0, from));
      const proof = proofBy(planConsistency(from, size), some);
      expect(rootsByConsistency(from, size, before, proof)).toEqual([before, root]);
    }
    expect(planConsistency(size, size)).toEqual([]);
  }
});

test('a proof in a log of ten million leaves, or of 2^45, reads few rows', () => {
  const rowsOf = (plan: ProofPlan): number =>
    new Set(plan.flat().map((node) => `${tileOf(node).level} ${tileOf(node).tile}`)).size;
  for (const size of [10_000_000, 9_999_999, 2 ** 45 - 1]) {
    for (const leaf of [0, 1, Math.floor(size / 3), size - 1]) {
      expect(rowsOf(planInclusion(leaf, size))).toBeLessThanOrEqual(12);
      if (leaf > 0) expect(rowsOf(planConsistency(leaf, size))).toBeLessThanOrEqual(20);
    }
  }
});

test('a leaf that is not there, and a log that shrinks, have no proof', () => {
  expect(() => planInclusion(5, 5)).toThrow(RangeError);
  expect(() => planInclusion(-1, 5)).toThrow(RangeError);
  expect(() => planConsistency(6, 5)).toThrow(RangeError);
});

test.each([
  ['0/000', { level: 0, tile: 0, width: 256, entries: false }],
  ['0/005.p/1', { level: 0, tile: 5, width: 1, entries: false }],
  ['3/x001/x234/067', { level: 3, tile: 1_234_067, width: 256, entries: false }],
  ['entries/x001/000.p/255', { level: 0, tile: 1_000, width: 255, entries: true }],
])('the path %s names a tile', (path, tile) => {
  expect(readTilePath(path)).toEqual(tile);
});

test.each([
  '',
  '0',
  '0/',
  '0/1',
  '0/0000',
  '0/x000/001',
  '64/000',
  '00/000',
  '0/001/000',
  '0/000.p/0',
  '0/000.p/256',
  '0/000.p/01',
  '-1/000',
  '0/000/',
  'entries',
  'entries/000.p',
  '0/x999/x999/x999/x999/999',
])('the path %j names none', (path) => {
  expect(readTilePath(path)).toBeUndefined();
});

test('a number has one path', () => {
  expect([0, 7, 1_000, 1_234_067].map(numberPath)).toEqual(['000', '007', 'x001/000', 'x001/x234/067']);
});
