import { randomBytes } from 'node:crypto';
import { bucketOf } from '../../src/config/bucket';
import { Bucket, BucketFailure } from '../../src/files/bucket';
import { broken, type Check, fine } from './finding';

const PROBE_BYTES = 64;

/** Whether the bucket of files takes, gives and deletes, by an object of random bytes. */
export const checkFiles: Check = async (config) => {
  const address = bucketOf(config);
  if (address === undefined) return [];
  const bucket = new Bucket(address);
  const bytes = randomBytes(PROBE_BYTES);
  const name = `avow/doctor-${randomBytes(8).toString('hex')}`;
  try {
    await bucket.put(name, bytes);
    const isSame = (await bucket.get(name, PROBE_BYTES)).equals(bytes);
    await bucket.delete(name);
    if (!isSame)
      return [broken('Files: the bucket gave other bytes than it had taken', 'use another storage')];
    const note = config.filesStore === 'database' ? '; new files go into the database' : '';
    return [fine(`Files: the bucket ${address.bucket} takes, gives and deletes${note}`)];
  } catch (error) {
    if (!(error instanceof BucketFailure)) throw error;
    return [
      broken(
        `Files: the bucket ${address.bucket} does not take a ${error.method} (${error.reason})`,
        'check FILES_S3_ENDPOINT and the other FILES_S3_ variables, and that its key may put, get and delete objects',
      ),
    ];
  }
};
