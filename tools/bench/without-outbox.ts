import { removeCode } from './remove-code';

/** Loaded into a server before it starts (`--require`): removes the outbox from the visitor write path. */
removeCode('The outbox code', [
  ['ingest/decision.js', /const outbox = outboxOf\(site, decision\);\s*return [^;]*;/, 'return entry;'],
  [
    'ingest/commit-group.js',
    /const outbox = entries\.flatMap[^;]*;\s*transaction\.write\([\w.]*INSERT_EVENTS[^;]*;\s*transaction\.write\([\w.]*INSERT_DELIVERIES[^;]*;/,
    '',
  ],
  ['ingest/lane.js', /this\.announce\(entries\);/, ''],
]);
