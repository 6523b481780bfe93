import type { Schemas } from '../../app/data';
import { Badge } from '../../ui';

/** Whether visitors are shown a bundle, and which version of an A/B test it is. */
export function BundleState({
  bundle: { current, test_version },
}: {
  bundle: Pick<Schemas['Bundle'], 'current' | 'test_version'>;
}) {
  return (
    <span className="row">
      {current ? <Badge tone="good">Current</Badge> : <Badge>Earlier</Badge>}
      {test_version !== undefined && <Badge>Version {test_version.toUpperCase()} of a test</Badge>}
    </span>
  );
}
