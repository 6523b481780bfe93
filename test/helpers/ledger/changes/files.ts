import { BUNDLE, lineOf } from '../made-pack';
import { SHA_512, timeStampResponse } from '../time-stamp';
import { type Change, remove, setFile, swapLines } from './change';

/** Changes of files. */
export const FILE_CHANGES: Change[] = [
  [
    'a time-stamp over another text',
    (p) => {
      setFile(p, 'timestamps/13-1.tsr', timeStampResponse(Buffer.alloc(32), '20260304050607.25Z'));
    },
    /^time-stamp: timestamps\/13-1.tsr: it is over another text/,
  ],
  [
    'a time-stamp of another time',
    (p) => {
      lineOf(p, 'checkpoint').timestamps[0].genTime = '2026-03-04T05:06:08.250Z';
    },
    /^time-stamp: timestamps\/13-1.tsr: it is of 2026-03-04T05:06:07.250Z/,
  ],
  [
    'a time-stamp that is none',
    (p) => {
      setFile(p, 'timestamps/13-1.tsr', Buffer.from('time'));
    },
    /^time-stamp: timestamps\/13-1.tsr: it is no time-stamp/,
  ],
  [
    'a time-stamp over another kind of hash, which binds it to no checkpoint',
    (p) => {
      setFile(p, 'timestamps/13-1.tsr', timeStampResponse(Buffer.alloc(64), '20260304050607.25Z', SHA_512));
    },
    /^time-stamp: timestamps\/13-1.tsr: it is no time-stamp of RFC 3161 over SHA-256/,
  ],
  [
    'a time-stamp that was refused',
    (p) => {
      setFile(p, 'timestamps/13-1.tsr', timeStampResponse(Buffer.alloc(32), '20260304050607Z', SHA_512, 2));
    },
    /^time-stamp: timestamps\/13-1.tsr: it is no time-stamp/,
  ],
  [
    'a time-stamp that is missing',
    (p) => {
      p.files = p.files.filter(({ name }) => !name.startsWith('timestamps'));
    },
    /^time-stamp: .* line 4: timestamps\/13-1.tsr is missing/,
  ],
  [
    'the settings missing',
    (p) => {
      remove(p, 'record', 1);
      lineOf(p, 'end').records = 3;
    },
    /^context: .*: settings 3, which a record names, is missing/,
  ],
  [
    'the vendors missing',
    (p) => {
      remove(p, 'record', 3);
      lineOf(p, 'end').records = 3;
    },
    /^context: .*: vendors 2, which a record names, is missing/,
  ],
  [
    'another script of the banner',
    (p) => {
      setFile(p, `bundles/${BUNDLE}.js`, Buffer.from('alert(1)'));
    },
    /^attachment: bundles\/.*not those of the sealed record, evidence.ndjson line 8/,
  ],
  [
    'the script of the banner missing',
    (p) => {
      p.files = p.files.filter(({ name }) => !name.startsWith('bundles'));
    },
    /^attachment: .* line 8: bundles\/.*\.js is missing/,
  ],
  [
    'another human-readable statement',
    (p) => {
      p.files[0] = { name: 'statement.html', content: Buffer.from('He agreed.') };
    },
    /^attachment: statement.html: its SHA-256 is not the one of evidence.ndjson line 10/,
  ],
  [
    'a file missing',
    (p) => {
      p.files.pop();
    },
    /^attachment: .* line 14: README.txt is missing/,
  ],
  [
    'a file added',
    (p) => {
      p.files.push({ name: 'more.txt', content: Buffer.from('') });
    },
    /^attachment: more.txt: no line names it/,
  ],
  [
    'a file named twice',
    (p) => {
      p.lines.splice(-1, 0, { ...lineOf(p, 'file') });
    },
    /^file: .* line 15: statement.html is named twice/,
  ],
  [
    'a record removed',
    (p) => {
      remove(p, 'record', 3);
    },
    /^file: .*the last line says 4 records, and there are 3/,
  ],
  [
    'lines in another order',
    (p) => swapLines(p, 2, 5),
    /^file: .* line 4: a line of the type "checkpoint" cannot stand here|^keys|^file/,
  ],
  [
    'a checkpoint behind the records',
    (p) => {
      p.lines.splice(7, 0, p.lines.splice(4, 1)[0] as object);
    },
    /^file: .* line 8: a line of the type "checkpoint" cannot stand here/,
  ],
  [
    'a line behind the last',
    (p) => {
      p.lines.push({ ...lineOf(p, 'file') });
    },
    /^file: .* line 16: .*cannot stand here/,
  ],
  [
    'a second last line',
    (p) => {
      p.lines.push({ ...lineOf(p, 'end') });
    },
    /^file: .* line 16: .*cannot stand here/,
  ],
  [
    'the last line missing',
    (p) => {
      remove(p, 'end');
    },
    /^file: evidence.ndjson: the last line is missing/,
  ],
  [
    'the first line missing',
    (p) => {
      remove(p, 'pack');
    },
    /^file: .* line 1: .*cannot stand here/,
  ],
  [
    'a pack of another version',
    (p) => {
      lineOf(p, 'pack').version = 2;
    },
    /^file: .* line 1: .*no pack of version 1/,
  ],
  [
    'the pack of another site',
    (p) => {
      lineOf(p, 'pack').site = 'env_other';
    },
    /^file: .* line 1: .*not that of the site env_other/,
  ],
  [
    'no subject',
    (p) => {
      delete lineOf(p, 'pack').subject;
    },
    /^file: .* line 1: "subject" must be there/,
  ],
];
