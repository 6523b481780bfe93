import { runToEnd } from '../helpers/processes/child';

const run = (...args: string[]) => runToEnd('server/cli/main.js', args, {});

const COMMANDS = [
  'owner',
  'reseal',
  'doctor',
  'audit',
  'migrate',
  'distribute',
  'seed',
  'import-gvl',
  'ledger',
  'witness',
  'verify',
  'demo',
];

test.each(COMMANDS)('%s --help says how to call it and does nothing', async (name) => {
  const { code, output, errors } = await run(name, '--help');
  expect([code, errors]).toEqual([0, '']);
  expect(output).toMatch(new RegExp(`^npm run ${name}`));
});

test('help lists every command', async () => {
  const { code, output } = await run('help');
  expect(code).toBe(0);
  for (const name of COMMANDS) expect(output).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
});

test.each([[[]], [['nothing']], [['constructor']]])('%j is refused with what there is', async (args) => {
  const { code, output, errors } = await run(...args);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toContain('doctor');
});

test('an argument that a command does not know is refused with its usage', async () => {
  const { code, errors } = await run('migrate', '--now');
  expect(code).toBe(2);
  expect(errors).toContain('npm run migrate');
});
