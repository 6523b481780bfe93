import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../src/config';
import { type Command, say, UsageError } from './command';
import { checkConfiguration } from './doctor/configuration';
import { checkDatabase } from './doctor/database';
import { checkFiles } from './doctor/files';
import { broken, type Check, type Finding } from './doctor/finding';
import { auditLedger } from './doctor/ledger';
import { checkMachine } from './doctor/machine';
import { checkMail } from './doctor/mail';
import { checkPort } from './doctor/port';
import { checkRegions } from './doctor/regions';
import { checkSecrets } from './doctor/secrets';
import { checkSignOn } from './doctor/sign-on';

/** Every check, in the order of the report. A new part of the product adds its own here. */
const CHECKS: Check[] = [
  checkConfiguration,
  checkSecrets,
  checkMachine,
  checkDatabase,
  checkPort,
  checkSignOn,
  checkMail,
  checkFiles,
  checkRegions,
];

/**
 * `npm run doctor`: one line for each matter, with what to do about it; exit code 1 when something must be
 * repaired.
 */
async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { ledger, ...about } = values;
  if (!ledger && (about.site ?? about.checkpoint) !== undefined)
    throw new UsageError('--site and --checkpoint belong to --ledger.');
  const config = read();
  if (config === undefined) return;
  if (ledger) {
    await auditLedger(config, about);
    return;
  }
  let marks = '';
  for (const check of CHECKS) {
    for (const finding of await carryOut(check, config)) {
      say(`${finding.mark} ${finding.text}`);
      marks += finding.mark;
    }
  }
  if (marks.includes('✗')) process.exitCode = 1;
  const advice = marks.includes('!') ? 'Fit to run; think about the lines with !.' : 'All is well.';
  say(marks.includes('✗') ? '\nRepair the lines with ✗.' : `\n${advice}`);
}

const OPTIONS = {
  ledger: { type: 'boolean' },
  site: { type: 'string' },
  checkpoint: { type: 'string', multiple: true },
} as const;

function read(): Config | undefined {
  try {
    return readConfig();
  } catch (error) {
    say(`✗ Configuration: ${(error as Error).message}`);
    process.exitCode = 1;
    return undefined;
  }
}

/** A check that itself fails must not hide the others. */
async function carryOut(check: Check, config: Config): Promise<Finding[]> {
  try {
    return await check(config);
  } catch (error) {
    return [broken(`A check could not be made (${check.name})`, (error as Error).message)];
  }
}

const USAGE = `npm run doctor
One line for each matter, with what to do about it; exit code 1 when something must be repaired.
npm run doctor -- --ledger [--site TOKEN] [--checkpoint FILE]…
Compares every record with the evidence log of its site, of one site or all, and names what was altered, deleted without
a rule, inserted, backdated or sealed twice; with a checkpoint that somebody kept, an evidence pack or a receipt that was
handed out, also a log that was rolled back or forked, as after an older backup was restored. It only reads, beside the running server; its files of some 70 bytes a record lie in TMPDIR meanwhile.`;

export const doctor: Command = { usage: USAGE, run };
