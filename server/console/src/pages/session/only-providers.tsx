/** What is left where the server takes no passwords and no passkeys. */
export const OnlyProviders = () => (
  <p className="hint">
    This server takes no passwords and no passkeys. The operator can give you a one-time link that logs you in
    all the same, with <code>npm run owner -- reset EMAIL</code>.
  </p>
);
