import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until';

const BUCKET = 'avow-files';
const program = join(process.env.TEST_S3RVER ?? '', 'node_modules/s3rver/bin/s3rver.js');

/** A storage that others wrote; undefined where TEST_S3RVER names no folder in which it is installed. */
export const foreignStorage = existsSync(program) ? startForeign : undefined;

async function startForeign() {
  const folder = mkdtempSync(join(tmpdir(), 'avow-s3rver-'));
  const flags = ['--directory', folder, '--address', '127.0.0.1', '--port', '0', '--no-vhost-buckets'];
  const child = spawn(process.execPath, [program, ...flags, '--configure-bucket', BUCKET]);
  const port = await portOf(child);
  return {
    variables: {
      FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      FILES_S3_BUCKET: BUCKET,
      FILES_S3_REGION: 'eu-test-1',
      // What it knows.
      FILES_S3_ACCESS_KEY_ID: 'S3RVER',
      FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async stop(): Promise<void> {
      const ended = once(child, 'close');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(child: ChildProcess): Promise<string> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      printed += part;
    });
  return until('the storage listens', () => /listening on [^\n]*:(\d+)/.exec(printed)?.[1]);
}
