import Module from 'node:module';
import { join } from 'node:path';

/**
 * Loaded into a server before it starts (`--require`): removes the outbox code from the visitor write path
 * when its files are loaded.
 */
const REMOVED: [file: string, code: RegExp, replacement: string][] = [
  ['ingest/decision.js', /const outbox = outboxOf\(site, decision\);\s*return [^;]*;/, 'return entry;'],
  [
    'ingest/commit-group.js',
    /const outbox = fresh\.flatMap[^;]*;\s*transaction\.write\([\w.]*INSERT_EVENTS[^;]*;\s*transaction\.write\([\w.]*INSERT_DELIVERIES[^;]*;/,
    '',
  ],
  ['ingest/ingest.js', /this\.announce\(entries\);/, ''],
];

interface Loaded {
  _compile(code: string, file: string): unknown;
}
const { prototype } = Module as unknown as { prototype: Loaded };
const compile = prototype._compile;

prototype._compile = function (this: Loaded, code: string, file: string): unknown {
  const removed = REMOVED.find(([name]) => file.endsWith(join('server', 'src', ...name.split('/'))));
  if (removed === undefined) return compile.call(this, code, file);
  const [name, pattern, replacement] = removed;
  // Without this check the benchmark could compare the server with itself.
  if (!pattern.test(code))
    throw new Error(`The outbox code was not found in ${name}: update tools/bench/without-outbox.ts`);
  return compile.call(this, code.replace(pattern, replacement), file);
};
