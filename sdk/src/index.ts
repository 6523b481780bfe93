export type * from '../../spec/generated/models.js';
export { createAvow } from './client.js';
export { AvowApiError, AvowConnectionError, AvowError } from './errors.js';
export type { AvowOptions, Credentials, Fetch, Hooks, RequestEvent, ResponseEvent } from './options.js';
export type {
  Answered,
  Avow,
  AvowFile,
  CallOptions,
  ErrorCode,
  FieldError,
  Input,
  Item,
  Method,
  OperationId,
  Output,
  Schemas,
} from './types.js';
export {
  isTestDelivery,
  type SecretsBySite,
  type SignedEvent,
  type SignOptions,
  signTestEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
  webhookId,
} from './webhooks.js';
