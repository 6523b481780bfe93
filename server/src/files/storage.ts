import type { Config } from '../config';
import { bucketOf } from '../config/bucket';
import { Bucket } from './bucket';

/** Where files of requests are, and where new ones go. */
export function storageOf(config: Config): { bucket: Bucket | undefined; store: 'database' | 'bucket' } {
  const address = bucketOf(config);
  const bucket = address && new Bucket(address);
  return { bucket, store: bucket === undefined ? 'database' : (config.filesStore ?? 'bucket') };
}
