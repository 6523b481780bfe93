import { zipOf } from '../../server/src/ledger/pack/zip';

const AT = new Date('2026-11-26T00:00:00Z');

/** An archive with as many files of as many bytes, which has some number of bytes at most. */
async function bytesOf(count: number, bytes: number, most?: number): Promise<number> {
  async function* files() {
    for (let n = 0; n < count; n += 1) yield { name: `${n}.txt`, content: [Buffer.alloc(bytes, 97)] };
  }
  let all = 0;
  for await (const part of zipOf(files(), AT, most)) all += part.length;
  return all;
}

test('a file that is larger than its size can say breaks the archive off, however small it is deflated', async () => {
  await bytesOf(1, 200_000, 200_000);
  await expect(bytesOf(1, 200_001, 200_000)).rejects.toThrow('a file of an archive is larger');
});

test('an archive that is larger than places in it can say breaks off, whatever its files are', async () => {
  const size = await bytesOf(50, 100);
  await bytesOf(50, 100, size);
  await expect(bytesOf(50, 100, size - 1)).rejects.toThrow('an archive is larger');
});
