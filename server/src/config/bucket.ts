/** A bucket and how to get in. */
export interface BucketAddress {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Throws an error that does not quote the URL, in which somebody may have put a password. */
export function endpoint(text: string): string {
  const fault = new Error('an https URL without user, query or path, such as https://s3.example.com');
  if (!URL.canParse(text)) throw fault;
  const { protocol, username, password, pathname, search, hash, origin } = new URL(text);
  const isBare = [username, password, search, hash].every((part) => part === '') && pathname === '/';
  if (!['http:', 'https:'].includes(protocol) || !isBare) throw fault;
  return origin;
}

export function bucketName(text: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw new Error('the name of a bucket: 3 to 63 small letters, digits, dots and hyphens');
  return text;
}

export function region(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/i.test(text)) throw new Error('the name of a region, such as eu-central-1');
  return text;
}

/** Throws an error that does not quote it. */
export function credential(text: string): string {
  if (!/^[!-~]{1,256}$/.test(text)) throw new Error('1 to 256 characters without blanks');
  return text;
}

interface Variables {
  filesStore: 'database' | 'bucket' | undefined;
  filesEndpoint: string | undefined;
  filesBucket: string | undefined;
  filesRegion: string;
  filesAccessKeyId: string | undefined;
  filesSecretAccessKey: string | undefined;
}

/** The bucket of files, if one is configured. Throws an error that says what to set. */
export function bucketOf(config: Variables): BucketAddress | undefined {
  const { filesEndpoint, filesBucket, filesAccessKeyId, filesSecretAccessKey, filesStore } = config;
  const given = [filesEndpoint, filesBucket, filesAccessKeyId, filesSecretAccessKey];
  if (given.every((value) => value === undefined) && filesStore !== 'bucket') return undefined;
  const [endpointOf = '', bucket = '', accessKeyId = '', secretAccessKey = ''] = given;
  if (given.some((value) => value === undefined))
    throw new Error(
      'FILES_S3_ENDPOINT, FILES_S3_BUCKET, FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY go together: set all four, or none.',
    );
  return { endpoint: endpointOf, bucket, region: config.filesRegion, accessKeyId, secretAccessKey };
}
