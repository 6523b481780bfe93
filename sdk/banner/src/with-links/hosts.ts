/** Whether a host is a domain, or under it. */
const isUnder = (host: string, domain: string): boolean => `.${host}`.endsWith(`.${domain}`);

/** Whether a host takes choices along, and takes them over; none under it does, for it may be another's. */
const isLinked = (host: string): boolean => !!config.links?.includes(host);

/** Whether a page of another host shares a visitor's choice with this one by links, and not by a cookie. */
export const leads = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean => {
  const domain = shares && config.cookie?.domain;
  return (
    hostname !== location.hostname &&
    // A page without TLS may be anybody's who shares the network.
    protocol === location.protocol &&
    isLinked(hostname) &&
    isLinked(location.hostname) &&
    !(domain && isUnder(hostname, domain) && isUnder(location.hostname, domain))
  );
};
