import { bucketName, credential, endpoint, region } from './bucket';
import { integer, oneOf } from './readers';
import { variable } from './variable';

/** Where new files are kept. */
export type FilesStore = 'database' | 'bucket';

/** The variables of files that belong to requests. */
export const FILE_VARIABLES = {
  filesMaxMb: variable(
    'FILES_MAX_MB',
    integer(1, 100),
    25,
    'MiB of an attachment of a request, at most, 1 to 100',
    { family: 'FILES_' },
  ),
  filesOfRequest: variable(
    'FILES_OF_REQUEST',
    integer(1, 200),
    50,
    'attachments of a request, at most, 1 to 200',
    { family: 'FILES_' },
  ),
  filesOfRequestMb: variable(
    'FILES_OF_REQUEST_MB',
    integer(1, 2048),
    100,
    'MiB of the attachments of a request, at most',
    { family: 'FILES_' },
  ),
  filesOfSiteMb: variable(
    'FILES_OF_SITE_MB',
    integer(1, 1_048_576),
    1024,
    'MiB of the attachments and files of answers of a site, at most',
    { family: 'FILES_' },
  ),
  /** Unset: the bucket, if there is one. */
  filesStore: variable<FilesStore | undefined>(
    'FILES_STORE',
    oneOf<FilesStore>(['database', 'bucket']),
    undefined,
    'where new files of requests are kept: `database` or `bucket`; older ones are read from where they are',
    { shown: 'bucket, if there is one', family: 'FILES_' },
  ),
  filesEndpoint: variable<string | undefined>(
    'FILES_S3_ENDPOINT',
    endpoint,
    undefined,
    'the S3-compatible storage of files of requests, such as https://s3.example.com',
    { family: 'FILES_' },
  ),
  filesBucket: variable<string | undefined>(
    'FILES_S3_BUCKET',
    bucketName,
    undefined,
    'the bucket, which holds nothing else; required with FILES_S3_ENDPOINT',
    { family: 'FILES_' },
  ),
  filesRegion: variable<string>('FILES_S3_REGION', region, 'us-east-1', 'the region of the bucket', {
    family: 'FILES_',
  }),
  filesAccessKeyId: variable<string | undefined>(
    'FILES_S3_ACCESS_KEY_ID',
    credential,
    undefined,
    'the id of the key of the bucket; required with FILES_S3_ENDPOINT',
    { family: 'FILES_' },
  ),
  filesSecretAccessKey: variable<string | undefined>(
    'FILES_S3_SECRET_ACCESS_KEY',
    credential,
    undefined,
    'the secret of that key; required with FILES_S3_ENDPOINT',
    { family: 'FILES_' },
  ),
};
