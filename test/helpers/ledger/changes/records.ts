import { base64, canonical, lineOf } from '../made-pack';
import { addRecord, type Change, changed, remove } from './change';

const NOT_IN_LOG = /^record: evidence.ndjson line 6: consent .*not in the log: it, or its proof/;

/** Changes of records. */
export const RECORD_CHANGES: Change[] = [
  [
    'another decision in the statement',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('accept_all', 'reject_all');
    },
    NOT_IN_LOG,
  ],
  [
    'a member added to the statement',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('"avow":1', '"avow":1,"extra":1');
    },
    /^record: .* line 6: .*wrong members/,
  ],
  [
    'a blank in the statement',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace(',', ', ');
    },
    /^record: .* line 6: .*canonical/,
  ],
  [
    'an escape in the statement',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('accept_all', '\\u0061ccept_all');
    },
    /^record: .* line 6: .*canonical/,
  ],
  [
    'a member of the statement twice',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('"avow":1', '"avow":1,"avow":1');
    },
    /^record: .* line 6: .*canonical/,
  ],
  [
    'the statement of another version',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('"avow":1', '"avow":2');
    },
    /^record: .* line 6: .*version 1/,
  ],
  [
    'half a character in the statement',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.replace('accept_all', '\\ud800');
    },
    /^record: .* line 6: .*half of a character/,
  ],
  [
    'the statement cut off',
    (p) => {
      lineOf(p, 'record').statement = lineOf(p, 'record').statement.slice(0, -1);
    },
    /^record: .* line 6: .*no object in canonical form/,
  ],
  [
    'levels beyond number in the statement',
    (p) => {
      lineOf(p, 'record').statement = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    },
    /^record: .* line 6: .*levels/,
  ],
  [
    'a statement that is a text',
    (p) => {
      lineOf(p, 'record').statement = '"consent"';
    },
    /^record: .* line 6: .*canonical/,
  ],
  [
    'another blinding',
    (p) => {
      lineOf(p, 'record').blinding = changed(lineOf(p, 'record').blinding);
    },
    NOT_IN_LOG,
  ],
  [
    'a blinding of 15 bytes',
    (p) => {
      lineOf(p, 'record').blinding = base64(Buffer.alloc(15));
    },
    /^record: .* line 6: .*blinding has 16 bytes/,
  ],
  [
    'a blinding that is not the one way to write it',
    (p) => {
      lineOf(p, 'record').blinding = lineOf(p, 'record').blinding.replace('==', '');
    },
    /^record: .* line 6: .*blinding has 16 bytes/,
  ],
  [
    'another leaf',
    (p) => {
      lineOf(p, 'record').leaf += 1;
    },
    NOT_IN_LOG,
  ],
  [
    'a leaf beyond the tree',
    (p) => {
      lineOf(p, 'record').leaf = 13;
    },
    /^record: .* line 6: .*leaf 13 is not in a tree of 13 leaves/,
  ],
  [
    'a leaf that is no number',
    (p) => {
      lineOf(p, 'record').leaf = '0';
    },
    /^record: .* line 6: "leaf" must be a whole number/,
  ],
  [
    'a leaf of half a number',
    (p) => {
      lineOf(p, 'record').leaf = 0.5;
    },
    /^record: .* line 6: "leaf" must be a whole number/,
  ],
  [
    'a leaf beyond safe numbers',
    (p) => {
      lineOf(p, 'record').leaf = 2 ** 53;
    },
    /^record: .* line 6: "leaf" must be a whole number/,
  ],
  [
    'another hash in the proof',
    (p) => {
      lineOf(p, 'record').proof[2] = changed(lineOf(p, 'record').proof[2]);
    },
    NOT_IN_LOG,
  ],
  [
    'hashes of the proof swapped',
    (p) => {
      lineOf(p, 'record').proof.reverse();
    },
    NOT_IN_LOG,
  ],
  [
    'a hash less in the proof',
    (p) => {
      lineOf(p, 'record').proof.pop();
    },
    /^record: .* line 6: .*not in the log/,
  ],
  [
    'a hash more in the proof',
    (p) => {
      lineOf(p, 'record').proof.push(lineOf(p, 'record').proof[0]);
    },
    /^record: .* line 6: .*not in the log/,
  ],
  [
    'a hash of 31 bytes in the proof',
    (p) => {
      lineOf(p, 'record').proof[1] = base64(Buffer.alloc(31));
    },
    /^record: .* line 6: a hash has 32 bytes/,
  ],
  [
    'a hash that is no text',
    (p) => {
      lineOf(p, 'record').proof[1] = 5;
    },
    /^record: .* line 6: a hash has 32 bytes/,
  ],
  [
    'a record of another kind than its statement',
    (p) => {
      lineOf(p, 'record').kind = 'settings';
    },
    /^record: .* line 6: .*the line says to be of the kind "settings"/,
  ],
  [
    'a proof of a record that says to be pending',
    (p) => {
      lineOf(p, 'record').pending = true;
    },
    /^record: .* line 6: .*leaf, proof and pending do not agree/,
  ],
  [
    'a record without a proof that does not say to be pending',
    (p) => {
      lineOf(p, 'record').leaf = lineOf(p, 'record').proof = null;
    },
    /^record: .* line 6: .*leaf, proof and pending do not agree/,
  ],
  [
    'a record without a blinding',
    (p) => {
      delete lineOf(p, 'record').blinding;
    },
    /^record: .* line 6: "blinding" must be a text/,
  ],
  [
    'the record of another site',
    (p) => {
      addRecord(p, 'consent', canonical({ avow: 1, kind: 'consent', record: {}, site: 'env_other' }));
    },
    /^record: .* line 9: .*it is of the site env_other/,
  ],
  [
    'no checkpoint',
    (p) => {
      remove(p, 'checkpoint');
      remove(p, 'checkpoint');
    },
    /^record: .* line 4: .*no checkpoint/,
  ],
  [
    'a record twice',
    (p) => {
      p.lines.splice(6, 0, { ...lineOf(p, 'record') });
    },
    /^record: .* line 7: leaf 9 stands here a second time/,
  ],
];
