import { removeCode } from './remove-code';

/** Loaded into a server before it starts (`--require`): removes the evidence log from the visitor write path. */
removeCode('The code of the evidence log', [
  ['ingest/decision.js', /const sealed = [^;]*;/, 'const sealed = undefined;'],
  ['ingest/commit-group.js', /transaction\.write\([\w.]*INSERT_PENDING[^;]*;/, ''],
]);
