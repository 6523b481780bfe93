import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyConsistency, verifyInclusion } from '../../sdk/src/verify';
import { leafHash, rootOf } from '../../server/src/domain/ledger/hash';
import { signCheckpoint } from '../../server/src/domain/ledger/note';
import {
  fold,
  type Node,
  type ProofPlan,
  planConsistency,
  planInclusion,
  rootNodes,
} from '../../server/src/domain/ledger/tree';
import { currentKey } from '../../server/src/ledger/keys';
import { originOf } from '../../server/src/ledger/log';
import { buildGo, foreign, foreignFacts, hasGo } from '../helpers/ledger/foreign';
import { growLog, vkeyOfSite } from '../helpers/ledger/grow';
import { useServer } from '../helpers/server';

jest.setTimeout(240_000);

interface Proof {
  of: number;
  hashes: string[];
}
interface Vector {
  size: number;
  root: string;
  inclusion: Proof[] | null;
  consistency: Proof[] | null;
}

/** Entry n is the number n in 32 bytes. */
const entryOf = (n: number): Buffer => Buffer.from(n.toString(16).padStart(64, '0'), 'hex');
const entries = Array.from({ length: 300 }, (_, n) => entryOf(n));
const hashOf = ({ level, index }: Node): Buffer =>
  rootOf(Buffer.concat(entries.slice(index * 2 ** level, (index + 1) * 2 ** level).map(leafHash)));
const hashes = (plan: ProofPlan): string[] => plan.map((nodes) => fold(nodes.map(hashOf)).toString('base64'));

/** Places that lie apart and at the ends, as the foreign program has them. */
const placesIn = (size: number): number[] =>
  Array.from({ length: size }, (_, at) => at).filter(
    (at) => size <= 20 || at <= 2 || at >= size - 2 || at % 13 === 0,
  );

function vectorOf(size: number): Vector {
  const places = placesIn(size);
  return {
    size,
    root: fold(rootNodes(size).map(hashOf)).toString('base64'),
    inclusion: places.map((of) => ({ of, hashes: hashes(planInclusion(of, size)) })),
    consistency: places.map((at) => ({ of: at + 1, hashes: hashes(planConsistency(at + 1, size)) })),
  };
}

/** The trees of 1 to 300 leaves: Go says of the empty one that it has no hash, RFC 6962 that of nothing. */
const vectors = entries.map((_, n) => vectorOf(n + 1));

test('the trees of 1 to 300 leaves, and their proofs, are those that were known before', () => {
  const digest = createHash('sha256').update(JSON.stringify(vectors)).digest('hex');
  expect(digest).toBe('4a4f2db7341536b1d3ecd422f7115c7fffe79f197d66f3f5b9f2734e42a79454');
});

const describeGo = hasGo ? describe : describe.skip;

describeGo("Go's tlog", () => {
  beforeAll(() => buildGo());

  test('has the same roots and proofs, and its proofs hold for the SDK', async () => {
    const [empty, ...lines] = (await foreign('vectors')).trim().split('\n');
    expect(JSON.parse(String(empty)).size).toBe(0);
    const theirs: Vector[] = lines.map((line) => JSON.parse(line));
    expect(theirs).toEqual(vectors);
    for (const { size, root, inclusion, consistency } of theirs.filter((_, n) => n % 7 === 0)) {
      for (const { of, hashes: proof } of inclusion ?? []) {
        const about = { commitment: entryOf(of), leaf: of, size, root, proof };
        expect([size, of, await verifyInclusion(about)]).toEqual([size, of, true]);
      }
      for (const { of, hashes: proof } of consistency ?? []) {
        const from = { size: of, root: vectors[of - 1]?.root ?? '' };
        expect([size, of, await verifyConsistency({ from, to: { size, root }, proof })]).toEqual([
          ...[size, of, true],
        ]);
      }
    }
  });
});

describeGo('a published log, read by Go from the server', () => {
  const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
  const folder = mkdtempSync(join(tmpdir(), 'avow-foreign-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const urlOf = (token: string): string => `${server.url}/ledger/${token}`;

  test.each([1, 2, 255, 256, 257, 511, 512, 513, 1_000])(
    'has every leaf in its place when it has %i',
    async (size) => {
      const { token } = await server.site();
      await growLog(server, token, size);
      const found = await foreignFacts('log', urlOf(token), await vkeyOfSite(server, token));
      expect(found).toMatchObject({ size, leaves: size, older: -1 });
      expect(found.root).toBe((await server.visitor.getEvidenceLog({ token })).root);
      const isPartial = size % 256 !== 0;
      expect(found.fetched.some((path: string) => path.endsWith(`.p/${size % 256}`))).toBe(isPartial);
    },
  );

  test('of more leaves than two levels hold is proven by tiles of three, and from an earlier head', async () => {
    const { token } = await server.site();
    const vkey = await vkeyOfSite(server, token);
    await growLog(server, token, 300);
    const older = join(folder, 'checkpoint-300');
    writeFileSync(older, await (await fetch(`${urlOf(token)}/checkpoint`)).text());
    await growLog(server, token, 65_500);
    const found = await foreignFacts('log', urlOf(token), vkey, older);
    expect(found).toMatchObject({ size: 65_800, leaves: 17 * 256 + 8, older: 300 });
    expect(found.fetched).toEqual(
      expect.arrayContaining([
        ...['checkpoint', 'tile/entries/000', 'tile/entries/257.p/8', 'tile/0/257.p/8'],
        ...['tile/1/000', 'tile/1/001.p/1', 'tile/2/000.p/1'],
      ]),
    );
    // A head that the log has never had, signed by its key.
    const { db, vault, publicUrl } = server.service.context;
    const { key } = await currentKey(db, vault);
    const forked = { origin: originOf(publicUrl(), token), size: 300, root: entryOf(1) };
    const stranger = join(folder, 'forked');
    writeFileSync(stranger, signCheckpoint(forked, key));
    await expect(foreign('log', urlOf(token), vkey, stranger)).rejects.toThrow('invalid transparency proof');
  });

  describe('through somebody who changes it on the way', () => {
    let proxy: Server;
    let change: (path: string, body: Buffer) => Buffer;
    beforeAll(async () => {
      proxy = createServer(async (request, response) => {
        const answer = await fetch(`${server.url}${request.url}`);
        const body = change(String(request.url), Buffer.from(await answer.arrayBuffer()));
        response.writeHead(answer.status).end(body);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => void proxy.close());
    const flip = (at: number) => (body: Buffer) => {
      body[at] = (body[at] as number) ^ 1;
      return body;
    };

    test.each<[string, RegExp, (body: Buffer) => Buffer]>([
      ['a leaf’s hash', /tile\/0\/000$/, flip(64)],
      ['an entry', /tile\/entries\/001\.p\/44$/, flip(70)],
      ['a hash above', /tile\/1\/000\.p\/1$/, flip(3)],
      ['the size', /checkpoint$/, (body) => Buffer.from(String(body).replace('\n300\n', '\n299\n'))],
      ['the signature', /checkpoint$/, (body) => flip(body.length - 20)(body)],
    ])('is refused: %s', async (_, pattern, by) => {
      const { token } = await server.site();
      await growLog(server, token, 300);
      const vkey = await vkeyOfSite(server, token);
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/ledger/${token}`;
      change = (_path, body) => body;
      await foreign('log', url, vkey);
      let changed = 0;
      change = (path, body) => {
        if (!pattern.test(path)) return body;
        changed += 1;
        return by(body);
      };
      await expect(foreign('log', url, vkey)).rejects.toThrow();
      expect(changed).toBeGreaterThan(0);
    });
  });
});
