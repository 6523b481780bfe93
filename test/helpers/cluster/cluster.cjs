// @ts-check
// A Citus cluster on this machine, for development and tests: a coordinator and workers of Debian's PostgreSQL
// 15, each on a port of its own, all in one temporary folder. Citus itself comes from CITUS_TARBALL. The
// installation is copied and the tarball unpacked into the copy, so that the machine's own PostgreSQL stays as
// it is and root is not needed. Run as a program it prints the address and stops with Ctrl+C.
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

/** Where Debian keeps PostgreSQL 15. */
const INSTALLATION = ['usr/lib/postgresql/15', 'usr/share/postgresql/15'];
const CONNECTIONS = 300;
/** Nothing is durable, and a test that stops a node waits no longer than it must. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: CONNECTIONS,
  max_prepared_transactions: 2 * CONNECTIONS,
  max_worker_processes: 200,
  max_locks_per_transaction: 256,
  max_wal_senders: 40,
  max_replication_slots: 40,
  shared_buffers: '64MB',
  max_wal_size: '4GB',
  'citus.shard_count': 4,
  'citus.max_cached_conns_per_worker': 1,
  'citus.node_connection_timeout': '5s',
  'citus.enable_statistics_collection': 'off',
  'citus.node_conninfo': 'sslmode=disable',
};

const tarball = () => resolve(process.env.CITUS_TARBALL ?? '');

/** Why there can be no cluster here; undefined when there can be one. */
function whyNot() {
  if (process.platform !== 'linux') return 'the cluster runs on Linux only';
  const missing = INSTALLATION.find((folder) => !fs.existsSync(`/${folder}`));
  if (missing !== undefined) return `Debian's postgresql-15 is not installed (/${missing})`;
  if (!process.env.CITUS_TARBALL) return 'CITUS_TARBALL names no tarball of Citus';
  if (!fs.existsSync(tarball())) return `CITUS_TARBALL names ${tarball()}, which is not there`;
  return undefined;
}

/** PostgreSQL refuses to run as root: then it is the user of Debian's package. */
function user() {
  if (process.getuid?.() !== 0) return {};
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => /^(postgres|nobody):/.test(one));
  const [, , uid, gid] = (line ?? '::65534:65534').split(':').map(Number);
  return { uid, gid };
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((done, fail) => {
    const server = net.createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => done(port));
    });
  });

/** One PostgreSQL of the cluster. */
class Node {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  process;
  /** @type {Node[]} Its standbys, which end with the cluster. */
  followers = [];
  /**
   * @param {{ home: string, name: string, port: number, owner: { uid?: number, gid?: number }, settings: object }} place
   */
  constructor({ home, name, port, owner, settings }) {
    this.home = home;
    this.name = name;
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.owner = owner;
    this.settings = settings;
    this.bin = join(home, INSTALLATION[0], 'bin');
    this.data = join(home, name);
    this.log = join(home, `${name}.log`);
  }

  make() {
    const args = ['-D', this.data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'];
    execFileSync(join(this.bin, 'initdb'), args, { ...this.owner, cwd: '/', stdio: 'pipe' });
    const settings = { ...SETTINGS, ...this.plugins(), ...this.settings, port: this.port };
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'`);
    fs.appendFileSync(join(this.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  }

  /** Newer ones let no plugin of others read their log, unless it is listed. */
  plugins() {
    const name = 'output_plugin_libraries';
    try {
      const args = ['-C', name, '-D', this.data];
      execFileSync(join(this.bin, 'postgres'), args, { ...this.owner, cwd: '/', stdio: 'pipe' });
      return { [name]: 'citus, pgoutput' };
    } catch {
      return {};
    }
  }

  /** A second server that follows this one, for which it does not wait unless it is told to. */
  async follow() {
    const { home, owner, settings } = this;
    const standby = new Node({ home, name: `${this.name}-standby`, port: await freePort(), owner, settings });
    const args = ['-d', this.url, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    execFileSync(join(this.bin, 'pg_basebackup'), args, { ...owner, cwd: '/', stdio: 'pipe' });
    fs.appendFileSync(join(standby.data, 'postgresql.conf'), `port = '${standby.port}'\n`);
    this.followers.push(standby);
    await standby.start();
    return standby;
  }

  async start() {
    const out = fs.openSync(this.log, 'a');
    this.process = spawn(join(this.bin, 'postgres'), ['-D', this.data], {
      ...this.owner,
      cwd: '/',
      // The nodes connect to each other: nothing of the caller's settings may matter, nor a home that they cannot read.
      env: { PATH: process.env.PATH, HOME: this.data, LANG: 'C' },
      stdio: ['ignore', out, out],
    });
    fs.closeSync(out);
    for (let tries = 0; !this.answers(); tries += 1) {
      if (this.process.exitCode !== null || tries > 300) throw new Error(fs.readFileSync(this.log, 'utf8'));
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  answers() {
    return (
      spawnSync(join(this.bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${this.port}`]).status === 0
    );
  }

  /**
   * By SIGQUIT at once, without a checkpoint; by SIGKILL as a machine that dies, whose children end too.
   * @param {NodeJS.Signals} signal
   */
  async stop(signal = 'SIGQUIT') {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    if (signal === 'SIGKILL') for (const pid of childrenOf(child.pid)) end(pid);
    child.kill(signal);
    await ended;
  }
}

/** @param {number | undefined} pid */
function childrenOf(pid) {
  try {
    return fs
      .readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Copies the installation, unpacks Citus into the copy, and starts the nodes; `url` names the coordinator.
 * @param {{ workers?: number, settings?: Record<string, string> }} options the settings of every node, besides those above
 */
async function startCluster({ workers = 2, settings = {} } = {}) {
  const reason = whyNot();
  if (reason !== undefined) throw new Error(`No cluster can be made: ${reason}.`);
  const owner = user();
  const home = fs.mkdtempSync(join(tmpdir(), 'avow-cluster-'));
  for (const folder of INSTALLATION) {
    const filter = (/** @type {string} */ name) => !name.includes('/bitcode');
    fs.cpSync(`/${folder}`, join(home, folder), { recursive: true, dereference: true, filter });
  }
  execFileSync('tar', ['xzf', tarball(), '--no-same-owner', '-C', home]);
  fs.chmodSync(home, 0o755);
  if (owner.uid !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, home]);
  const names = ['coordinator', ...Array.from({ length: workers }, (_, n) => `worker${n + 1}`)];
  /** @type {Node[]} */
  const nodes = [];
  for (const name of names) nodes.push(new Node({ home, name, port: await freePort(), owner, settings }));
  const stop = async () => {
    await Promise.all(nodes.flatMap((node) => [node, ...node.followers]).map((node) => node.stop()));
    fs.rmSync(home, { recursive: true, force: true });
  };
  try {
    for (const node of nodes) node.make();
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: nodes[0].url, nodes, home, stop };
}

module.exports = { startCluster, whyNot };

if (require.main === module) {
  void startCluster().then(({ url, nodes, stop }) => {
    const list = nodes.map(({ name, port }) => `${name} on port ${port}`).join(', ');
    process.stdout.write(
      `${url}\n${list}\nEach database of it needs the extension: see test/helpers/cluster/database.ts.\n`,
    );
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => void stop().then(() => process.exit(0)));
  });
}
