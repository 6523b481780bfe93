import { ProviderButtons, useLoginMethods } from '../../app/provider-buttons';

/** The ways to accept an invitation without a password; comes back to its link. */
export function ByProvider({ code }: { code: string }) {
  const methods = useLoginMethods();
  if (methods.data === undefined || methods.data.providers.length === 0) return null;
  return <ProviderButtons methods={methods.data} next={`/setup#${code}`} />;
}
