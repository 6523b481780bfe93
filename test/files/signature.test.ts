import { Bucket } from '../../server/src/files/bucket';
import { freePort } from '../helpers/processes/child';
import { startBucket } from '../helpers/storage/bucket';
import { judge, type Signed } from '../helpers/storage/signature';

/** Amazon's own example: "Example: GET Object" of "Authenticating Requests: Using the Authorization Header". */
const EXAMPLE: Signed = {
  method: 'GET',
  url: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};
const KEY = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  now: Date.UTC(2013, 4, 24),
};
const EMPTY = Buffer.alloc(0);

test("the tests' storage judges signatures as Amazon's example has them", () => {
  expect(judge(EXAMPLE, EMPTY, KEY)).toBe('fine');
  expect(judge({ ...EXAMPLE, url: '/other.txt' }, EMPTY, KEY)).toBe('SignatureDoesNotMatch');
  expect(judge({ ...EXAMPLE, method: 'PUT' }, EMPTY, KEY)).toBe('SignatureDoesNotMatch');
  expect(judge(EXAMPLE, Buffer.from('x'), KEY)).toBe('XAmzContentSHA256Mismatch');
  expect(judge(EXAMPLE, EMPTY, { ...KEY, secret: 'another' })).toBe('SignatureDoesNotMatch');
  expect(judge(EXAMPLE, EMPTY, { ...KEY, now: Date.UTC(2013, 4, 25) })).toBe('AccessDenied');
  const { authorization: _, ...unsigned } = EXAMPLE.headers;
  expect(judge({ ...EXAMPLE, headers: unsigned }, EMPTY, KEY)).toBe('AccessDenied');
});

test('what the server sends is signed so, and a refusal says why without saying where', async () => {
  const storage = await startBucket();
  try {
    const { variables } = storage;
    const address = {
      endpoint: variables.FILES_S3_ENDPOINT ?? '',
      bucket: variables.FILES_S3_BUCKET ?? '',
      region: variables.FILES_S3_REGION ?? '',
      accessKeyId: variables.FILES_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: variables.FILES_S3_SECRET_ACCESS_KEY ?? '',
    };
    const bucket = new Bucket(address);
    await bucket.put('avow/a', Buffer.from('hello'));
    expect(String(await bucket.get('avow/a', 5))).toBe('hello');
    await expect(bucket.get('avow/a', 4)).rejects.toThrow('its answer was too large');
    await bucket.delete('avow/a');
    await bucket.delete('avow/a');
    await expect(bucket.get('avow/a', 5)).rejects.toThrow('it answered 404 (NoSuchKey)');
    const wrong = async (part: Partial<typeof address>, why: string) => {
      const error: Error = await new Bucket({ ...address, ...part }).put('avow/a', EMPTY).then(
        () => new Error('it was taken'),
        (refusal) => refusal,
      );
      expect(error.message).toContain(why);
      expect(error.message).not.toMatch(/127\.0\.0\.1|avow\/a|AKIA|secret/);
    };
    await wrong({ secretAccessKey: 'another' }, '403 (SignatureDoesNotMatch)');
    await wrong({ region: 'us-east-1' }, '403 (SignatureDoesNotMatch)');
    await wrong({ accessKeyId: 'AKIANOBODY' }, '403 (InvalidAccessKeyId)');
    await wrong({ bucket: 'another' }, '404 (NoSuchBucket)');
    await wrong({ endpoint: `http://127.0.0.1:${await freePort()}` }, 'ECONNREFUSED');
    storage.state = 'down';
    await wrong({}, 'did not take a PUT');
  } finally {
    await storage.stop();
  }
});
