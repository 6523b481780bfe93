import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { contextFilter } from './build-image';

const ROOT = join(__dirname, '..', '..');
const git = existsSync(join(ROOT, '.git')) ? test : test.skip;

/** What the README and the guides have an operator put or write into a clone: secrets, and data of people. */
const KEPT_OUT = [
  ...['.env', 'avow.env', '.data/secrets-key', 'secrets-key.old', 'jwt-secret', '.witness/key', 'dkim.pem'],
  ...['avow.dump', 'backup.tar.gz', 'trails.ndjson', 'evidence-shop.example.com-2026-11-26.zip'],
];

test.each(KEPT_OUT)('%s gets into no image', (name) => {
  const isIn = contextFilter(ROOT);
  expect(isIn(join(ROOT, name))).toBe(false);
  expect(isIn(join(ROOT, 'server', 'src', 'main.ts'))).toBe(true);
});

git.each(KEPT_OUT)('%s gets into no commit', (name) => {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', name], { cwd: ROOT });
  expect(status).toBe(0);
});

git('no file of the sources is among what is kept out', () => {
  const hit = execFileSync('git', ['ls-files', '--cached', '--ignored', '--exclude-standard'], { cwd: ROOT });
  expect(hit.toString()).toBe('');
});
