import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Form, TextField, useDraft } from '../../ui';

/** Starts a scan of one page of the site, and goes to where its result will be. */
export function StartScan() {
  const { token, url, path, domains } = useSite();
  const navigate = useNavigate();
  const draft = useDraft({ url });
  const start = useAction((api, page: string) => api.startCookieScan({ body: { url: page, token } }), {
    success: 'Scan started',
    changes: [keys.site(token, 'scans')],
    onDone: ({ scan_id }) => void navigate(path(`scans/${scan_id}`)),
  });
  return (
    <Form action={start} submit="Start scan" onSubmit={() => start.run(draft.value.url)}>
      <TextField
        label="Page"
        {...draft.bind('url')}
        type="url"
        isRequired
        description={`Any page on ${domains.join(', ')} that the internet can reach.`}
      />
    </Form>
  );
}
