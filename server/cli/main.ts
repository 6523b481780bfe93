import { asksForHelp, type Command, complain, runCommand, say } from './command';

/** The operator's commands by name. Each is loaded when it is called. */
const COMMANDS: Record<string, { about: string; load(): Promise<Command> }> = {
  owner: {
    about: 'make an account, let one choose a new password, disable or enable one, end all sessions',
    load: async () => (await import('./owner.js')).owner,
  },
  reseal: {
    about: 'seal every stored secret with the present SECRETS_KEY',
    load: async () => (await import('./reseal.js')).resealCommand,
  },
  doctor: {
    about: 'check configuration, database, clock, webhooks and disk',
    load: async () => (await import('./doctor.js')).doctor,
  },
  audit: {
    about: 'write the audit trails of all sites and accounts, or of one, as NDJSON',
    load: async () => (await import('./audit.js')).auditExport,
  },
  migrate: {
    about: 'bring the database up to date (with MIGRATE=off)',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  distribute: {
    about: 'spread the database over the nodes of a Citus cluster',
    load: async () => (await import('./distribute.js')).distributeCommand,
  },
  seed: {
    about: 'make a site with a believable history',
    load: async () => (await import('./seed.js')).seed,
  },
  'import-gvl': {
    about: "replace a site's vendors with an IAB Global Vendor List",
    load: async () => (await import('./import-gvl.js')).importGvl,
  },
  ledger: {
    about: 'print the keys of the evidence logs, or rotate the key that signs them',
    load: async () => (await import('./ledger.js')).ledger,
  },
  witness: {
    about: "sign checkpoints of other operators' evidence logs",
    load: async () => (await import('./witness.js')).witness,
  },
  verify: {
    about: 'verify an evidence pack or a receipt, without a database or a network',
    load: async () => (await import('./verify.js')).verify,
  },
  demo: {
    about: 'start a server and a demo shop with its banner',
    load: async () => (await import('./demo.js')).demo,
  },
};

const HELP = `npm run COMMAND -- [arguments], or node dist/server/cli/main.js COMMAND [arguments]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

--help after a command prints how to call it.`;

/** The one entry of the operator's commands. */
async function main([name = '', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return runCommand(await command.load(), args);
  if (name === 'help' || asksForHelp([name])) return say(HELP);
  complain(`${name === '' ? 'Name a command.' : `There is no command "${name}".`}\n\n${HELP}`);
  process.exitCode = 2;
}

void main(process.argv.slice(2));
