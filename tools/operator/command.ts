/** A command that was called wrongly: shown with its usage, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Runs an operator's command. What goes wrong is said without a stack: what to do is in the message. */
export function runCommand(usage: string, main: () => Promise<void>): void {
  main().catch((error: Error & { code?: string }) => {
    const misused = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${error.message || String(error)}\n${misused ? `\n${usage}\n` : ''}`);
    process.exitCode = misused ? 2 : 1;
  });
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
