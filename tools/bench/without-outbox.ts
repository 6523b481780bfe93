import Module from 'node:module';
import { join } from 'node:path';

/**
 * Loaded into an Avow before it starts (`--require`): takes the code of the outbox out of the visitor write
 * path while it is read.
 */
const REMOVED: [file: string, code: RegExp, instead: string][] = [
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
  const found = REMOVED.find(([name]) => file.endsWith(join('server', 'src', ...name.split('/'))));
  if (found === undefined) return compile.call(this, code, file);
  const [name, pattern, instead] = found;
  // Otherwise the benchmark would compare the server with itself.
  if (!pattern.test(code))
    throw new Error(`the outbox is not found in ${name}: update tools/bench/without-outbox.ts`);
  return compile.call(this, code.replace(pattern, instead), file);
};
