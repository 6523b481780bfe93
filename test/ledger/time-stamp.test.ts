import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  id_eContentType_TSTInfo,
  MessageImprint,
  SignedData,
  TSTInfo,
} from 'pkijs';
import { isPolicy } from '../../server/src/domain/ledger/oid';
import {
  readTimeStamp,
  type TimeStampQuery,
  timeInToken,
  writeTimeStampQuery,
} from '../../server/src/domain/ledger/time-stamp';
import { timeStampFile } from '../../server/src/domain/ledger/time-stamp-file';
import { Authority, hasOpenssl, POLICIES } from '../helpers/ledger/authority';
import { contentOf, der, inPieces, partsOf, withoutLength } from '../helpers/ledger/ber';

const queryOf = (more: Partial<TimeStampQuery> = {}): TimeStampQuery => ({
  text: 'shop.example/ledger/env_1\n3\nAAAA\n',
  nonce: randomBytes(16),
  policy: undefined,
  at: Date.now(),
  ...more,
});

(hasOpenssl ? describe : describe.skip)("openssl's authority", () => {
  let authority: Authority;
  beforeAll(() => {
    authority = new Authority();
  });
  const stamp = async (asked: TimeStampQuery, checked = asked) =>
    readTimeStamp(await authority.reply(writeTimeStampQuery(asked)), checked);

  test('answers our query with a token that it verifies itself', async () => {
    const query = queryOf();
    const { token, genTime } = await stamp(query);
    expect(Math.abs(genTime.getTime() - Date.now())).toBeLessThan(60_000);
    expect(authority.verifies(token, query.text)).toContain('Verification: OK');
    expect(() => authority.verifies(token, `${query.text}x`)).toThrow();
    // As a file of a pack, which is a response.
    writeFileSync(join(authority.folder, 'stored.tsr'), timeStampFile(token));
    const args = ['ts', '-verify', '-in', 'stored.tsr', '-data', 'text', '-CAfile', 'ca.pem'];
    writeFileSync(join(authority.folder, 'text'), query.text);
    expect(authority.openssl(...args)).toContain('Verification: OK');
  });

  test.each(Array.from({ length: 12 }, (_, n) => n))('repeats every nonce, %i', async (n) => {
    // First bytes of all kinds: a nonce is a positive number without needless zeroes.
    await stamp(queryOf({ nonce: Buffer.concat([Buffer.of((n * 37) % 256), randomBytes(15)]) }));
  });

  test('stamps under the policy that was asked for', async () => {
    await stamp(queryOf({ policy: POLICIES[1] }));
    await expect(stamp(queryOf({ policy: '1.3.6.1.4.1.55555.9' }))).rejects.toThrow(
      'refused with the status 2',
    );
    const query = queryOf();
    await expect(stamp(query, { ...query, policy: POLICIES[1] })).rejects.toThrow('under another policy');
  });

  test('an answer to another request, or of another text, is none', async () => {
    const query = queryOf();
    await expect(stamp(query, { ...query, nonce: randomBytes(16) })).rejects.toThrow('another request');
    await expect(stamp(query, { ...query, text: 'another' })).rejects.toThrow('another text');
  });

  test('a time that is not ours is refused, whichever clock is wrong', async () => {
    const query = queryOf();
    for (const minutes of [-10, 10])
      await expect(stamp(query, { ...query, at: query.at + minutes * 60_000 })).rejects.toThrow(
        'off the time of this server',
      );
    await stamp(query, { ...query, at: query.at + 2 * 60_000 });
  });

  test('whatever byte of an answer is changed, it is refused, or proves the same as before', async () => {
    const query = queryOf();
    const answer = await authority.reply(writeTimeStampQuery(query));
    let refused = 0;
    for (let at = 0; at < answer.length; at += 7) {
      const changed = Buffer.from(answer);
      changed[at] = (changed[at] as number) ^ 0x21;
      try {
        const { token } = await readTimeStamp(changed, query);
        // Parts that no signature covers: certificates that nobody needs, strings of the status.
        expect(authority.verifies(Buffer.from(token), query.text)).toContain('OK');
      } catch {
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(answer.length / 7 / 4);
  });

  test('what is no answer is refused, however it nests', async () => {
    const query = queryOf();
    const answer = await authority.reply(writeTimeStampQuery(query));
    const deep = Buffer.alloc(60_000, Buffer.from([0x30, 0x80]));
    const wide = Buffer.alloc(60_000, Buffer.from([0x05, 0x00]));
    wide.set([0x30, 0x82, (wide.length - 4) >> 8, (wide.length - 4) & 255]);
    for (const none of [Buffer.alloc(0), Buffer.from('<html>'), answer.subarray(0, -1), deep, wide]) {
      await expect(readTimeStamp(none, query)).rejects.toThrow('no answer of RFC 3161');
    }
    await expect(readTimeStamp(Buffer.concat([answer, Buffer.of(0)]), query)).rejects.toThrow('no answer');
  });

  test('a token in BER is refused when it comes, since no verifier of packs reads it', async () => {
    const query = queryOf();
    const answer = await authority.reply(writeTimeStampQuery(query));
    const [status, token] = partsOf(contentOf(answer)) as [Buffer, Buffer];
    const sent = async (one: Buffer) => readTimeStamp(der(0x30, status, one), query);
    await expect(sent(token)).resolves.toMatchObject({ token });
    // The same values without lengths, and the same octets in two pieces, as some authorities write them.
    await expect(sent(withoutLength(token))).rejects.toThrow('in BER');
    await expect(sent(inPieces(token))).rejects.toThrow('in BER');
  });

  test('a certificate that is for other things too gives no time-stamp', async () => {
    const loose = new Authority('loose');
    const query = queryOf();
    // openssl itself refuses to sign with it, so its answer is a refusal or a token that we refuse.
    const answer = await loose.reply(writeTimeStampQuery(query)).catch(() => Buffer.alloc(0));
    await expect(readTimeStamp(answer, query)).rejects.toThrow();
  });
});

test('a policy is an object identifier', () => {
  for (const good of [...POLICIES, '0.4.0.2023.1.1', '2.16.840.1.101.3.4.2.1'])
    expect(isPolicy(good)).toBe(true);
  for (const bad of ['', '1', '3.1.2', '1.2.', '1..2', 'x', '1.2.3 ', '1.40.1'])
    expect([bad, isPolicy(bad)]).toEqual([bad, false]);
});

test('what a token states is bounded, too', async () => {
  const text = 'a text';
  const of = (extensions: number) => timeInToken(unsignedToken(text, extensions), text);
  // Read, and then refused because nobody has signed it.
  await expect(of(0)).rejects.toThrow('its signature');
  await expect(of(20)).rejects.toThrow('its signature');
  await expect(of(700)).rejects.toThrow('its token is no time-stamp');
});

test('what a token states has its time as RFC 3161 writes it, which verifiers of packs read', async () => {
  const token = unsignedToken('a text', 0);
  const at = token.indexOf(Buffer.from([0x18, 0x13]));
  const written = token.subarray(at + 2, at + 21).toString();
  const withTime = (time: string) =>
    timeInToken(Buffer.from(token.toString('latin1').replace(written, time), 'latin1'), 'a text');
  expect(written).toMatch(/^\d{14}\.\d{3}Z$/);
  await expect(withTime(written)).rejects.toThrow('its signature');
  // As long, so that nothing else changes: without seconds, of another zone, with a comma.
  for (const time of ['202611290127.12345Z', '20261129012744+0100', '20261129012744,123Z'])
    await expect(withTime(time.padEnd(19, '0'))).rejects.toThrow('its token is no time-stamp');
});

/** A token that states as many extensions, and that nobody has signed. */
function unsignedToken(text: string, extensions: number): Buffer {
  const info = new TSTInfo({
    ...{
      version: 1,
      policy: POLICIES[0],
      genTime: new Date('2026-11-29T01:27:44.123Z'),
      serialNumber: new Integer({ value: 1 }),
    },
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1' }),
      hashedMessage: new OctetString({ valueHex: createHash('sha256').update(text).digest() }),
    }),
  });
  if (extensions > 0)
    info.extensions = Array.from(
      { length: extensions },
      () => new Extension({ extnID: '1.2.3', extnValue: new Uint8Array(1).buffer }),
    );
  const signed = new SignedData({
    ...{ version: 3, signerInfos: [] },
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_eContentType_TSTInfo,
      eContent: new OctetString({ valueHex: info.toSchema().toBER() }),
    }),
  });
  const content = signed.toSchema(true);
  return Buffer.from(new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content }).toSchema().toBER());
}
