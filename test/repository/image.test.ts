import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { emptyDatabase } from '../helpers/database';
import { freePort } from '../helpers/processes/child';
import { until } from '../helpers/until';
import { buildImage, type Instead, type Stage } from './build-image';

jest.setTimeout(600_000);

const ROOT = join(__dirname, '..', '..');
/** npm test has installed and built this clone by these very commands. IMAGE=full runs them once more. */
const DONE: Instead = {
  'npm ci --include=dev': () => undefined,
  'npm run build': (folder) => cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true }),
};
/** A container's user is root on no machine: when this one is, its user "nobody" stands for it. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const folder = mkdtempSync(join(tmpdir(), 'avow-image-'));
let image: Stage;
const running = new Set<ChildProcess>();

beforeAll(() => {
  image = buildImage(ROOT, folder, process.env.IMAGE === 'full' ? {} : DONE);
  // Read-only, and for its user to read.
  for (const place of [folder, image.root]) chmodSync(place, 0o755);
  run('chmod', ['-R', 'a-w,a+rX', join(image.root, image.workdir)]);
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => {
  run('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
}

/** A place of the container's own that it may write to. */
function writable(name: string): string {
  const place = mkdtempSync(join(folder, `${name}-`));
  if (user.uid !== undefined) chownSync(place, user.uid, user.gid);
  return place;
}

/** What a container of the image would run, with its paths where this test put them. */
function container(variables: Record<string, string>) {
  const data = writable('data');
  const temporary = writable('tmp');
  const env = {
    ...image.env,
    ...{ PATH: process.env.PATH ?? '', HOME: temporary, TMPDIR: temporary, DATA_DIR: data },
    ...variables,
  };
  const cwd = join(image.root, image.workdir);
  const start = ([program = '', ...args]: string[]) =>
    spawnSync(program, args, { cwd, env, encoding: 'utf8', ...user });
  const begin = ([program = '', ...args]: string[]) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
    const seen = { child, output: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        seen.output += chunk.toString();
      });
    running.add(child);
    child.once('close', () => running.delete(child));
    return seen;
  };
  return { data, temporary, start, begin };
}

const filesOf = (place: string): string[] => readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();

/** Starts the image's command, waits for its health check, and stops it as Docker does. */
async function serve(
  variables: Record<string, string>,
  visit: (server: ReturnType<typeof container>) => void,
) {
  const server = container({ PORT: String(await freePort()), ...variables });
  expect(server.start(image.healthcheck).status).toBe(1);
  const seen = server.begin(image.command);
  const { child } = seen;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await until(
    'the image is healthy',
    () => {
      if (child.exitCode !== null) throw new Error(`the server ended while starting:\n${seen.output}`);
      return server.start(image.healthcheck).status === 0;
    },
    60_000,
  );
  visit(server);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

test('the Dockerfile has nothing that its linter minds', () => {
  expect(validate(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))).toEqual([]);
});

test('the image names its base exactly enough, its user, its health check, and one process without a shell', () => {
  expect(image).toMatchObject({
    base: expect.stringMatching(/^node:\d+-\w+-slim$/),
    user: 'node',
    command: ['node', '.'],
    owned: ['/data'],
    volumes: ['/data'],
  });
  expect(image.healthcheck[0]).toBe('node');
});

test('it holds the packages that run, and none that only build', () => {
  const packages = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(
    readFileSync(join(image.root, image.workdir, 'node_modules', '.package-lock.json'), 'utf8'),
  ).packages;
  expect(Object.keys(installed).length).toBeGreaterThan(50);
  expect(Object.keys(installed).filter((place) => packages[place]?.dev === true)).toEqual([]);
  for (const name of ['typescript', 'vite', 'jest']) {
    expect(readdirSync(join(image.root, image.workdir, 'node_modules'))).not.toContain(name);
  }
});

test('it leaves out what a clone has beside its sources', () => {
  const names = readdirSync(join(image.root, image.workdir));
  expect(names).toEqual(expect.arrayContaining(['dist', 'node_modules', 'package.json', 'spec']));
  for (const name of ['.git', '.data', '.env', 'test', 'compose.yaml']) expect(names).not.toContain(name);
});

test('with DATABASE_URL it serves, runs operator commands and stops; it writes nothing but to /tmp', async () => {
  const database = await emptyDatabase();
  const before = filesOf(join(image.root, image.workdir));
  try {
    const secrets = { JWT_SECRET: 's'.repeat(64), SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    await serve({ DATABASE_URL: database.url, ...secrets }, (server) => {
      const owner = server.start(['npm', 'run', '--silent', 'owner', '--', 'add', 'ada@example.com']);
      expect([owner.status, owner.stdout, owner.stderr]).toEqual([0, expect.stringContaining('/setup#'), '']);
      expect(filesOf(server.data)).toEqual([]);
    });
  } finally {
    await database.drop();
  }
  expect(filesOf(join(image.root, image.workdir))).toEqual(before);
});

test('without one it starts the embedded PostgreSQL, which lives in /data', async () => {
  const before = filesOf(join(image.root, image.workdir));
  await serve({}, (server) => {
    expect(filesOf(server.data).length).toBeGreaterThan(100);
  });
  expect(filesOf(join(image.root, image.workdir))).toEqual(before);
});
