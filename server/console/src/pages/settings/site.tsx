import type { Site } from '../../app/data';
import { toList } from '../../app/lists';
import { useSite } from '../../app/site';
import { CodeBlock, RadioGroup, Switch, TextArea, TextField, useDraft } from '../../ui';
import { DomainProofs } from './domain-proofs';
import { Section, settingsOf } from './section';

const fromSite = (site: Site) => ({
  name: site.name,
  domain: site.domain,
  domains: site.domains.filter((one) => one !== site.domain).join('\n'),
  url: site.url,
  status: site.status,
  'settings.enforce_origin': site.settings.enforce_origin,
});

/** Name, domains and status of the site. */
export function SiteSection() {
  const site = useSite();
  const draft = useDraft(fromSite(site));
  const { bind } = draft;
  return (
    <>
      <Section
        title="Site and domains"
        draft={draft}
        fromSite={fromSite}
        versionOf={(now) => ({ ...settingsOf(now), expected_revision: now.revision })}
        toPatch={({ name, domain, domains, url, status, 'settings.enforce_origin': enforce_origin }) => ({
          ...{ name, domain, domains: toList(domains), url, status },
          settings: { enforce_origin },
        })}
      >
        <TextField label="Name" {...bind('name')} isRequired maxLength={200} />
        <TextField label="Domain" {...bind('domain')} isRequired />
        <TextArea label="Further domains" {...bind('domains')} description="One on each line." rows={3} />
        <TextField label="Address" {...bind('url')} type="url" isRequired />
        <Switch
          {...bind('settings.enforce_origin')}
          label="Only these domains may send decisions"
          hint="Requests from pages of other domains are refused."
        />
        <RadioGroup
          label="State"
          {...bind('status')}
          options={[
            ['active', 'Active'],
            ['paused', 'Paused', 'Visitors’ requests are refused, and no decision is recorded.'],
            ['archived', 'Archived', 'The site has ended: like paused, and it can be deleted.'],
          ]}
        />
        <CodeBlock label="Token of the site" code={site.token} />
      </Section>
      <DomainProofs />
    </>
  );
}
