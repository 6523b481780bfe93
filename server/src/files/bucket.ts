import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { BucketAddress } from '../config/bucket';
import { reasonOf } from '../net/bounded-fetch';

/** How long a bucket may take for one request, in milliseconds: owners' programs give up after ten seconds. */
const PATIENCE = 8_000;
/** Bytes of an answer that only says how it went. */
const MOST_WORDS = 64 * 1024;

type Method = 'PUT' | 'GET' | 'DELETE';

/** A bucket did not do what it was asked for; the reason names neither its address nor an object. */
export class BucketFailure extends Error {
  override name = 'BucketFailure';

  constructor(
    readonly method: Method,
    readonly reason: string,
  ) {
    super(`the bucket of files did not take a ${method}: ${reason}`);
  }
}

/** Objects in a bucket of an S3-compatible storage, by their paths (AWS Signature Version 4). */
export class Bucket {
  constructor(private readonly address: BucketAddress) {}

  /** Stores an object; the storage checks its hash. Throws `BucketFailure`. */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.ask('PUT', key, MOST_WORDS, bytes);
  }

  /** @param most bytes of the object; throws `BucketFailure` beyond, and when there is none */
  get(key: string, most: number): Promise<Buffer> {
    return this.ask('GET', key, most);
  }

  /** Deletes an object, whether or not it is there. Throws `BucketFailure`. */
  async delete(key: string): Promise<void> {
    await this.ask('DELETE', key, MOST_WORDS);
  }

  private async ask(method: Method, key: string, most: number, body?: Buffer): Promise<Buffer> {
    const signal = AbortSignal.timeout(PATIENCE);
    try {
      const { url, headers } = await this.sign(method, key, body);
      const sent = { method, headers, body: (body ?? null) as BodyInit | null };
      const response = await fetch(url, { ...sent, redirect: 'manual', signal });
      const bytes = await read(response, response.ok ? most : MOST_WORDS);
      const isGone = method === 'DELETE' && response.status === 404 && !isNoBucket(bytes);
      if (response.ok || isGone) return bytes;
      throw new Error(`it answered ${response.status}${codeOf(bytes)}`);
    } catch (error) {
      throw new BucketFailure(method, signal.aborted ? 'it was too slow' : words(error as Error));
    }
  }

  private sign(
    method: Method,
    key: string,
    body: Buffer | undefined,
  ): Promise<{ url: URL; headers: Headers }> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.address;
    return new AwsV4Signer({
      ...{ method, url: `${endpoint}/${encodeURIComponent(bucket)}/${key}`, service: 's3', region },
      ...{ accessKeyId, secretAccessKey },
      headers: {
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
    }).sign();
  }
}

/** What went wrong, as far as it is ours to tell: messages of the system name the address. */
const words = (error: Error): string =>
  error.message.startsWith('it answered') || error.message === TOO_LARGE ? error.message : reasonOf(error);

const TOO_LARGE = 'its answer was too large';

async function read(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Throwing out of the loop ends the connection.
  for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) throw new Error(TOO_LARGE);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Such as ` (AccessDenied)`. */
function codeOf(bytes: Buffer): string {
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(bytes.toString('utf8'))?.[1];
  return code === undefined ? '' : ` (${code})`;
}

const isNoBucket = (bytes: Buffer): boolean => codeOf(bytes).includes('NoSuchBucket');
