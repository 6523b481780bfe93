import type { Config } from '../../src/config';
import { type Check, type Finding, fine, warning } from './finding';

/**
 * What the variables say, and which of them a public service should set. That they can be read was checked
 * before.
 */
export const checkConfiguration: Check = async (config) => [
  fine(
    `Configuration: role ${config.role}, ${config.workers} answering ${config.workers === 1 ? 'process' : 'processes'}, ` +
      `${config.host}:${config.port}, ${config.databaseUrl === undefined ? 'embedded database' : 'DATABASE_URL'}`,
  ),
  ...checkPublicUrl(config),
  checkProxies(config),
  ...(config.databaseUrl === undefined ? [] : checkShared(config)),
  ...(config.rateLimit
    ? []
    : [warning('RATE_LIMIT is off', 'set it to on where strangers reach the server directly')]),
];

function checkPublicUrl({ publicUrl, databaseUrl }: Config): Finding[] {
  if (publicUrl !== undefined) return [fine(`Public address: ${publicUrl}`)];
  if (databaseUrl === undefined) return [];
  return [warning('PUBLIC_URL is not set', 'links lead to localhost; set it to the address that people see')];
}

function checkProxies({ trustProxy }: Config): Finding {
  if (trustProxy === false) return fine('Proxies: none (TRUST_PROXY is off), X-Forwarded-For is ignored');
  const addresses = Array.isArray(trustProxy) ? trustProxy : trustProxy.nearest;
  const count = Array.isArray(trustProxy) ? '' : `${trustProxy.hops}, `;
  return fine(
    `Proxies: ${count}X-Forwarded-For counts from ${addresses.join(', ')}; let nothing else there reach the port`,
  );
}

function checkShared({ jwtSecret, secretsKey }: Config): Finding[] {
  if (jwtSecret !== undefined && secretsKey !== undefined) return [];
  return [
    warning(
      'JWT_SECRET or SECRETS_KEY is not set',
      'each machine makes its own in DATA_DIR; set both when there is more than one machine',
    ),
  ];
}
