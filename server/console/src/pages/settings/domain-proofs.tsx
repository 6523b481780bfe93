import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Badge, Button, Card, CodeBlock, date, QueryState, Time, toast } from '../../ui';

type Proof = Schemas['DomainProof'];

const FOUND: Record<Schemas['DomainProofMethod'], string> = {
  dns: 'by its TXT record',
  file: 'by its file',
  script: 'by the script on its start page',
  earlier: 'because the site had it before proofs were required',
};

/** Which domains are proven, and how to prove one. */
export function DomainProofs() {
  const { token } = useSite();
  const proofs = useAnswer(keys.site(token, 'domains'), (api) => api.listDomains({ token }));
  return (
    <Card title="Proof of your domains">
      <p className="muted">
        Anybody can enter any domain for a site. The public look-up of a domain names your site only after the
        domain itself proves it: by the site’s script on its start page, a file, or a TXT record. One of them
        is enough. It is checked every day and is valid for 30 days.
      </p>
      <QueryState query={proofs}>
        {({ items }) => (
          <div className="stack">
            {items.map((proof) => (
              <DomainState key={proof.domain} proof={proof} />
            ))}
          </div>
        )}
      </QueryState>
    </Card>
  );
}

function DomainState({ proof }: { proof: Proof }) {
  const { token, may, settings } = useSite();
  const { domain, proven, method, proven_until, checked_at } = proof;
  const check = useAction((api) => api.checkDomain({ token, body: { domain } }), {
    changes: [keys.site(token, 'domains'), keys.site(token, 'warnings'), keys.site(token), keys.sites],
    onDone: (found) => toast(found.proven ? `${domain} is proven` : `No proof was found on ${domain}`),
  });
  const needsProof = !proven || method === 'earlier';
  return (
    <section className="stack" aria-label={domain}>
      <h3>
        {domain} <Badge tone={needsProof ? 'warn' : 'good'}>{proven ? 'Proven' : 'Not proven'}</Badge>
      </h3>
      <p className="muted">
        {proven && method !== null && proven_until !== null
          ? `Proven ${FOUND[method]}, until ${date(proven_until, settings.time_zone)}. `
          : ''}
        {checked_at === null ? (
          'Not checked yet.'
        ) : (
          <>
            Checked <Time at={checked_at} />.
          </>
        )}
      </p>
      {needsProof && <Ways proof={proof} />}
      {check.error !== null && (
        <Alert tone="bad" live>
          {check.error.message}
        </Alert>
      )}
      {may('owner') && (
        <div>
          <Button onPress={() => check.run(undefined)} isPending={check.pending}>
            {`Check ${domain} now`}
          </Button>
        </div>
      )}
    </section>
  );
}

function Ways({ proof }: { proof: Proof }) {
  const { domain, dns_name, dns_value, file_url, file_content, script_url } = proof;
  return (
    <details>
      <summary>How to prove {domain}</summary>
      <div className="stack">
        <p>Load the site’s script on the start page, as the banner does:</p>
        <CodeBlock label="Script" code={`<script src="${script_url}"></script>`} />
        <p>Or put this line into {file_url}:</p>
        <CodeBlock label="Line of the file" code={file_content} />
        <p>Or publish a TXT record with the name {dns_name}:</p>
        <CodeBlock label="Text of the record" code={dns_value} />
      </div>
    </details>
  );
}
