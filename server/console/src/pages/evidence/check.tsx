import { Card, CodeBlock, GuideLink } from '../../ui';
import type { Log } from './log-state';

/** How anybody checks a pack or the log, without trusting this server. */
export const Check = ({ log: { url } }: { log: Log }) => (
  <Card
    title="How to check it"
    actions={<GuideLink to="guides/what-to-hand-to-an-authority">The guide</GuideLink>}
  >
    <p>
      A pack or a receipt is one file. Whoever gets it drops it on{' '}
      <a className="link" href="/verify" target="_blank" rel="noopener">
        the page that checks it
      </a>
      , which uploads nothing, and reads there step by step what holds and what does not. The page can be
      saved and works without a network. In a copy of Avow the same is done by a command:
    </p>
    <CodeBlock label="Command" code="npm run verify -- FILE" />
    {url !== null && (
      <>
        <p>
          Anybody can also follow the published log, keep its checkpoints, and show later that it was never
          rewritten. Its signed head is here, and its hashes beside it (C2SP tlog-tiles):
        </p>
        <CodeBlock label="Address of the checkpoint" code={`${url}checkpoint`} />
      </>
    )}
  </Card>
);
