import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../server/src/config/paths';
import { freePort } from '../processes/child';
import { until } from '../until';

/** Where Debian's package has it. */
export const WORDPRESS = process.env.TEST_WORDPRESS ?? '/usr/share/wordpress';

/** Why there is no WordPress on this machine; undefined when there is one. */
export const whyNoWordPress: string | undefined = (() => {
  if (!existsSync(join(WORDPRESS, 'wp-load.php'))) return `there is no WordPress at ${WORDPRESS}`;
  for (const [program, ...args] of [
    ['php', '-r', "exit(extension_loaded('mysqli') ? 0 : 1);"],
    ['mariadbd', '--version'],
    ['sh', '-c', 'command -v mariadb-install-db'],
  ] as const)
    try {
      execFileSync(program, args, { stdio: 'ignore' });
    } catch {
      return `${program} cannot be run`;
    }
  return undefined;
})();

export interface WordPress {
  url: string;
  /** Runs PHP with all of WordPress loaded; answers what it prints. */
  run(code: string): string;
  stop(): Promise<void>;
}

export const ADMIN = { name: 'admin', password: 'correct horse battery' };

/** A new WordPress with the plugin, with a database server of its own. `more` is code of another plugin. */
export async function startWordPress(more: string): Promise<WordPress> {
  const folder = mkdtempSync(join(tmpdir(), 'avow-wordpress-'));
  const site = join(folder, 'site');
  cpSync(WORDPRESS, site, { recursive: true, dereference: true, filter: (path) => !path.endsWith('.mo') });
  cpSync(
    join(ROOT, 'sdk/integrations/wordpress/avow-consent'),
    join(site, 'wp-content/plugins/avow-consent'),
    { recursive: true },
  );
  mkdirSync(join(site, 'wp-content/mu-plugins'), { recursive: true });
  writeFileSync(join(site, 'wp-content/mu-plugins/more.php'), `<?php\n${more}`);
  // Debian packs themes apart. This one does what every theme must.
  const theme = join(site, 'wp-content/themes/plain');
  mkdirSync(theme, { recursive: true });
  writeFileSync(join(theme, 'style.css'), '/* Theme Name: Plain */');
  writeFileSync(join(theme, 'index.php'), THEME);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const socket = join(folder, 'sql');
  writeFileSync(join(site, 'wp-config.php'), configOf(url, socket));
  const database = await startDatabase(folder, socket);
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    // With the processes that answer requests.
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
    await ended(database);
    rmSync(folder, { recursive: true, force: true });
  };
  const run = (code: string): string =>
    execFileSync('php', [...QUIET, '-r', `$_SERVER['HTTP_HOST'] = 'x'; ${code}`], {
      cwd: site,
      encoding: 'utf8',
      timeout: 60_000,
    });
  try {
    run(
      `define('WP_INSTALLING', true); require 'wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Shop', '${ADMIN.name}', 'admin@shop.example.com', true, '', '${ADMIN.password}');
    require_once ABSPATH . 'wp-admin/includes/plugin.php'; $failed = activate_plugin('avow-consent/avow-consent.php');
    switch_theme('plain');
    if (is_wp_error($failed)) { fwrite(STDERR, $failed->get_error_message()); exit(1); }`,
    );
    server = spawn('php', [...QUIET, '-S', `127.0.0.1:${port}`, '-t', site], {
      stdio: 'ignore',
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '3' },
      detached: true,
    });
    await until('WordPress to answer', async () => (await fetch(url).catch(() => undefined))?.ok);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, run: (code) => run(`require 'wp-load.php'; ${code}`), stop };
}

/** Errors where a test sees them; no mail to anybody. */
const QUIET = ['-d', 'display_errors=stderr', '-d', 'sendmail_path=/bin/true'];

const THEME = `<!doctype html><html <?php language_attributes(); ?>><head><title>Shop</title><?php wp_head(); ?></head>
<body><?php wp_body_open(); while (have_posts()) { the_post(); the_content(); } wp_footer(); ?></body></html>`;

const configOf = (url: string, socket: string): string => `<?php
define('DB_NAME', 'shop'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_DEBUG', true); define('WP_DEBUG_LOG', true); define('WP_DEBUG_DISPLAY', false);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
  define($name . '_KEY', 'key of the tests'); define($name . '_SALT', 'salt of the tests');
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }
require_once ABSPATH . 'wp-settings.php';
`;

async function startDatabase(folder: string, socket: string): Promise<ChildProcess> {
  const data = join(folder, 'data');
  const root = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...root],
    { stdio: 'ignore' },
  );
  const init = join(folder, 'init.sql');
  writeFileSync(init, 'CREATE DATABASE IF NOT EXISTS shop;');
  const database = spawn(
    'mariadbd',
    [
      ...['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', ...root],
      ...[`--init-file=${init}`, `--pid-file=${join(folder, 'pid')}`],
      ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M'],
    ],
    { stdio: 'ignore' },
  );
  await until('MariaDB to listen', () => existsSync(socket));
  return database;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
}
