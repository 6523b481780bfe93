import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const LOGGER = join(__dirname, '..', '..', 'dist', 'server', 'src', 'observability', 'logger.js');

// Flushed once the logger has had a turn to open its output, as a server does in its end.
test('no character of a log line is obeyed by a terminal, and the line says the same', () => {
  const host = 'a\u001b[2J\u009b2J\u202e\u2028\n\u007f ünï 用 \u{1f600}';
  const program = `const log = require(${JSON.stringify(LOGGER)}).createLogger('info');
    log.info({ host: ${JSON.stringify(host)} }, 'said'); log.info('next'); setImmediate(() => log.flush());`;
  const output = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  const lines = output.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ host, msg: 'said' }),
    expect.objectContaining({ msg: 'next' }),
  ]);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
});
