import { printable } from '../src/domain/printable';

/** A command of the operator. */
export interface Command {
  /** How it is called and what it does, as `--help` prints it. */
  usage: string;
  /** Runs it with the arguments after its name. */
  run(args: string[]): Promise<void>;
}

/** Thrown when a command is called wrongly: its usage is shown, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Whether the arguments ask for help instead of work. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--help' || arg === '-h');

/** Runs an operator's command. Errors are shown without a stack: the message says what to do. */
export async function runCommand({ usage, run }: Command, args: string[]): Promise<void> {
  if (asksForHelp(args)) {
    say(usage);
    return;
  }
  try {
    await run(args);
  } catch (thrown) {
    const error = thrown as Error & { code?: string };
    const misused = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    complain(`${error.message || String(error)}${misused ? `\n\n${usage}` : ''}`);
    process.exitCode = misused ? 2 : 1;
  }
}

// Names and answers of others are in these texts.
export const say = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
export const complain = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
