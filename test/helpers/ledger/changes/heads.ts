import { base64, lineOf } from '../made-pack';
import { checkpointText, Signer } from '../signer';
import { type Change, changed, flip, inNote, remove, swapLines } from './change';

/** Changes of heads. */
export const HEAD_CHANGES: Change[] = [
  [
    'another size in the checkpoint',
    (p) =>
      inNote(p, (lines) => {
        lines[1] = '14';
      }),
    /^checkpoint: .* line 4: the head of 14 leaves has no right signature of a listed key/,
  ],
  [
    'a size with a leading zero',
    (p) =>
      inNote(p, (lines) => {
        lines[1] = '013';
      }),
    /^checkpoint: .* line 4: .*second line is no size/,
  ],
  [
    'another root in the checkpoint',
    (p) =>
      inNote(p, (lines) => {
        lines[2] = changed(lines[2] as string);
      }),
    /^checkpoint: .* line 4: .*has no right signature of a listed key/,
  ],
  [
    'a root of 31 bytes',
    (p) =>
      inNote(p, (lines) => {
        lines[2] = base64(Buffer.alloc(31));
      }),
    /^checkpoint: .* line 4: .*third line is no hash/,
  ],
  [
    'another origin in the checkpoint',
    (p) =>
      inNote(p, (lines) => {
        lines[0] = 'other.example/ledger/env_x';
      }),
    /^checkpoint: .* line 4: .*is of the log other.example/,
  ],
  [
    'a line more in the checkpoint',
    (p) =>
      inNote(p, (lines) => {
        lines.splice(3, 0, 'extension');
      }),
    /^checkpoint: .* line 4: .*its third line is no hash, or not the last/,
  ],
  [
    'another signature',
    (p) =>
      inNote(p, (lines) => {
        lines[4] = flip(lines[4] as string, 10);
      }),
    /^checkpoint: .* line 4: .*has no right signature of a listed key/,
  ],
  [
    'another key id in the signature line',
    (p) =>
      inNote(p, (lines) => {
        lines[4] = flip(lines[4] as string, 0);
      }),
    /^checkpoint: .* line 4: .*has no right signature of a listed key/,
  ],
  [
    'no signature of the log',
    (p) =>
      inNote(p, (lines) => {
        lines.splice(4, 1);
      }),
    /^checkpoint: .* line 4: .*has no right signature/,
  ],
  [
    'no signature at all',
    (p) =>
      inNote(p, (lines) => {
        lines.splice(3);
      }),
    /^checkpoint: .* line 4: .*no signed note/,
  ],
  [
    'a signature line that is none',
    (p) =>
      inNote(p, (lines) => {
        lines[4] = (lines[4] as string).replace('—', '-');
      }),
    /^checkpoint: .* line 4: .*is no signature line/,
  ],
  [
    'another key',
    (p) => {
      lineOf(p, 'key', 1).vkey = lineOf(p, 'key', 1).vkey.replace(/.$/, (end: string) =>
        end === 'A' ? 'B' : 'A',
      );
    },
    /^keys: .* line 3: .*(another id than its bytes make|written name\+id)/,
  ],
  [
    'the key of somebody else',
    (p) => {
      lineOf(p, 'key', 1).vkey = new Signer(p.keys.old.name).vkey;
    },
    /^keys: .* line 2: .*does not endorse/,
  ],
  [
    'a key of another log',
    (p) => {
      lineOf(p, 'key', 1).vkey = new Signer('other.example/ledger/env_x').vkey;
    },
    /^keys: .* line 3: .*not one of the log/,
  ],
  [
    'the key of a witness among those of the log',
    (p) => {
      lineOf(p, 'key', 1).vkey = new Signer(p.keys.old.name, 4).vkey;
    },
    /^keys: .* line 3: .*not one of the log/,
  ],
  [
    'another endorsement',
    (p) => {
      lineOf(p, 'key').successor_signature = changed(lineOf(p, 'key').successor_signature);
    },
    /^keys: .* line 2: .*does not endorse [0-9a-f]{8} as it says/,
  ],
  [
    'no endorsement',
    (p) => {
      lineOf(p, 'key').successor_signature = null;
    },
    /^trust: .* line 4: .*none of the keys that you trust/,
  ],
  [
    'an endorsement of a key that is missing',
    (p) => {
      remove(p, 'key', 1);
    },
    /^keys: .* line 2: .*endorses a key that is missing/,
  ],
  [
    'the old key missing',
    (p) => {
      remove(p, 'key');
    },
    /^trust: .* line 3: .*none of the keys that you trust/,
  ],
  [
    'keys in the other order',
    (p) => swapLines(p, 1, 2),
    /^keys: .* line 3: .*endorses a key that is missing/,
  ],
  [
    'all keys missing',
    (p) => {
      remove(p, 'key');
      remove(p, 'key');
    },
    /^checkpoint: .* line 2: .*has no right signature of a listed key/,
  ],
  [
    'another cosignature',
    (p) =>
      inNote(p, (lines) => {
        lines[5] = flip(lines[5] as string, 20);
      }),
    /^cosignature: .* line 4: the witness witness.example.net\/w1 has not cosigned/,
  ],
  [
    'another time of the cosignature',
    (p) =>
      inNote(p, (lines) => {
        lines[5] = flip(lines[5] as string, 11);
      }),
    /^cosignature: .* line 4: .* has not cosigned/,
  ],
  [
    'the cosignature missing',
    (p) =>
      inNote(p, (lines) => {
        lines.splice(5, 1);
      }),
    /^cosignature: .* line 4: .*has not cosigned/,
  ],
  [
    'a witness of another name',
    (p) => {
      lineOf(p, 'checkpoint').witnesses[0].name = 'other';
    },
    /^cosignature: .* line 4: the witness "other" has a key of another name/,
  ],
  [
    'a witness that is none',
    (p) => {
      lineOf(p, 'checkpoint').witnesses[0] = 7;
    },
    /^cosignature: .* line 4: it is no object/,
  ],
  [
    'another hash in the consistency proof',
    (p) => {
      lineOf(p, 'checkpoint', 1).consistency[0] = changed(lineOf(p, 'checkpoint', 1).consistency[0]);
    },
    /^consistency: .* line 5: .*not proven to continue that of 5/,
  ],
  [
    'no consistency proof',
    (p) => {
      delete lineOf(p, 'checkpoint', 1).consistency;
    },
    /^consistency: .* line 5: .*not proven to continue/,
  ],
  [
    'an older head of a fork',
    (p) => {
      const text = checkpointText(p.keys.old.name, 5, Buffer.alloc(32, 1));
      lineOf(p, 'checkpoint', 1).note = `${text}\n${p.keys.old.line(text)}`;
    },
    /^consistency: .* line 5: .*not proven to continue/,
  ],
  [
    'an older head of more leaves',
    (p) => {
      const text = checkpointText(p.keys.old.name, 99, Buffer.alloc(32, 1));
      lineOf(p, 'checkpoint', 1).note = `${text}\n${p.keys.old.line(text)}`;
    },
    /^consistency: .* line 5: .*not proven to continue/,
  ],
  ['the checkpoints in the other order', (p) => swapLines(p, 3, 4), /^consistency: .* line 5/],
];
