import { parseArgs } from 'node:util';
import type { Step, Verification } from '@avow/sdk/verify';
import { inOneLine } from '../src/domain/printable';
import { type Command, say, UsageError } from './command';
import { openFile } from './kept-heads';
import { continues } from './verify/continues';

const USAGE = `npm run verify --silent -- FILE [--key VKEY]… [--witness VKEY]… [--checkpoint FILE]… [--failures] [--json]
Verifies an evidence pack or a receipt without a database and without a network, and prints each step.
--key      a key of the log that you have from elsewhere than the file, name+id+base64; not the one of HOST/ledger/*, which is
           for witnesses
--witness  a key of a witness that you trust, which must have cosigned a head that holds every record
--checkpoint a pack, receipt or checkpoint of the log that you got before this file: a log that was rolled back or written anew
           since contradicts it
--failures prints only what fails or is not known
What is marked "said" the file says, and nothing proves it.
--json     prints steps as one JSON object a line, and the verdict last
Exit code 0: nothing failed, and, where you gave a key or a witness, there are records, every one is proven by it, and nothing
           else that matters is unknown. 1: something failed, or is not proven. A checkpoint alone proves nothing of what was
           sealed after it: give a key, too. Without a key the verdict is at most INCOMPLETE, also with the exit code 0: whose log it is,
           nothing else says.`;

const SIGNS = { true: 'ok     ', false: 'FAILED ', unknown: 'unknown', unproven: 'said   ' };

/** `npm run verify`: what anybody can check of a file that an Avow made. */
async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      witness: { type: 'string', multiple: true, default: [] },
      checkpoint: { type: 'string', multiple: true, default: [] },
      failures: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError('Name one file.');
  const { key: trustedKeys, witness: witnesses, checkpoint, failures, json } = values;
  const file = await openFile(name);
  quieten();
  const { verifyEvidence } = await import('@avow/sdk/verify');
  let isOpen = false;
  const onStep = (step: Step): void => {
    isOpen ||= step.ok === 'unknown' && matters(step, trustedKeys.length > 0);
    if (failures && (step.ok === true || step.ok === 'unproven')) return;
    say(json ? JSON.stringify(step) : lineOf(step));
  };
  const found = await verifyEvidence(file, { trustedKeys, witnesses, onStep });
  // What cannot be read contradicts nothing.
  if (found.verdict !== 'failed')
    for (const earlier of checkpoint) {
      const step = await continues(found, earlier);
      onStep(step);
      if (step.ok === false) found.verdict = 'failed';
      else if (step.ok === 'unknown' && found.verdict === 'verified') found.verdict = 'incomplete';
    }
  const { steps: _, leftOut: __, heads: ___, ...verdict } = found;
  // Whoever demands nothing learns what failed; whoever demands something wants it of each record.
  const isDemanding = [...trustedKeys, ...witnesses, ...checkpoint].length > 0;
  const isProven = found.records.proven > 0 && !isOpen;
  const holds = !isDemanding || !isProven ? '' : witnesses.length > 0 ? WITNESSED : CONTINUED;
  say(json ? JSON.stringify(verdict) : conclusion(found, holds));
  const ofAll = trustedKeys.find((vkey) => /^[^+]*\/\*\+/.test(vkey));
  if (!json && found.verdict === 'failed' && ofAll !== undefined) say(ofWitnesses(ofAll));
  if (found.verdict === 'failed' || (isDemanding && !isProven)) process.exitCode = 1;
}

/** What others vouch for is more than was demanded. */
const EXTRA: readonly Step['step'][] = ['cosignature', 'time-stamp'];

/** Whether a file is not proven while this step is unknown. Who names no key cannot know whose the file's is. */
const matters = ({ step, what }: Step, hasKey: boolean): boolean =>
  !EXTRA.includes(step) && (hasKey || step !== 'trust' || what.startsWith('the witness '));

const lineOf = ({ ok, step, where, what }: Step): string =>
  `${SIGNS[`${ok}`]}  ${step.padEnd(12)}${inOneLine(where)}: ${inOneLine(what)}`;

// Why an end with 0 can be incomplete.
const WITNESSED =
  'What you demanded holds: every record is in a log that the witness has cosigned. Whose log it is, only a key that you trust says: give --key, too.';
const CONTINUED =
  'What you demanded holds: the log continues what you kept. Nothing is proven of what was sealed after that, nor whose log it is: give --key, too.';

/** @param vkey the key of all logs of a server, which no single log is signed with by name */
const ofWitnesses = (vkey: string): string =>
  `The key ${inOneLine(vkey)} names all logs of a server, as witnesses take it: give the key of this log (npm run ledger -- keys TOKEN).`;

/**
 * The verdict in plain words.
 * @param holds what was demanded, and holds though not everything is proven
 */
function conclusion({ verdict, records, origin, size }: Verification, holds: string): string {
  const { proven, pending, failed } = records;
  const counted = `Records: ${proven} proven, ${pending} not sealed yet, ${failed} failed.`;
  const about = origin === undefined ? '' : ` Log: ${inOneLine(origin)}, ${size ?? 0} leaves.`;
  const words = {
    verified:
      'VERIFIED. Every record that is in the file is in the log, signed with a key that you trust, or one that it endorses. What is marked "said" is not proven.',
    incomplete: `INCOMPLETE. Nothing failed, but not everything is proven: see what is unknown.${holds && ` ${holds}`}`,
    failed: 'FAILED. The file does not prove what it says: see what failed.',
  };
  return `\n${words[verdict]}\n${counted}${about}`;
}

/** Node 20 calls Ed25519 in WebCrypto an experiment; its algorithm is that of RFC 8032. */
function quieten(): void {
  const warn = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('Ed25519')) warn.call(process, warning, ...rest);
  }) as typeof warn;
}

export const verify: Command = { usage: USAGE, run };
