import type { Context } from '../context';
import { snippetOf } from '../domain/banner/snippet';
import { linkOf } from '../services/accounts';
import type { FirstRun } from './first-run';

/** Prints a few lines that tell the operator where everything is and what to try first. */
export function welcome(context: Context, { setupCode, demoToken }: FirstRun, embedded: boolean): void {
  const url = context.publicUrl();
  const lines = [
    '',
    `  Avow is ready at ${url}`,
    '',
    ...(setupCode === undefined
      ? []
      : [
          `  Set up         ${linkOf(url, setupCode)}`,
          '                 (works once: choose the first owner’s e-mail address and password)',
        ]),
    `  Console        ${url}/console`,
    `  Docs           ${url}/docs`,
    `  Verify         ${url}/verify`,
    `  Contract       ${url}/openapi.yaml`,
    ...(embedded
      ? [
          `  Data           ${context.config.dataDir} (embedded PostgreSQL: for evaluation and a single machine)`,
        ]
      : []),
  ];
  if (demoToken !== undefined) {
    lines.push(
      `  Demo site      ${demoToken}`,
      `  Banner         ${snippetOf(url, demoToken)}`,
      '',
      '  Log a consent:',
      `  curl -X POST ${url}/api/consents/${demoToken}/log -H 'Content-Type: application/json' \\`,
      `    -d '{"session_id":"0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11","decision":"accept_all"}'`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
