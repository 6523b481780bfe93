import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Model } from 'objection';
import { handlers } from '../server/src/api';
import { resolve } from '../server/src/contract/document';
import { loadContract } from '../server/src/contract/operations';
import { PLACEMENTS } from '../server/src/db/cluster/placements';
import { connect } from '../server/src/db/knex';
import { migrate, migrateDown } from '../server/src/db/migrate';
import * as models from '../server/src/db/models';
import { AppendOnlyModel } from '../server/src/db/models/append-only';
import { pendingMigrations } from '../server/src/db/schema-state';
import { isValid } from './contract-fuzz/values';
import { emptyDatabase } from './helpers/database';
import { circlesOf, importsOf } from './helpers/imports';

const ROOT = join(__dirname, '..');
const SOURCE = join(ROOT, 'server', 'src');
const { operations, document } = loadContract();

/** Every file of a folder, deep, with its text. */
function filesOf(folder: string, ending = '.ts'): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(folder, name), 'utf8') }));
}

describe('the contract', () => {
  test('every operation has one handler, and every handler an operation', () => {
    expect(Object.keys(handlers).sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  test.each(operations)(
    '$id says what it is, who may call it, and shows an example',
    ({ id, path, method, bearer, hasToken, visitor }) => {
      const operation = document.paths[path][method.toLowerCase()];
      expect(operation.description).toMatch(/\w.*[.:)]$/s);
      expect(operation.tags).toHaveLength(1);
      // An owner's operation in an environment names the least role; a visitor's or a public one has no login
      // to have a role by.
      expect([id, operation['x-role'] !== undefined]).toEqual([id, bearer && hasToken]);
      expect([id, bearer && visitor]).toEqual([id, false]);
      const bodies = Object.values<{ schema: object; example?: unknown }>(
        operation.requestBody?.content ?? {},
      );
      if (bodies.length > 0) expect(bodies.some(({ example }) => example !== undefined)).toBe(true);
      for (const { schema, example } of bodies)
        if (example !== undefined) expect(isValid(schema, example)).toBe(true);
      for (const [status, reference] of Object.entries(operation.responses)) {
        const content = resolve(reference).content ?? {};
        const json = content['application/json'];
        expect([id, status, Object.keys(content).length > 0]).toEqual([id, status, status !== '304']);
        if (status.startsWith('2') && json !== undefined)
          expect([id, json.example !== undefined]).toEqual([id, true]);
        if (json?.example !== undefined)
          expect([id, status, isValid(json.schema, json.example)]).toEqual([id, status, true]);
      }
    },
  );

  test('every object of a request is closed, and everything in it is bounded', () => {
    const open: string[] = [];
    const visit = (schema: ReturnType<typeof resolve>, place: string, seen: string[]): void => {
      if (schema.$ref !== undefined) {
        if (!seen.includes(schema.$ref)) visit(resolve(schema), place, [...seen, schema.$ref]);
        return;
      }
      for (const key of ['allOf', 'anyOf', 'oneOf'])
        for (const part of schema[key] ?? []) visit(part, place, seen);
      if (schema.type === 'string' && schema.enum === undefined && schema.maxLength === undefined)
        open.push(`${place}: maxLength`);
      if (schema.type === 'array' && schema.maxItems === undefined) open.push(`${place}: maxItems`);
      if (schema.type === 'integer' && schema.format !== 'int32' && schema.maximum === undefined)
        open.push(`${place}: maximum`);
      if (schema.type === 'object' && schema.additionalProperties === undefined)
        open.push(`${place}: additionalProperties`);
      if (typeof schema.additionalProperties === 'object') {
        if (schema.maxProperties === undefined) open.push(`${place}: maxProperties`);
        visit(schema.additionalProperties, `${place}.*`, seen);
      }
      if (schema.items !== undefined) visit(schema.items, `${place}[]`, seen);
      for (const [name, property] of Object.entries(schema.properties ?? {}))
        visit(property, `${place}.${name}`, seen);
    };
    for (const { id, path, method, parameters } of operations) {
      const body = document.paths[path][method.toLowerCase()].requestBody?.content['application/json'];
      if (body !== undefined) visit(body.schema, `${id} body`, []);
      for (const { name, schema } of parameters) visit(schema, `${id} ${name}`, []);
    }
    expect(open).toEqual([]);
  });

  test('the generated files are what generate writes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'avow-generate-'));
    try {
      for (const name of ['tools', 'spec', 'package.json'])
        cpSync(join(ROOT, name), join(folder, name), { recursive: true });
      rmSync(join(folder, 'spec', 'generated'), { recursive: true });
      mkdirSync(join(folder, 'spec', 'generated'));
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      execFileSync(process.execPath, [join(folder, 'tools', 'generate.mjs')], { cwd: folder, stdio: 'pipe' });
      const [written, committed] = [folder, ROOT].map((root) => filesOf(join(root, 'spec', 'generated'), ''));
      for (const { name, text } of committed ?? []) {
        const fresh = written?.find((file) => file.name === name)?.text;
        // Compared as one, printed as little: the files are thousands of lines long.
        expect([name, fresh === text]).toEqual([name, true]);
      }
      expect(written?.length).toBe(committed?.length);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('rooms', () => {
  /**
   * What each room may import besides itself, from the top floor to the ground: every arrow points down. What
   * lies directly in `src` puts the rooms together, and names them all.
   */
  const ARROWS: Record<string, string[]> = {
    runtime: [
      'http',
      'services',
      'bundles',
      'contract',
      'security',
      'observability',
      'config',
      'db',
      'domain',
    ],
    http: [
      'api',
      'services',
      'ledger',
      'bundles',
      'ingest',
      'contract',
      'observability',
      'config',
      'db',
      'domain',
    ],
    api: [
      'services',
      'files',
      'ledger',
      'bundles',
      'ingest',
      'webhooks',
      'events',
      'mail',
      'scan',
      'security',
      'db',
      'domain',
    ],
    jobs: ['services', 'files', 'ledger', 'mail', 'scan', 'security', 'observability', 'db', 'domain'],
    services: [
      'files',
      'ledger',
      'bundles',
      'ingest',
      'mail',
      'scan',
      'net',
      'security',
      'observability',
      'config',
      'db',
      'domain',
    ],
    files: ['net', 'security', 'observability', 'config', 'db', 'domain'],
    ledger: ['net', 'security', 'observability', 'config', 'db', 'domain'],
    bundles: ['ingest', 'contract', 'config', 'db', 'domain'],
    ingest: ['events', 'observability', 'db', 'domain'],
    webhooks: ['net', 'security', 'observability', 'config', 'db', 'domain'],
    events: ['contract', 'db', 'domain'],
    mail: ['net', 'security', 'observability', 'config', 'db', 'domain'],
    scan: ['net', 'observability', 'db', 'domain'],
    security: ['config', 'db', 'domain'],
    contract: ['config', 'domain'],
    observability: ['db', 'domain'],
    config: ['db', 'net', 'domain'],
    db: ['domain'],
    net: ['domain'],
    domain: [],
  };
  /**
   * What every part of a running service shares may be named, by its type, above everything that it is made
   * of.
   */
  const WITH_CONTEXT = ['runtime', 'http', 'api', 'services', 'jobs'];
  const roomOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : '');
  const imports = importsOf(SOURCE);

  test('the imports are read', () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(imports).toContainEqual({ name: 'http/run.ts', target: 'api/index.ts' });
  });

  test('every folder of the server is a room whose arrows are known, and the root holds what composes them', () => {
    const entries = readdirSync(SOURCE, { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.sort()).toEqual(Object.keys(ARROWS).sort());
    const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    expect(files.sort()).toEqual(['context.ts', 'create-context.ts', 'main.ts', 'service.ts']);
  });

  test('every arrow points down', () => {
    const floors = Object.keys(ARROWS);
    const upward = Object.entries(ARROWS).flatMap(([from, rooms]) =>
      rooms.filter((to) => floors.indexOf(to) <= floors.indexOf(from)).map((to) => `${from} → ${to}`),
    );
    expect(upward).toEqual([]);
  });

  test('imports follow the arrows', () => {
    const against = imports.filter(({ name, target }) => {
      const [from, to] = [roomOf(name), roomOf(target)];
      if (from === '' || from === to) return false;
      if (target.startsWith('..')) return !target.startsWith('../../spec/generated/');
      if (to === '') return target !== 'context.ts' || !WITH_CONTEXT.includes(from);
      return !ARROWS[from]?.includes(to);
    });
    expect(against.map(({ name, target }) => `${name} → ${target}`)).toEqual([]);
  });

  test.each([
    'server/src',
    'server/cli',
    'server/console/src',
    'server/docs',
    'sdk/src',
    'sdk/banner/src',
    'tools',
    'test',
  ])('no circle of files in %s', (folder) => {
    const inside = importsOf(join(ROOT, folder));
    expect(inside.length).toBeGreaterThan(0);
    expect(circlesOf(inside)).toEqual([]);
  });

  test('nothing that the server runs imports a program', () => {
    const programs = imports.filter(({ target }) => /^\.\.\/(cli|docs)|^\.\.\/\.\.\/tools/.test(target));
    expect(programs).toEqual([]);
  });

  test('only http knows Express', () => {
    const users = filesOf(SOURCE).filter(({ text }) => /from 'express|from 'helmet/.test(text));
    expect(users.map(({ name }) => roomOf(name)).filter((room) => room !== 'http')).toEqual([]);
  });

  test("only the driver of scans loads the browser's library, and nothing of the server loads the driver", () => {
    const loading = filesOf(SOURCE).filter(({ text }) =>
      text.split('\n').some((line) => line.includes("'playwright-core'") && !line.startsWith('import type ')),
    );
    expect(loading.map(({ name }) => name)).toEqual(['scan/driver/chromium.ts']);
    const driver = (file: string): boolean => file.startsWith('scan/driver/');
    expect(imports.filter(({ name, target }) => driver(target) && !driver(name))).toEqual([]);
    expect(imports.some(({ target }) => target === 'scan/driver/chromium.ts')).toBe(true);
  });

  test('errors are logged under the name that the sanitiser knows', () => {
    // Of `err`, and of an error by itself, the library writes the whole text, which may quote a row.
    const logging = filesOf(SOURCE).filter(({ text }) =>
      /\berr\s*[:,}]|\blog(ger)?\.\w+\(\s*(err|error|cause|thrown)\b/.test(text),
    );
    expect(logging.map(({ name }) => name)).toEqual([]);
  });

  test('what somebody else wrote is never cut within a character, which no database takes', () => {
    const cut = /\b(\w*[nN]ame|\w*[mM]essage|text|title|label|error|host|domain|url)\.slice\(0, ?[\dA-Z]/;
    const cutting = filesOf(SOURCE)
      .flatMap(({ name, text }) => text.split('\n').map((line) => ({ name, line: line.trim() })))
      .filter(({ line }) => cut.test(line) && !/toWellFormed|MAX_(SOURCE|FILE)/.test(line));
    expect(cutting).toEqual([]);
  });

  test('one place says what group an account is in', () => {
    const saying = filesOf(SOURCE).filter(({ text }) =>
      /sponsor_?id\s*(\?\?|\|\|)|coalesce\([^)]*sponsor_id/i.test(text),
    );
    expect(saying.map(({ name }) => name)).toEqual(['db/account-groups.ts']);
  });

  test('domain does no input or output', () => {
    const doing = filesOf(join(SOURCE, 'domain')).filter(({ text }) =>
      /from '(node:(fs|net|http|https|dns|child_process)|pg|knex|objection)[/']/.test(text),
    );
    expect(doing.map(({ name }) => name).filter((name) => name !== 'mask.ts')).toEqual([]);
  });

  test('the SDK knows the contract and nothing of the server', () => {
    const known = filesOf(join(ROOT, 'sdk', 'src')).filter(({ text }) => /from '[^']*server\//.test(text));
    expect(known.map(({ name }) => name)).toEqual([]);
  });

  /** What may look at this machine's clock, and why. */
  const WALL_CLOCK: [RegExp, string][] = [
    [/^server\/src\/domain\/clock\.ts$/, 'the clock itself: by how much this machine differs'],
    [
      /^server\/src\/observability\/(logger|request-line)\.ts$/,
      'lines are dated as those of the machine’s other programs',
    ],
    [/^server\/src\/db\/embedded\//, 'waits, and times of files, before there is a database'],
    [/^(tools\/bench|server\/cli\/demo)\b/, 'measures, and shows; decides nothing'],
    [/^server\/cli\/witness\/now\.ts$/, 'a witness has no database whose clock it could follow'],
    [/^tools\/migration-create\.mjs$/, 'names a file on a developer’s machine'],
  ];

  test('nothing but the clock asks this machine for the time', () => {
    const files = ['server/src', 'server/cli', 'server/docs/build', 'tools'].flatMap((folder) =>
      ['.ts', '.mjs'].flatMap((ending) =>
        filesOf(join(ROOT, folder), ending).map(({ name, text }) => ({ name: `${folder}/${name}`, text })),
      ),
    );
    const asking = files
      .filter(({ text }) => /\bnew Date\(\)|\bDate\.now\b|\bDate\(\)|performance\.timeOrigin/.test(text))
      .map(({ name }) => name);
    expect(asking.filter((name) => !WALL_CLOCK.some(([pattern]) => pattern.test(name)))).toEqual([]);
    // An exception that nothing needs any more goes.
    expect(WALL_CLOCK.filter(([pattern]) => !asking.some((name) => pattern.test(name)))).toEqual([]);
  });

  test('nothing joins signals of which one is a time-out: it may be collected as garbage (net/abortable.ts)', () => {
    const joining = filesOf(SOURCE, '.ts').filter(({ text }) => /AbortSignal\.any\([^)]*timeout/.test(text));
    expect(joining.map(({ name }) => name)).toEqual([]);
  });

  test('no file is longer than 300 lines', () => {
    const files = ['server', 'sdk', 'tools', 'spec'].flatMap((folder) =>
      ['.ts', '.tsx', '.mjs', '.tsp'].flatMap((ending) => filesOf(join(ROOT, folder), ending)),
    );
    expect(files.length).toBeGreaterThan(600);
    const made = /(^|\/)(dist|generated)\//;
    const long = files.filter(({ name, text }) => !made.test(name) && text.split('\n').length > 301);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  test('no file names a place on somebody’s machine', () => {
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    const naming = tracked.filter((name) => {
      if (/package-lock\.json$|\.(png|ico|woff2|xlsx)$/.test(name) || name === 'test/house.test.ts')
        return false;
      try {
        return /(^|[\s"'`(=:])(\/(home|Users|root|work)\/\w|[A-Z]:\\Users\\)/m.test(
          readFileSync(join(ROOT, name), 'utf8'),
        );
      } catch {
        return false;
      }
    });
    expect(naming).toEqual([]);
  });
});

describe('the schema', () => {
  /** Small tables, which are copied to every node of a cluster or lie on its coordinator. */
  const SMALL = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table] !== 'site');
  /** Of plain PostgreSQL, for processes of the version before: `npm run distribute` takes it away. */
  const OLD_KEY = 'webhooks_pkey';
  let db: Knex;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await emptyDatabase();
    drop = database.drop;
    db = connect(database.url, 2);
    await migrate(db);
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  const all = async <Row>(sql: string): Promise<Row[]> => (await db.raw(sql)).rows;
  const PUBLIC = "n.nspname = 'public' AND NOT t.relispartition";
  const indexes = () =>
    all<{ table: string; name: string; unique: boolean; partial: boolean; columns: string[] }>(
      `SELECT t.relname AS table, i.relname AS name, x.indisunique AS unique, x.indpred IS NOT NULL AS partial,
         array(SELECT pg_get_indexdef(x.indexrelid, k, true) FROM generate_series(1, x.indnkeyatts) AS k) AS columns
       FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_namespace n ON n.oid = t.relnamespace WHERE ${PUBLIC} ORDER BY 1, 2`,
    );
  const foreignKeys = () =>
    all<{ table: string; target: string; columns: string[]; referenced: string[] }>(
      `SELECT t.relname AS table, f.relname AS target,
         array(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (n, o) JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.n ORDER BY o) AS columns,
         array(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (n, o) JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = k.n ORDER BY o) AS referenced
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
       JOIN pg_namespace n ON n.oid = t.relnamespace WHERE c.contype = 'f' AND ${PUBLIC} ORDER BY 1, 2`,
    );

  test('every table says where it lies on a cluster, and no other one is named', async () => {
    const tables = await all<{ table: string }>(
      `SELECT t.relname AS table FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
       WHERE t.relkind IN ('r', 'p') AND ${PUBLIC} ORDER BY 1`,
    );
    expect(tables.map(({ table }) => table)).toEqual(Object.keys(PLACEMENTS).sort());
  });

  test('a row that is there already is changed by immutable functions alone, as a cluster asks for', async () => {
    const sources = filesOf(SOURCE).filter(({ name }) => !name.startsWith('db/migrations/'));
    const changes = sources.flatMap(({ text }) => [...text.matchAll(/DO UPDATE\s+SET([^`]*)/g)]);
    expect(changes.length).toBeGreaterThan(5);
    const called = changes.flatMap(([, change = '']) => [...change.matchAll(/\b([a-z_]+)\(/g)]);
    const { rows } = await db.raw(
      `SELECT proname FROM pg_proc WHERE proname = ANY (?) GROUP BY proname HAVING bool_and(provolatile <> 'i')`,
      [called.map(([, name = '']) => name)],
    );
    expect(rows).toEqual([]);
  });

  test('no row is locked FOR SHARE but those of a site: two who lock a copied one so wait for each other', () => {
    // Citus locks the whole copied table then, first to share it and then to change it.
    const SHARING = /\.for(Key)?Share\(|\bFOR (KEY )?SHARE\b/;
    const locking = filesOf(SOURCE).filter(({ text }) =>
      SHARING.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    expect(locking.map(({ name }) => name)).toEqual(['ledger/import-sources.ts']);
  });

  test('every table is a small one, or belongs to environments', async () => {
    const tables = await all<{ table: string; own: boolean }>(
      `SELECT t.relname AS table, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'environment_id' AND a.attnotnull) AS own
       FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace WHERE t.relkind IN ('r', 'p') AND ${PUBLIC}`,
    );
    expect(tables.filter(({ table, own }) => !own && !SMALL.includes(table))).toEqual([]);
    expect(tables.length).toBeGreaterThan(8);
  });

  test('the environment comes first in every key of a tenant table, and every one has a primary key', async () => {
    const keys = (await indexes()).filter(
      ({ table, unique, name }) => unique && !SMALL.includes(table) && name !== OLD_KEY,
    );
    expect(keys.filter(({ columns }) => columns[0] !== 'environment_id')).toEqual([]);
    const without = await all(
      `SELECT t.relname AS table FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
       WHERE t.relkind IN ('r', 'p') AND ${PUBLIC} AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'p')`,
    );
    expect(without).toEqual([]);
  });

  test('foreign keys stay inside an environment or point to a small table', async () => {
    const outward = (await foreignKeys()).filter(
      ({ target, columns, referenced }) =>
        !SMALL.includes(target) && !(columns[0] === 'environment_id' && referenced[0] === 'environment_id'),
    );
    expect(outward).toEqual([]);
  });

  test('every foreign key has an index that begins with its columns', async () => {
    const existing = await indexes();
    const bare = (await foreignKeys()).filter(({ table, columns }) =>
      existing.every(
        (index) =>
          index.table !== table ||
          !columns.every((column) => index.columns.slice(0, columns.length).includes(column)),
      ),
    );
    expect(bare).toEqual([]);
  });

  test('no index is the beginning of another one on the same table', async () => {
    const existing = await indexes();
    const spare = existing.filter(
      (one) =>
        !one.unique &&
        // One of a few rows is read in another way than that of all.
        !one.partial &&
        existing.some(
          (other) =>
            other !== one &&
            other.table === one.table &&
            one.columns.length <= other.columns.length &&
            one.columns.every((column, i) => column === other.columns[i]) &&
            (one.columns.length < other.columns.length || one.name > other.name),
        ),
    );
    expect(spare.map(({ name }) => name)).toEqual([]);
  });

  test('ids of tenant tables are made by the process, never by the database', async () => {
    const made = await all<{ table: string; column: string }>(
      `SELECT t.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
       JOIN pg_namespace n ON n.oid = t.relnamespace LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
       WHERE t.relkind IN ('r', 'p') AND ${PUBLIC} AND a.attnum > 0
         AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) ~ 'nextval|uuid|random|now|timestamp')`,
    );
    expect(made.filter(({ table }) => !SMALL.includes(table))).toEqual([]);
  });

  test('migrations go down and up again and leave the same schema; down leaves nothing', async () => {
    const shape = async () => ({
      columns: await all(
        `SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid) AS preset, t.reloptions
         FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid JOIN pg_namespace n ON n.oid = t.relnamespace
         LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
         WHERE n.nspname = 'public' AND t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY t.relname, a.attnum`,
      ),
      constraints: await all(
        `SELECT t.relname, c.conname, pg_get_constraintdef(c.oid) AS text FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
         JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = 'public' ORDER BY 1, 2`,
      ),
      indexes: await all(`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
      others: await all(
        `SELECT 'function' AS kind, proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         UNION ALL SELECT 'trigger', tgname FROM pg_trigger WHERE NOT tgisinternal UNION ALL SELECT 'view', viewname FROM pg_views WHERE schemaname = 'public'
         UNION ALL SELECT 'sequence', sequencename FROM pg_sequences WHERE schemaname = 'public' AND sequencename NOT LIKE 'avow_migrations%' ORDER BY 1, 2`,
      ),
    });
    const first = await shape();
    await migrateDown(db);
    const left = await all<{ relname: string }>(
      `SELECT t.relname FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = 'public' AND t.relkind IN ('r', 'p', 'v', 'm')`,
    );
    expect(left.map(({ relname }) => relname).filter((name) => !name.startsWith('avow_migrations'))).toEqual(
      [],
    );
    await migrate(db);
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await shape()).toEqual(first);
  });
});

describe('evidence', () => {
  const appendOnly = Object.entries(models).filter(([, model]) => model.prototype instanceof AppendOnlyModel);
  const sources = filesOf(SOURCE).filter(({ name }) => !name.startsWith('db/migrations/'));

  test('consent records, form consents and settings versions are append-only', () => {
    const tables = appendOnly.map(([, model]) => model.tableName);
    expect(tables).toEqual(expect.arrayContaining(['consents', 'form_consents', 'settings_versions']));
  });

  test.each(appendOnly)('no statement of the source updates %s', (name, model) => {
    const { tableName } = model;
    const patterns = [
      new RegExp(`UPDATE\\s+(ONLY\\s+)?"?${tableName}"?\\b`, 'i'),
      new RegExp(`INSERT\\s+INTO\\s+"?${tableName}"?\\b[^\`]*DO\\s+UPDATE`, 'i'),
      new RegExp(`\\(\\s*['"\`]${tableName}['"\`]\\s*\\)[^;]*?\\.(update|merge|increment|decrement)\\(`),
      new RegExp(
        `\\b${name}\\s*\\.query\\([^;]*?\\.(patch|update|patchAndFetch|updateAndFetch|patchAndFetchById|upsertGraph|increment|decrement)\\w*\\(`,
      ),
    ];
    const found = sources.filter(({ text }) => patterns.some((pattern) => pattern.test(text)));
    expect(found.map((file) => file.name)).toEqual([]);
  });

  test.each(appendOnly)('the model of %s refuses to be updated', async (_, model) => {
    const knex = connect('postgres://nobody@127.0.0.1:1/none', 2);
    const query = (model as unknown as typeof Model).query(knex).patch({}).where({ environment_id: 'x' });
    await expect(query).rejects.toThrow('append-only');
    await knex.destroy();
  });
});
