import { errors as josesErrors } from 'jose';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { Provider } from '../../config';
import { variableOf } from '../../config/provider-variables';
import { ApiError, unauthorized, unavailable } from '../../domain/errors';
import { Unanswered } from '../../net/bounded-fetch';
import type { Logger } from '../../observability/logger';

/** Until a provider may be asked again, in seconds. */
const AGAIN = 10;

/** What a person and the operator are told when a provider does not answer as it should. Never what it said: that may be about the person. */
export function refusalOf(error: unknown, provider: Provider, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  const [reason, refusal] = explain(error, provider);
  log.warn({ provider: provider.id, reason }, 'a log-in by a provider failed');
  return refusal;
}

function explain(error: unknown, { id, name }: Provider): [reason: string, refusal: ApiError] {
  const silent = causesOf(error).find((cause) => cause instanceof Unanswered);
  if (silent !== undefined)
    return [
      silent.message,
      unavailable(`${name} does not answer: try again in a moment, or log in in another way.`, AGAIN),
    ];
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return [error.error, unauthorized(`${name} does not take this code any more: begin the log-in again.`)];
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const words = `${name} refuses this server (${wordOf(error.error)}): tell whoever runs it to check ${variableOf(id, 'clientId')} and ${variableOf(id, 'clientSecret')}.`;
    return [wordOf(error.error), unavailable(words, AGAIN)];
  }
  if (isOfTime(error))
    return [
      'time',
      unauthorized(`The clocks of ${name} and of this server differ too much: tell whoever runs it.`),
    ];
  if (isUntrusted(error))
    return [
      codeOf(error),
      unauthorized(
        `The answer of ${name} is not for this log-in: begin it again, and tell whoever runs this server if that does not help.`,
      ),
    ];
  return [codeOf(error), unavailable(`${name} cannot be used: tell whoever runs this server.`, AGAIN)];
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** A code of RFC 6749, and nothing else that a provider might send. */
const wordOf = (text: string): string => /^[a-z_]{1,60}$/.exec(text)?.[0] ?? 'an error';

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name).slice(0, 80);
};

const TIMES = ['iat', 'nbf', 'exp', 'auth_time'];

const isOfTime = (error: unknown): boolean =>
  (error instanceof ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') ||
  error instanceof josesErrors.JWTExpired ||
  (error instanceof josesErrors.JWTClaimValidationFailed && TIMES.includes(error.claim));

const isUntrusted = (error: unknown): boolean =>
  error instanceof josesErrors.JOSEError ||
  (error instanceof ClientError &&
    /CLAIM|JSON_ATTRIBUTE|INVALID_RESPONSE|KEY_SELECTION/.test(error.code ?? ''));
