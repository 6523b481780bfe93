import type { Provider } from '../../config';
import { ProviderClient } from './provider-client';

/** The configured providers by their names, in their order. */
export type Providers = ReadonlyMap<string, ProviderClient>;

export const providersOf = ({ providers }: { providers: readonly Provider[] }): Providers =>
  new Map(providers.map((provider) => [provider.id, new ProviderClient(provider)]));
