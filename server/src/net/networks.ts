/** A network and what it is for, as a reason of refusal names it. */
export type NamedNetwork = readonly [cidr: string, name: string];

/**
 * Networks that are not public: the IANA special-purpose address registries (RFC 6890), multicast (RFC 5771,
 * RFC 4291) and all IPv6 outside global unicast (2000::/3).
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry
 */
export const SPECIAL: readonly NamedNetwork[] = [
  ['0.0.0.0/8', 'this network, RFC 791'],
  ['10.0.0.0/8', 'private, RFC 1918'],
  ['100.64.0.0/10', 'shared by carriers, RFC 6598'],
  ['127.0.0.0/8', 'loopback, RFC 1122'],
  ['169.254.0.0/16', 'link-local, RFC 3927'],
  ['172.16.0.0/12', 'private, RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments, RFC 6890'],
  ['192.0.2.0/24', 'documentation, RFC 5737'],
  ['192.31.196.0/24', 'AS112, RFC 7535'],
  ['192.52.193.0/24', 'AMT, RFC 7450'],
  ['192.88.99.0/24', '6to4 relays, RFC 7526'],
  ['192.168.0.0/16', 'private, RFC 1918'],
  ['192.175.48.0/24', 'AS112, RFC 7534'],
  ['198.18.0.0/15', 'benchmarks, RFC 2544'],
  ['198.51.100.0/24', 'documentation, RFC 5737'],
  ['203.0.113.0/24', 'documentation, RFC 5737'],
  ['224.0.0.0/4', 'multicast, RFC 5771'],
  ['255.255.255.255/32', 'broadcast, RFC 919'],
  ['240.0.0.0/4', 'reserved, RFC 1112'],
  ['::/128', 'unspecified, RFC 4291'],
  ['::1/128', 'loopback, RFC 4291'],
  ['::/96', 'IPv4-compatible, RFC 4291'],
  ['::ffff:0:0:0/96', 'IPv4-translated, RFC 7915'],
  ['64:ff9b::/96', 'NAT64, RFC 6052'],
  ['100::/64', 'discard, RFC 6666'],
  ['100:0:0:1::/64', 'dummy prefix, RFC 9780'],
  ['2001::/23', 'IETF protocol assignments, RFC 2928'],
  ['2001:db8::/32', 'documentation, RFC 3849'],
  ['2620:4f:8000::/48', 'AS112, RFC 7534'],
  ['3fff::/20', 'documentation, RFC 9637'],
  ['5f00::/16', 'segment routing, RFC 9602'],
  ['fc00::/7', 'unique-local, RFC 4193'],
  ['fec0::/10', 'site-local, RFC 3879'],
  ['ff00::/8', 'multicast, RFC 4291'],
  // What is left of IPv6; the rows above stand first because they say more.
  ['::/3', 'outside 2000::/3'],
  ['4000::/2', 'outside 2000::/3'],
  ['8000::/1', 'outside 2000::/3'],
];

/**
 * Never reachable, whatever the configuration: instance metadata services, which hand out credentials, and
 * tunnels whose end is unknown. The providers document the addresses.
 */
export const CLOSED: readonly NamedNetwork[] = [
  // 169.254.169.254: AWS, Google Cloud, Azure, Oracle, OpenStack, DigitalOcean, Hetzner, IBM. 169.254.170.2
  // and .23: AWS ECS, EKS. 169.254.42.42: Scaleway. 169.254.0.23 and 169.254.10.10: Tencent.
  ['169.254.0.0/16', 'link-local and cloud metadata, RFC 3927'],
  ['100.100.100.200/32', 'cloud metadata, Alibaba'],
  ['100.96.0.96/32', 'cloud metadata, Volcengine'],
  // A host service inside public address space.
  ['168.63.129.16/32', 'cloud host service, Azure'],
  ['192.0.0.192/32', 'cloud metadata, Oracle Classic'],
  // fe80::a9fe:a9fe: OpenStack, Linode.
  ['fe80::/10', 'link-local and cloud metadata, RFC 4291'],
  // fd00:ec2::254 (instance metadata), fd00:ec2::23 (EKS pod identity).
  ['fd00:ec2::/32', 'cloud metadata, AWS'],
  ['fd20:ce::254/128', 'cloud metadata, Google Cloud'],
  ['fd00:c1::a9fe:a9fe/128', 'cloud metadata, Oracle'],
  ['fd00:42::42/128', 'cloud metadata, Scaleway'],
  ['fd00:a9fe:a9fe::1/128', 'cloud metadata, Linode'],
  ['fd00:100::100:200/128', 'cloud metadata, Alibaba'],
  // Where the IPv4 address lies inside depends on the translator.
  ['64:ff9b:1::/48', 'local-use NAT64, RFC 8215'],
  ['2001::/32', 'Teredo, RFC 4380'],
  ['2002::/16', '6to4, RFC 3056'],
];
